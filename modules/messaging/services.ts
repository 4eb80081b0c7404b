/** Private services of messaging. */
import type { ServicesOf } from '@larder-dev/larder/kernel'
import { createHub } from './realtime/hub.ts'
import { createChangeFeed } from './services/change-feed.ts'
import { createConversations } from './services/conversation-service.ts'
import { createConversationStates } from './services/conversation-states.ts'
import { createConversationUpdates } from './services/conversation-updates.ts'
import { createInbox } from './services/inbox-service.ts'
import { createMessages } from './services/message-service.ts'
import { createNotices } from './services/notices.ts'
import { createParticipants } from './services/participant-service.ts'
import { createPosting } from './services/posting-service.ts'
import { createReadStates } from './services/read-state-service.ts'
import { createReminders } from './services/reminder-service.ts'
import { createStartConversation } from './services/start-conversation.ts'
import { createSupportDesk } from './services/support-desk.ts'
import { createSupportMails } from './services/support-mails.ts'

export const services = {
  changeFeed: createChangeFeed,
  conversations: createConversations,
  conversationStates: createConversationStates,
  conversationUpdates: createConversationUpdates,
  hub: createHub,
  inbox: createInbox,
  messages: createMessages,
  notices: createNotices,
  participants: createParticipants,
  posting: createPosting,
  readStates: createReadStates,
  reminders: createReminders,
  startConversation: createStartConversation,
  supportDesk: createSupportDesk,
  supportMails: createSupportMails,
}
export type MessagingServices = ServicesOf<typeof services>
