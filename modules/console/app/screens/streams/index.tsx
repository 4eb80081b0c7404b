import type { Screen } from '../../public.ts'

export const screens: readonly Screen[] = [
  { resource: 'streams.streams', view: 'record', load: () => import('./Stream.tsx') },
  { resource: 'sessions.sessions', view: 'record', load: () => import('./Session.tsx') },
]
