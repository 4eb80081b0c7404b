/** One subscription of a client: sends its messages, and skips them while the client reads too slowly. */
import type {
  AnyTopic,
  RealtimeSocket,
  TopicFeed,
  TopicGrant,
  TopicSubscriber,
  TopicSubscription,
} from '@larder-dev/larder/kernel/internal'
import { HIGH_WATER_MARK_BYTES } from './limits.ts'
import type { Channel } from './message-log.ts'

export interface SubscriptionOwner {
  readonly socket: RealtimeSocket
  readonly subscriber: TopicSubscriber
  /** The client has missed messages and receives a gap once it has read earlier frames. */
  paused(subscription: ClientSubscription): void
  ended(subscription: ClientSubscription): void
}

export interface SubscriptionRequest {
  readonly id: string
  readonly topic: AnyTopic
  readonly params: unknown
  readonly after: string | undefined
  readonly release: () => void
}

export class ClientSubscription implements TopicSubscription<unknown> {
  readonly id: string
  readonly topic: AnyTopic
  readonly params: unknown
  readonly after: string | undefined
  readonly #owner: SubscriptionOwner
  /** Start of a `message` frame. */
  readonly #head: string
  /** Frames of a feed that was opened before the client has its `subscribed`. */
  #early: string[] | undefined = []
  /** Counts gaps. */
  gaps = 0
  grant: TopicGrant<unknown>
  /** Set for published topics. */
  channel: Channel<ClientSubscription> | undefined
  /** Set for topics that deliver by themselves. */
  feed: TopicFeed<unknown> | undefined
  isPaused = false
  closed = false
  /** Counts the times at which the grant was requested again. */
  authorizations = 0

  /** Ends the count of this subscription. */
  readonly release: () => void

  constructor(
    owner: SubscriptionOwner,
    { id, topic, params, after, release }: SubscriptionRequest,
    grant: TopicGrant<unknown>,
  ) {
    this.#owner = owner
    this.id = id
    this.topic = topic
    this.params = params
    this.after = after
    this.grant = grant
    this.release = release
    this.#head = `{"type":"message","data":{"subscription":${JSON.stringify(id)},"position":`
  }

  get subscriber(): TopicSubscriber {
    return this.#owner.subscriber
  }

  /** Confirms the subscription. Frames of the feed follow. */
  confirm(data: { position: string | null; resumed: boolean }, frameId: string | undefined): void {
    this.#owner.socket.sendFrame('subscribed', { subscription: this.id, ...data }, frameId)
    const early = this.#early ?? []
    this.#early = undefined
    for (const frame of early) this.#owner.socket.send(frame)
  }

  send(json: string, position?: string): boolean {
    if (this.closed) return false
    const frame = this.#encode(json, position)
    if (!this.#early) return this.#owner.socket.send(frame)
    this.#early.push(frame)
    return true
  }

  async sendPaced(json: string, position?: string): Promise<boolean> {
    if (this.closed || this.#early) return this.send(json, position)
    return (await this.#owner.socket.sendPaced(this.#encode(json, position))) && !this.closed
  }

  gap(position: string | null = null): void {
    if (this.closed) return
    this.isPaused = false
    this.gaps++
    this.#owner.socket.sendFrame('gap', { subscription: this.id, position })
  }

  end(reason: string, frameId?: string): void {
    if (this.closed) return
    this.#owner.ended(this)
    this.#owner.socket.sendFrame('unsubscribed', { subscription: this.id, reason }, frameId)
  }

  /** Whether the client has read enough for more messages. */
  isReady(): boolean {
    return this.#owner.socket.peer.bufferedAmount <= HIGH_WATER_MARK_BYTES
  }

  /** Sends a message, unless the client reads too slowly. `frames` has the encoded frames of other subscriptions. */
  deliver(frames: Map<string, Buffer>, json: string, position: string): void {
    if (this.closed || this.isPaused) return
    if (!this.isReady()) {
      this.pauseWithGap()
      return
    }
    const frame = frames.get(this.id) ?? Buffer.from(this.#encode(json, position))
    frames.set(this.id, frame)
    this.#owner.socket.send(frame)
  }

  /** Sends a gap now, and another one when the client can receive more. */
  pauseWithGap(): void {
    if (this.isPaused || this.closed) return
    // A client that disconnects before it can receive more must not resume from its last position.
    this.gap()
    this.isPaused = true
    this.#owner.paused(this)
  }

  #encode(json: string, position: string | undefined): string {
    return `${this.#head}${position === undefined ? 'null' : JSON.stringify(position)},"message":${json}}}`
  }
}
