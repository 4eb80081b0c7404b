import type { Screen } from '../registry.ts'

export const screens: readonly Screen[] = [
  { resource: 'streams.streams', view: 'record', load: () => import('./Stream.tsx') },
]
