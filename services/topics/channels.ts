/** Delivers messages of the bus to the subscriptions of this process, and keeps them for clients that reconnect. */
import type { TopicChannel } from 'larder/kernel'
import { type Channel, createMessageLog, type KeptMessage } from './message-log.ts'
import type { MessageBatch } from './ports.ts'
import { encodePosition, parsePosition } from './position.ts'
import type { SubscribedChannels } from './subscribed-channels.ts'
import type { ClientSubscription, Delivery } from './subscription.ts'

export interface Attached {
  /** Where the client is before it receives `missed`. */
  readonly position: string
  /** Undefined if the client can't resume. */
  readonly missed: readonly KeptMessage<ClientSubscription>[] | undefined
}

const SLOW_CLIENT_INTERVAL_MS = 100
/** Of one topic, tenant and key, in the log and in the table of subscribed channels. */
export const channelId = (topic: string, { tenantId, key }: TopicChannel) => `${topic}\n${tenantId}\n${key}`

export function createChannels(
  now: () => number,
  { subscribe, renew }: Pick<SubscribedChannels, 'subscribe' | 'renew'>,
) {
  const log = createMessageLog<ClientSubscription>(now)
  const behind = new Set<ClientSubscription>()
  let timer: NodeJS.Timeout | undefined

  const sendGap = (subscription: ClientSubscription) =>
    subscription.gap(subscription.channel && log.position(subscription.channel))

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

  /** Messages of the earlier epoch may be missing. */
  function enter(channel: Channel<ClientSubscription>, epoch: string): void {
    if (channel.epoch === epoch) return
    channel.epoch = epoch
    for (const subscription of channel.subscriptions) sendGap(subscription)
  }

  function join(subscription: ClientSubscription, epoch: string): Channel<ClientSubscription> {
    const channel = log.open(channelId(subscription.topic.name, subscription.grant))
    enter(channel, epoch)
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
    const message = deliveryOf(text, log.position(channel))
    for (const subscription of channel.subscriptions) subscription.deliver(message)
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
    lose(): void {
      log.skipAll()
      for (const channel of log.all()) for (const subscription of channel.subscriptions) sendGap(subscription)
    },
    /** Returns the epoch of the channel once every process publishes its messages. */
    prepare: (topic: string, channel: TopicChannel): Promise<string> => subscribe(channelId(topic, channel)),
    /**
     * Adds the subscription to its channel, which `prepare` has prepared. `lastPing` is the time until which the client
     * has received all messages.
     */
    attach(subscription: ClientSubscription, epoch: string, lastPing: number): Attached {
      const channel = join(subscription, epoch)
      const after = subscription.after === undefined ? undefined : parsePosition(subscription.after)
      const missed =
        after && subscription.isReady() ? log.after(channel, { ...after, at: Math.max(after.at, lastPing) }) : undefined
      const position = missed?.length ? (subscription.after as string) : log.position(channel)
      return { position, missed }
    },
    detach,
    /** Moves the subscription to the prepared channel of its new grant, where the client continues after a gap. */
    move(subscription: ClientSubscription, epoch: string): void {
      detach(subscription)
      subscription.gap(log.position(join(subscription, epoch)))
    },
    /** Each message has its own position, so that a client that disconnects meanwhile can resume there. */
    replay(subscription: ClientSubscription, { missed = [] }: Attached): void {
      const start = parsePosition(subscription.after ?? '')
      const heads = new Map(start?.heads)
      for (const { node, number, text } of missed) {
        heads.delete(node)
        heads.set(node, number)
        subscription.deliver(deliveryOf(text, encodePosition({ at: start?.at ?? 0, epoch: start?.epoch ?? '', heads })))
      }
    },
    isCurrent: ({ channel, topic }: ClientSubscription, grant: TopicChannel): boolean =>
      channel?.id === channelId(topic.name, grant),
    fallBehind(subscription: ClientSubscription): void {
      behind.add(subscription)
      timer ??= setTimeout(sendGaps, SLOW_CLIENT_INTERVAL_MS)
    },
    /** So that every process keeps publishing the messages of channels with subscriptions. */
    async renew(): Promise<void> {
      const subscribed = [...log.all()].filter(({ subscriptions }) => subscriptions.size > 0)
      if (subscribed.length === 0) return
      for (const [id, epoch] of await renew(subscribed.map(({ id }) => id))) {
        const channel = log.find(id)
        if (channel) enter(channel, epoch)
      }
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
