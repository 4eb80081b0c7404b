/** Events, jobs and channels of messaging. It offers no ports: other modules use its events. */
import type { PayloadsOf } from '@larder-dev/larder/kernel'
import type { ConversationChange } from './domain/conversation-change.ts'
import type { events } from './events.ts'

declare module '@larder-dev/larder/kernel' {
  interface Events extends PayloadsOf<typeof events> {}
  interface Jobs {
    /** Reopens a snoozed conversation. */
    'messaging.reopen': { conversationId: string }
    /** Reminds participants of unread messages by email. */
    'messaging.remind': { conversationId: string }
  }
  interface Channels {
    'messaging.changes': readonly ConversationChange[]
  }
}
