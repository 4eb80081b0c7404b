/** The registration that this service adds to modules, and its bus messages. */
import type { AnyTopic, TopicAccessChange } from 'larder/kernel'

/** Messages of one process in the order of their numbers. */
export interface MessageBatch {
  readonly node: string
  readonly messages: readonly BatchedMessage[]
}
/** `text` is JSON; null if the message is too large, so that subscribers read the current state instead. */
export type BatchedMessage = readonly [
  number: number,
  topic: string,
  tenantId: string,
  key: string,
  text: string | null,
]

declare module 'larder/kernel' {
  interface Registrations {
    /** Topics of the socket `/v1/realtime`, made with `topic`. */
    topics: readonly AnyTopic[]
  }
  interface Channels {
    'topics.messages': MessageBatch
    'topics.access': TopicAccessChange
  }
}
