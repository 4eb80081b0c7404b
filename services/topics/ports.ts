/** The port `topics`, the registration that this service adds to modules, and its bus messages. */
import type { AnyTopic, TopicChannel } from '@larder-dev/larder/kernel'

export interface Topics {
  /**
   * Publishes a message after the surrounding unit commits, or at once without one. Messages are plain JSON data. A
   * function that creates the message runs after the commit.
   */
  publish(topic: string, channel: TopicChannel, message: object | (() => object)): void
  /** Runs `authorize` again after the surrounding unit commits, for the subscriptions that match every field. */
  reauthorize(change: TopicAccessChange): void
}

/** Limits of this process. */
export interface RealtimeLimits {
  readonly socketsPerPerson: number
  readonly socketsPerWorkspace: number
  readonly subscriptionsPerPerson: number
  readonly subscriptionsPerWorkspace: number
}

export interface TopicAccessChange {
  readonly topic: string
  readonly tenantId: string
  readonly key?: string
  readonly userId?: string
}

/** Messages of one process in the order of their numbers. */
export interface MessageBatch {
  readonly node: string
  readonly messages: readonly BatchedMessage[]
}
/** A process that has just started asks the others for their recent messages. */
export interface HistoryRequest {
  readonly from: string
  readonly id: string
}
/** A part of the answer of one process. */
export interface HistoryPart extends LogSnapshot {
  readonly from: string
  /** ID of the request. */
  readonly to: string
  readonly isLast: boolean
}
/** The recent messages that a process has received. Times are in milliseconds since 1970. */
export interface LogSnapshot {
  /** No message that was received after this time is missing in a channel without messages. */
  readonly completeSince: number
  /** The last message of each process. */
  readonly heads: readonly (readonly [node: string, number: number, at: number])[]
  readonly channels: readonly (readonly [id: string, completeSince: number, messages: readonly SnapshotMessage[]])[]
}
type SnapshotMessage = readonly [node: string, number: number, at: number, text: string | null]

/** `text` is JSON; null if the message is too large, so that subscribers read the current state instead. */
export type BatchedMessage = readonly [
  number: number,
  topic: string,
  tenantId: string,
  key: string,
  text: string | null,
]

declare module '@larder-dev/larder/kernel' {
  interface Ports {
    topics: Topics
  }
  interface Settings {
    readonly realtimeLimits: RealtimeLimits
  }
  interface Registrations {
    /** Topics of the socket `/v1/realtime`, made with `topic`. */
    topics: readonly AnyTopic[]
  }
  interface Channels {
    'topics.messages': MessageBatch
    'topics.history_request': HistoryRequest
    'topics.history': HistoryPart
    'topics.access': TopicAccessChange
  }
}
