import { defineModule } from 'larder/kernel'
import { events } from './events.ts'
import { messagingJobs } from './jobs.ts'
import { listeners } from './listeners.ts'
import { createMessaging, NEEDS, WANTS } from './messaging.ts'
import { MessagingOptions } from './options.ts'
import { messagePages } from './pages.ts'
import { permissions } from './permissions.ts'
import type {} from './ports.ts'
import { problems } from './problems.ts'
import { createHub } from './realtime/hub.ts'
import { conversationRoutes } from './routes/conversations.ts'
import { messageRoutes } from './routes/messages.ts'
import { participantRoutes } from './routes/participants.ts'
import { realtime } from './socket.ts'

export default defineModule({
  name: 'messaging',
  summary: 'Conversations between members of a workspace: messages, unread counts and a realtime socket.',
  needs: NEEDS,
  optional: WANTS,
  options: MessagingOptions,
  permissions,
  roles: { 'tenant.messenger': { name: 'Messenger', permissions: ['messaging.*'] } },
  problems,
  events,
  provides: { messaging: createMessaging, messagingRealtime: createHub },
  routes: deps => [...conversationRoutes(deps), ...participantRoutes(deps), ...messageRoutes(deps)],
  sockets: realtime,
  pages: messagePages,
  listeners: listeners,
  jobs: messagingJobs,
  stop: async ({ messagingRealtime }) => messagingRealtime.stop(),
  migrations: new URL('./migrations/', import.meta.url),
  emails: new URL('./emails/', import.meta.url),
  templates: new URL('./templates/', import.meta.url),
  locales: new URL('./locales/', import.meta.url),
})
