import type { Screen } from '../../public.ts'

export const screens: readonly Screen[] = [
  { resource: 'media.items', view: 'list', load: () => import('./Library.tsx') },
  { resource: 'media.items', view: 'record', load: () => import('./MediaFile.tsx') },
]
