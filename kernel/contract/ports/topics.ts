/**
 * Topics of the socket `/v1/realtime`. A module declares them with `topic` under `topics`; clients subscribe to them with
 * parameters. Messages reach the subscribers of every process at most once, and those who missed some are notified.
 */
import type { Static, TSchema } from 'typebox'
import type { Allow } from '../route.ts'
import type { SocketMember } from './realtime.ts'

/** The client of a subscription. */
export interface TopicSubscriber {
  /** Undefined for anonymous clients. Verified again at intervals, and when rights are revoked. */
  readonly member: SocketMember | undefined
  /** The tenant of the member, or the one that an anonymous client names; the operator's by default. */
  readonly tenantId: string
}

/** Subscriptions with the same tenant and key receive the same messages. */
export interface TopicChannel {
  readonly tenantId: string
  readonly key: string
}

/** The channel of a subscription. */
export interface TopicGrant<Message> extends TopicChannel {
  /** Returns the part of a message that the subscriber may see, or undefined to skip it. Runs for each message. */
  readonly view?: (message: Message) => Message | undefined | Promise<Message | undefined>
  /**
   * Subscriptions to the channel with the same text see the same part of every message, so `view` runs once for all of
   * them.
   */
  readonly sharedView?: string
}

/** A subscription to a topic that delivers by itself; see `Topic.open`. */
export interface TopicSubscription<Params> {
  readonly subscriber: TopicSubscriber
  readonly params: Params
  /** Position of the last message that the client received; undefined for a new subscription. */
  readonly after: string | undefined
  readonly closed: boolean
  /** Sends the JSON of a message. Returns false if the client reads too slowly, which closes its socket with 4001. */
  send(json: string, position?: string): boolean
  /** Sends a message of a replay, once the client has read most earlier ones. Resolves to false if the socket has closed. */
  sendPaced(json: string, position?: string): Promise<boolean>
  /** Notifies the client that it has missed messages. */
  gap(): void
  /** Ends the subscription and notifies the client. */
  end(reason: string): void
}

export interface TopicFeed<Input> {
  /** True if every message after `TopicSubscription.after` follows. Otherwise, the client reads the current state. */
  readonly resumed: boolean
  readonly position?: string
  receive?(input: Input): void | Promise<void>
  /** The subscription was authorized again: messages may have been missed, for example by a gap of the bus. */
  refresh?(): void | Promise<void>
  /** The subscription has ended. */
  close(): void
}

/** The fields of `topic`. */
export interface Topic<Params extends TSchema, Message extends TSchema, Input extends TSchema> {
  /** `<module>.<name>`. */
  readonly name: string
  readonly summary: string
  /** `user` is any member of the tenant; `public` includes anonymous clients. */
  readonly allow: Allow
  readonly params: Params
  readonly message: Message
  /** Schema of what clients may send to `receive`. */
  readonly input?: Input
  /**
   * Returns the channel of these parameters. Returns undefined, or throws `not_found`, if the subscriber may not read it.
   * Runs again when rights may have changed, and the subscription ends if it no longer returns a channel.
   */
  authorize(
    subscriber: TopicSubscriber,
    params: Static<Params>,
  ): TopicGrant<Static<Message>> | undefined | Promise<TopicGrant<Static<Message>> | undefined>
  /** Opens topics with their own source and positions. Without it, subscribers receive what `topics.publish` publishes. */
  open?(subscription: TopicSubscription<Static<Params>>): Promise<TopicFeed<Static<Input>>>
}
/** A topic with its types erased. */
export type AnyTopic = Topic<TSchema, TSchema, TSchema>

/** Declares a topic of the socket `/v1/realtime`. */
export const topic = <const P extends TSchema, const M extends TSchema, const I extends TSchema = TSchema>(
  spec: Topic<P, M, I>,
): AnyTopic => spec as unknown as AnyTopic
