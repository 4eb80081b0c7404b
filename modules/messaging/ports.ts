/** What messaging gives, tells and does later: types alone. */
import type { Messaging } from './services/messaging.ts'
import type { Realtime } from './realtime/hub.ts'
import type { Status } from './routes/schemas.ts'

interface MessageNotice {
  conversationId: string
  messageId: string
  senderId: string
}
interface ParticipantNotice {
  conversationId: string
  userId: string
}

declare module 'larder/kernel' {
  interface Ports {
    /** The services behind messaging's own routes and pages. */
    messaging: Messaging
    /** The sockets of this process. */
    messagingRealtime: Realtime
  }
  interface Events {
    'messaging.conversation.created': { conversationId: string; participantIds: string[] }
    'messaging.conversation.updated': {
      conversationId: string
      subject: string | null
      status: Status
      /** RFC 3339. */
      snoozedUntil: string | null
    }
    'messaging.participant.added': ParticipantNotice
    'messaging.participant.removed': ParticipantNotice
    'messaging.message.created': MessageNotice
    'messaging.message.updated': MessageNotice
    'messaging.message.deleted': MessageNotice
  }
  interface Jobs {
    /** The time of a snoozed conversation has come. */
    'messaging.reopen': { conversationId: string }
    /** Mails those who have not read for long. */
    'messaging.remind': { conversationId: string }
  }
}
