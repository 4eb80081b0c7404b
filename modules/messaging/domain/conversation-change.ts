/** Changes of conversations, as processes tell them to each other. Types only. */

interface InConversation {
  readonly tenantId: string
  readonly conversationId: string
}
/** One version step of a conversation, with the frames for its subscriptions. */
export interface VersionedChange extends InConversation {
  readonly kind: 'change'
  readonly version: number
  /** Number of the newest message after the change. */
  readonly lastSeq: number
  /** Subscribers of the inbox receive changes of support conversations. */
  readonly isSupport: boolean
  readonly frames: readonly string[]
  /** User ids. */
  readonly joined?: readonly string[]
  readonly left?: readonly string[]
}
/** A frame that is not replayed: read states, typing. */
export interface TransientChange extends InConversation {
  readonly kind: 'transient'
  readonly frame: string
  /** A user who does not receive it. */
  readonly except?: string
}
export type ConversationChange = VersionedChange | TransientChange
