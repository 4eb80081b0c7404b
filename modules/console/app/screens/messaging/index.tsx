import type { Screen } from '../registry.ts'

export const screens: readonly Screen[] = [
  {
    path: '/messaging/inbox',
    title: { en: 'Support inbox', de: 'Support-Posteingang' },
    icon: 'inbox',
    area: 'messaging',
    permission: 'support.inbox.read',
    load: () => import('./Inbox.tsx'),
  },
]
