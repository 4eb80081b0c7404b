/** One subscription of a client: sends its messages, and skips them while the client reads too slowly. */
import type { AnyTopic, RealtimeSocket, TopicFeed, TopicGrant, TopicSubscriber, TopicSubscription } from 'larder/kernel'
import { HIGH_WATER_MARK_BYTES } from './limits.ts'
import type { Channel } from './message-log.ts'

/** Messages that wait for an asynchronous view. */
const MAX_PENDING_VIEWS = 1000

/** A message for all subscriptions of a channel. */
export interface Delivery {
  readonly text: string
  readonly position: string
  /** The parsed message. */
  value(): unknown
}

export interface SubscriptionHost {
  readonly socket: RealtimeSocket
  readonly subscriber: TopicSubscriber
  /** The client has missed messages and receives a gap once it has read earlier frames. */
  fellBehind(subscription: ClientSubscription): void
  failed(subscription: ClientSubscription, error: unknown): void
  ended(subscription: ClientSubscription): void
}

export interface SubscriptionRequest {
  readonly id: string
  readonly topic: AnyTopic
  readonly params: unknown
  readonly after: string | undefined
}

export class ClientSubscription implements TopicSubscription<unknown> {
  readonly id: string
  readonly topic: AnyTopic
  readonly params: unknown
  readonly after: string | undefined
  readonly #host: SubscriptionHost
  /** Start of a `message` frame. */
  readonly #head: string
  /** Frames of a feed that was opened before the client has its `subscribed`. */
  #early: string[] | undefined = []
  #views = Promise.resolve()
  #pendingViews = 0
  /** Counts gaps. A message that was published before a gap isn't sent after it: the client has read newer state. */
  #gaps = 0
  grant: TopicGrant<unknown>
  /** Set for published topics. */
  channel: Channel<ClientSubscription> | undefined
  /** Set for topics that deliver by themselves. */
  feed: TopicFeed<unknown> | undefined
  behind = false
  closed = false
  /** Counts the times at which the grant was requested again. */
  authorizations = 0

  constructor(host: SubscriptionHost, { id, topic, params, after }: SubscriptionRequest, grant: TopicGrant<unknown>) {
    this.#host = host
    this.id = id
    this.topic = topic
    this.params = params
    this.after = after
    this.grant = grant
    this.#head = `{"type":"message","data":{"subscription":${JSON.stringify(id)},"position":`
  }

  get subscriber(): TopicSubscriber {
    return this.#host.subscriber
  }

  /** Confirms the subscription. Frames of the feed follow. */
  confirm(data: { position: string | null; resumed: boolean }, frameId: string | undefined): void {
    this.#host.socket.sendFrame('subscribed', { subscription: this.id, ...data }, frameId)
    const early = this.#early ?? []
    this.#early = undefined
    for (const frame of early) this.#host.socket.send(frame)
  }

  send(json: string, position?: string): boolean {
    if (this.closed) return false
    const frame = this.#encode(json, position)
    if (!this.#early) return this.#host.socket.send(frame)
    this.#early.push(frame)
    return true
  }

  async sendPaced(json: string, position?: string): Promise<boolean> {
    if (this.closed || this.#early) return this.send(json, position)
    return (await this.#host.socket.sendPaced(this.#encode(json, position))) && !this.closed
  }

  gap(position: string | null = null): void {
    if (this.closed) return
    this.behind = false
    this.#gaps++
    this.#host.socket.sendFrame('gap', { subscription: this.id, position })
  }

  end(reason: string, frameId?: string): void {
    if (this.closed) return
    this.#host.ended(this)
    this.#host.socket.sendFrame('unsubscribed', { subscription: this.id, reason }, frameId)
  }

  /** Whether the client has read enough for more messages. */
  isReady(): boolean {
    return this.#host.socket.peer.bufferedAmount <= HIGH_WATER_MARK_BYTES
  }

  deliver(message: Delivery): void {
    if (this.behind) return
    if (!this.isReady() || this.#pendingViews >= MAX_PENDING_VIEWS) return void this.#fallBehind()
    if (!this.grant.view) return void this.send(message.text, message.position)
    const gaps = this.#gaps
    if (this.#pendingViews > 0) return void this.#defer(() => this.#view(message, gaps))
    try {
      const seen = this.#view(message, gaps)
      if (seen) this.#defer(() => seen)
    } catch (error) {
      this.#fail(error)
    }
  }

  #view(message: Delivery, gaps: number): Promise<void> | undefined {
    if (gaps !== this.#gaps) return undefined
    const seen = this.grant.view ? this.grant.view(message.value()) : message.value()
    if (seen instanceof Promise) return seen.then(value => this.#sendView(message, value, gaps))
    this.#sendView(message, seen, gaps)
    return undefined
  }

  #sendView(message: Delivery, seen: unknown, gaps: number): void {
    if (seen === undefined || gaps !== this.#gaps) return
    this.send(seen === message.value() ? message.text : JSON.stringify(seen), message.position)
  }

  /** Runs after earlier messages, so that messages stay in order. */
  #defer(run: () => Promise<void> | undefined): void {
    this.#pendingViews++
    this.#views = this.#views
      .then(run)
      .catch(error => this.#fail(error))
      .then(() => void this.#pendingViews--)
  }

  #fail(error: unknown): void {
    this.#host.failed(this, error)
    this.#fallBehind()
  }

  #fallBehind(): void {
    if (this.behind || this.closed) return
    // A client that disconnects before it can receive more must not resume from its last position.
    this.gap()
    this.behind = true
    this.#host.fellBehind(this)
  }

  #encode(json: string, position: string | undefined): string {
    return `${this.#head}${position === undefined ? 'null' : JSON.stringify(position)},"message":${json}}}`
  }
}
