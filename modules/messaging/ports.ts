/** Ports, events, jobs and channels of messaging. */
import type { PayloadsOf } from '@larder-dev/larder/kernel'
import type { ConversationChange } from './domain/conversation-change.ts'
import type { events } from './events.ts'

/** A button of a message: posts `name=value` to a page of the product, which checks whether the reader may do that. */
export interface MessageButton {
  /** Path and query. */
  readonly path: string
  readonly name: string
  readonly value: string
  /** Translated by the files in `locales/`. */
  readonly title: string
}

/** What the product tells single members: one conversation of each. */
export interface MemberNotices {
  /** Posts a text to the notices of each of these members, in the surrounding unit. */
  send(tenantId: string, userIds: readonly string[], text: string, buttons?: readonly MessageButton[]): Promise<void>
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
