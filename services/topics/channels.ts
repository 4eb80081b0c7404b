/** Delivers messages of the bus to the subscriptions of this process, and keeps them for clients that reconnect. */
import type { TopicChannel } from '@larder-dev/larder/kernel'
import type { Deliveries, Delivery } from './deliveries.ts'
import type { Channel, KeptMessage, MessageLog } from './message-log.ts'
import type { MessageBatch } from './ports.ts'
import { encodePosition, parsePosition } from './position.ts'
import type { ClientSubscription } from './subscription.ts'

export interface Attached {
  /** Where the client is before it receives `missed`. */
  readonly position: string
  /** Undefined if the client can't resume. */
  readonly missed: readonly KeptMessage<ClientSubscription>[] | undefined
}

const SLOW_CLIENT_INTERVAL_MS = 100
/** Returns the ID of the channel of one topic, tenant and key. */
export const channelId = (topic: string, { tenantId, key }: TopicChannel) => `${topic}\n${tenantId}\n${key}`

export function createChannels(log: MessageLog<ClientSubscription>, deliveries: Deliveries) {
  const behind = new Set<ClientSubscription>()
  let timer: NodeJS.Timeout | undefined

  const sendGap = (subscription: ClientSubscription) => subscription.gap(subscription.channel && log.position())

  /** Sends the gap of each slow client that has read its earlier frames. */
  function sendGaps(): void {
    timer = undefined
    for (const subscription of behind)
      if (subscription.closed || subscription.isReady()) {
        behind.delete(subscription)
        sendGap(subscription)
      }
    if (behind.size > 0) timer = setTimeout(sendGaps, SLOW_CLIENT_INTERVAL_MS)
  }

  function join(subscription: ClientSubscription): Channel<ClientSubscription> {
    const channel = log.open(channelId(subscription.topic.name, subscription.grant))
    subscription.channel = channel
    channel.subscriptions.add(subscription)
    return channel
  }

  function detach(subscription: ClientSubscription): void {
    behind.delete(subscription)
    const { channel } = subscription
    if (!channel) return
    subscription.channel = undefined
    channel.subscriptions.delete(subscription)
    log.release(channel)
  }

  function deliver(channel: Channel<ClientSubscription>, text: string): void {
    if (channel.subscriptions.size === 0) return
    deliveries.send(channel, deliveryOf(text, log.position()), channel.subscriptions)
  }

  return {
    receive({ node, messages }: MessageBatch): void {
      for (const [number, topic, tenantId, key, text] of messages) {
        const channel = log.open(channelId(topic, { tenantId, key }))
        log.append(channel, node, number, text)
        if (text !== null) deliver(channel, text)
        else for (const subscription of channel.subscriptions) sendGap(subscription)
      }
    },
    /** Messages may have been missed in any channel. */
    markGap(): void {
      log.clear()
      for (const channel of log.all()) for (const subscription of channel.subscriptions) sendGap(subscription)
    },
    /**
     * Adds the subscription to its channel. `lastPing` is the time until which the client has received all messages.
     */
    attach(subscription: ClientSubscription, lastPing: number): Attached {
      const channel = join(subscription)
      const after = subscription.after === undefined ? undefined : parsePosition(subscription.after)
      const missed =
        after && subscription.isReady() ? log.after(channel, { ...after, at: Math.max(after.at, lastPing) }) : undefined
      const position = missed?.length ? (subscription.after as string) : log.position()
      return { position, missed }
    },
    detach,
    /** Moves the subscription to the channel of its new grant, where the client continues after a gap. */
    move(subscription: ClientSubscription): void {
      detach(subscription)
      join(subscription)
      sendGap(subscription)
    },
    /** Each message has its own position, so that a client that disconnects meanwhile can resume there. */
    replay(subscription: ClientSubscription, { missed = [] }: Attached): void {
      const { channel } = subscription
      const start = parsePosition(subscription.after ?? '')
      const heads = new Map(start?.heads)
      for (const { node, number, text } of missed) {
        heads.delete(node)
        heads.set(node, number)
        const position = encodePosition({ at: start?.at ?? 0, heads })
        if (channel) deliveries.send(channel, deliveryOf(text, position), [subscription])
      }
    },
    isCurrent: ({ channel, topic }: ClientSubscription, grant: TopicChannel): boolean =>
      channel?.id === channelId(topic.name, grant),
    /** The client receives a gap once it has read its earlier frames. */
    addSlowClient(subscription: ClientSubscription): void {
      behind.add(subscription)
      timer ??= setTimeout(sendGaps, SLOW_CLIENT_INTERVAL_MS)
    },
    stop(): void {
      clearTimeout(timer)
    },
  }
}
export type Channels = ReturnType<typeof createChannels>

function deliveryOf(text: string, position: string): Delivery {
  let parsed: { readonly value: unknown } | undefined
  return {
    text,
    position,
    value() {
      parsed ??= { value: JSON.parse(text) }
      return parsed.value
    },
  }
}
