import { defineModule } from 'larder/kernel'
import { events } from './events.ts'
import { messagingJobs } from './jobs.ts'
import { messagingListeners } from './listeners.ts'
import { MessagingOptions } from './options.ts'
import { messagingPages } from './pages/conversations.ts'
import type {} from './ports.ts'
import { problems } from './problems.ts'
import { createHub } from './realtime/hub.ts'
import { messagingSockets } from './realtime/socket.ts'
import { messagingTopics } from './realtime/topics.ts'
import { resources } from './resources.ts'
import { conversationRoutes } from './routes/conversations.ts'
import { messageRoutes } from './routes/messages.ts'
import { participantRoutes } from './routes/participants.ts'

export default defineModule({
  name: 'messaging',
  summary: 'Conversations between members of a workspace: messages, unread counts and a realtime socket.',
  needs: ['database', 'clock', 'events', 'jobs', 'bus', 'log', 'product', 'people', 'realtime'],
  optional: ['entitlements', 'mailer', 'mediaItems'],
  options: MessagingOptions,
  // All of them apply only to conversations of the caller.
  permissions: {
    'messaging.conversation.read': 'View own conversations and mark them as read',
    'messaging.conversation.create': 'Start conversations',
    'messaging.conversation.update': 'Manage subject, status and participants of own conversations',
    'messaging.message.create': 'Post messages',
    'messaging.message.update': 'Edit own messages',
    'messaging.message.delete': 'Delete own messages',
  },
  roles: { 'tenant.messenger': { name: 'Messenger', permissions: ['messaging.*'] } },
  problems,
  events,
  provides: {
    messaging: { load: async () => (await import('./services/messaging.ts')).createMessaging },
    messagingRealtime: createHub,
  },
  routes: deps => [...conversationRoutes(deps), ...participantRoutes(deps), ...messageRoutes(deps)],
  resources: () => resources,
  sockets: messagingSockets,
  topics: messagingTopics,
  pages: messagingPages,
  listeners: messagingListeners,
  jobs: messagingJobs,
  stop: async ({ messagingRealtime }) => messagingRealtime.stop(),
  migrations: new URL('./migrations/', import.meta.url),
  emails: new URL('./emails/', import.meta.url),
  templates: new URL('./templates/', import.meta.url),
  locales: new URL('./locales/', import.meta.url),
})
