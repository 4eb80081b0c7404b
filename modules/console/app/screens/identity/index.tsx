import type { Screen } from '../registry.ts'

const load = () => import('./Role.tsx')

export const screens: readonly Screen[] = [
  { resource: 'identity.roles', view: 'record', load },
  { resource: 'identity.roles', view: 'edit', load },
  { resource: 'identity.roles', view: 'create', load },
]
