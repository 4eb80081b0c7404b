/** Ports, events, jobs and channels of messaging. */
import type { PayloadsOf } from '@larder-dev/larder/kernel'
import type { ConversationChange } from './domain/conversation-change.ts'
import type { events } from './events.ts'

/** What the product tells single members: one conversation of each. */
export interface MemberNotices {
  /** Posts a text to the notices of each of these members, in the surrounding unit. */
  send(tenantId: string, userIds: readonly string[], text: string): Promise<void>
}

declare module '@larder-dev/larder/kernel' {
  interface Ports {
    memberNotices: MemberNotices
  }
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
