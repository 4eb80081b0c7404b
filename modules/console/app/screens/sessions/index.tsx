import type { Screen } from '../registry.ts'

export const screens: readonly Screen[] = [
  { resource: 'sessions.sessions', view: 'record', load: () => import('./Session.tsx') },
]
