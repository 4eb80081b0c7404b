import { defineModule } from '@larder-dev/larder/kernel'
import { actions } from './actions.ts'
import { events } from './events.ts'
import { messagingJobs } from './jobs.ts'
import { messagingListeners } from './listeners.ts'
import { MessagingOptions } from './options.ts'
import { messagingPages } from './pages/conversations.ts'
import type {} from './ports.ts'
import { problems } from './problems.ts'
import { messagingTopics } from './realtime/topics.ts'
import { resources } from './resources.ts'
import { conversationRoutes } from './routes/conversations.ts'
import { inboxRoutes } from './routes/inbox.ts'
import { messageRoutes } from './routes/messages.ts'
import { participantRoutes } from './routes/participants.ts'
import { savedReplyRoutes } from './routes/saved-replies.ts'
import { createChats } from './services/chats.ts'
import { personalData } from './services/personal-data.ts'

export default defineModule({
  name: 'messaging',
  summary:
    'Conversations between members of a workspace: messages, unread counts, live updates, and an inbox for support.',
  needs: [
    'database',
    'systemDatabase',
    'operator',
    'clock',
    'events',
    'jobs',
    'bus',
    'log',
    'product',
    'people',
    'tenantDirectory',
    'topics',
    'theme',
  ],
  optional: ['entitlements', 'mailer', 'mediaItems'],
  options: MessagingOptions,
  // Those of messaging apply only to conversations of the caller. Support has an area of its own, so that roles with
  // `messaging.*` don't include it.
  permissions: {
    'messaging.conversation.read': { title: 'View own conversations and mark them as read', customers: true },
    'messaging.conversation.create': { title: 'Start conversations', customers: true },
    'messaging.conversation.update': {
      title: 'Manage subject, status and participants of own conversations',
      customers: true,
    },
    'messaging.message.create': { title: 'Post messages', customers: true },
    'messaging.message.update': { title: 'Edit own messages', customers: true },
    'messaging.message.delete': { title: 'Delete own messages', customers: true },
    'support.inbox.read': 'View all support conversations, and saved replies',
    'support.inbox.update': 'Answer, assign, resolve and snooze support conversations',
    'support.reply.create': 'Create saved replies',
    'support.reply.update': 'Change saved replies',
    'support.reply.delete': 'Delete saved replies',
  },
  roles: { 'tenant.messenger': { name: 'Messenger', description: 'Writes messages', permissions: ['messaging.*'] } },
  problems,
  events,
  actions,
  services: async () => (await import('./services.ts')).services,
  provides: { memberNotices: ({ notices }) => notices, chats: createChats },
  routes: deps => [
    ...conversationRoutes(deps),
    ...participantRoutes(deps),
    ...messageRoutes(deps),
    ...inboxRoutes(deps),
    ...savedReplyRoutes(deps),
  ],
  resources: (_deps, options) => resources(options),
  names: () => [
    { prefix: 'cnv', title: 'Conversation' },
    { prefix: 'msg', title: 'Message' },
    { prefix: 'chm', title: 'Message' },
  ],
  topics: messagingTopics,
  pages: messagingPages,
  listeners: messagingListeners,
  jobs: messagingJobs,
  stop: ({ hub }) => hub.stop(),
  personalData,
  migrations: new URL('./migrations/', import.meta.url),
  emails: new URL('./emails/', import.meta.url),
  templates: new URL('./templates/', import.meta.url),
  locales: new URL('./locales/', import.meta.url),
})
