/** Ports, events, jobs and channels of messaging. */
import type { PageOf, PayloadsOf } from '@larder-dev/larder/kernel'
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

/** A message beside something that another module owns. */
export interface ChatMessage {
  /** `chm_…`. Later messages have greater IDs. */
  readonly id: string
  /** Null for an account without a name, or that was deleted. */
  readonly name: string | null
  /** Whether the sender wrote without an account, under a name of their choice. */
  readonly isGuest: boolean
  readonly byHost: boolean
  readonly body: string
  /** RFC 3339. */
  readonly createdAt: string
}
export interface NewChatMessage {
  readonly sender: { readonly userId: string } | { readonly name: string }
  /** Whether the sender runs what the chat belongs to. */
  readonly byHost: boolean
  readonly body: string
}

/**
 * Messages beside something that another module owns, such as a stream: `chat` is its ID. The caller has decided who may
 * read and write, and publishes changes on a topic of its own.
 */
export interface Chats {
  /** Newest first. */
  list(
    tenantId: string,
    chat: string,
    query: { readonly limit?: number | undefined; readonly cursor?: string | undefined },
  ): Promise<PageOf<ChatMessage>>
  post(tenantId: string, chat: string, message: NewChatMessage): Promise<ChatMessage>
  /** Deletes the message. Throws `not_found`. */
  remove(tenantId: string, chat: string, id: string): Promise<void>
}

declare module '@larder-dev/larder/kernel' {
  interface Ports {
    memberNotices: MemberNotices
    chats: Chats
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
