import type { Screen } from '../../data/screens.ts'

export const screens: readonly Screen[] = [
  { resource: 'streams.streams', view: 'record', load: () => import('./Stream.tsx') },
  { resource: 'sessions.sessions', view: 'record', load: () => import('./Session.tsx') },
]
