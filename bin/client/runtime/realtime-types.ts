import type { LarderError } from './errors.ts'

/** Topics of the product: name → types. */
export interface Topics {}
/** @internal */
export interface TopicTypes {
  readonly params: object
  readonly message: object
  /** What a client may send; `never` for topics that receive nothing. */
  readonly input: object
}

export interface SubscriptionHandlers {
  /**
   * The server delivers messages from now on: for the first time, or again after a disconnect. State that was read before
   * may lack earlier changes.
   */
  readonly onActive?: () => void
  /** Messages were missed, for example during a long disconnect. Read the current state again. */
  readonly onGap?: () => void
  /** The subscription has ended: it was refused, or access was revoked. */
  readonly onEnd?: (error: LarderError) => void
  /** Position of the last message that was handled. Without it, the subscription starts with the next message. */
  readonly after?: string
}

export interface Subscription<Input> {
  /** Position of the last message. */
  readonly position: string | undefined
  /** True while the server delivers messages. False during a disconnect. */
  readonly active: boolean
  /** Sends to the topic. Rejects with a `LarderError`, also during a disconnect. */
  send(input: Input): Promise<void>
  close(): void
}

export interface Realtime<All extends { readonly [Name in keyof All]: TopicTypes }> {
  /**
   * Calls `handle` for each message of a topic. The socket opens with the first subscription, reconnects by itself and
   * resumes every subscription after its last message.
   */
  subscribe<Name extends keyof All & string>(
    topic: Name,
    params: All[Name]['params'],
    handle: (message: All[Name]['message']) => void,
    handlers?: SubscriptionHandlers,
  ): Subscription<All[Name]['input']>
  /** Ends all subscriptions. */
  close(): void
}
