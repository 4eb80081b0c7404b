import type { Screen } from '../../public.ts'

export const screens: readonly Screen[] = [
  { resource: 'messaging.conversations', view: 'list', load: () => import('./Conversations.tsx') },
  {
    path: '/messaging/inbox',
    title: { en: 'Support inbox' },
    icon: 'inbox',
    area: 'messaging',
    permission: 'support.inbox.read',
    needs: 'messaging.saved-replies',
    load: () => import('./Inbox.tsx'),
  },
]
