/** Recent messages of one process, so that clients that reconnect receive what they missed. */
import { MAX_CHANNEL_MESSAGES, MAX_LOG_BYTES, MAX_SKEW_MS, RETENTION_MS } from './limits.ts'
import { encodePosition, type Position } from './position.ts'

/** One topic, tenant and key. `S` is a subscription. */
export interface Channel<S> {
  readonly id: string
  readonly subscriptions: Set<S>
  readonly messages: LoggedMessage<S>[]
  /** Process → its last message, the most recent process last. */
  readonly heads: Map<string, Head>
  /** No message that was received after this time is missing. */
  completeSince: number
  /** Empty until the first subscription. Messages between two epochs weren't published. */
  epoch: string
}
interface Head {
  readonly number: number
  readonly at: number
}
export interface LoggedMessage<S> {
  readonly channel: Channel<S>
  readonly node: string
  readonly number: number
  readonly at: number
  /** JSON; null for a message that no client can receive any more. */
  readonly text: string | null
  /** Memory that counts against the limit. */
  readonly bytes: number
}

export type KeptMessage<S> = LoggedMessage<S> & { readonly text: string }

const isKept = <S>(message: LoggedMessage<S>): message is KeptMessage<S> => message.text !== null

/** Approximate memory of a message without its text, and of a channel. Many small messages would exceed the limit. */
const MESSAGE_BYTES = 256
const CHANNEL_BYTES = 768

/** A process that was silent for longer has no messages in any log. */
const HEAD_RETENTION_MS = 2 * RETENTION_MS

export function createMessageLog<S>(now: () => number) {
  const channels = new Map<string, Channel<S>>()
  /** In the order of arrival. */
  const messages = new Set<LoggedMessage<S>>()
  let bytes = 0
  /** Of forgotten channels: no message that was received after this time is missing. */
  let completeSince = now()

  function remove(message: LoggedMessage<S>): void {
    const { channel } = message
    messages.delete(message)
    bytes -= message.bytes
    channel.messages.shift()
    channel.completeSince = message.at
    release(channel)
  }

  function release(channel: Channel<S>): void {
    if (channel.messages.length > 0 || channel.subscriptions.size > 0) return
    channels.delete(channel.id)
    completeSince = Math.max(completeSince, channel.completeSince)
  }

  function evict(): void {
    const oldest = now() - RETENTION_MS
    for (const message of messages) {
      if (message.at >= oldest && bytes <= MAX_LOG_BYTES) return
      remove(message)
    }
  }

  return {
    find: (id: string): Channel<S> | undefined => channels.get(id),
    open(id: string): Channel<S> {
      const channel = channels.get(id) ?? {
        id,
        subscriptions: new Set(),
        messages: [],
        heads: new Map(),
        completeSince,
        epoch: '',
      }
      channels.set(id, channel)
      return channel
    },
    all: (): Iterable<Channel<S>> => channels.values(),
    /** Forgets the channel if it has neither messages nor subscriptions. */
    release,
    append(channel: Channel<S>, node: string, number: number, text: string | null): void {
      const at = now()
      channel.heads.delete(node)
      channel.heads.set(node, { number, at })
      const ofChannel = channel.messages.length === 0 ? CHANNEL_BYTES : 0
      const message = { channel, node, number, at, text, bytes: MESSAGE_BYTES + ofChannel + (text?.length ?? 0) }
      channel.messages.push(message)
      messages.add(message)
      bytes += message.bytes
      if (channel.messages.length > MAX_CHANNEL_MESSAGES) remove(channel.messages[0] as LoggedMessage<S>)
      evict()
    },
    /** Messages may have been lost in any channel. */
    skipAll(): void {
      messages.clear()
      bytes = 0
      completeSince = now()
      for (const channel of [...channels.values()]) {
        channel.messages.length = 0
        channel.completeSince = completeSince
        release(channel)
      }
    },
    position(channel: Channel<S>): string {
      const at = now()
      const heads = [...channel.heads].filter(([, head]) => at - head.at < HEAD_RETENTION_MS)
      return encodePosition({
        at,
        epoch: channel.epoch,
        heads: new Map(heads.map(([node, { number }]) => [node, number])),
      })
    },
    /** Messages after the position; undefined if some may be missing. */
    after(channel: Channel<S>, { at, epoch, heads }: Position): readonly KeptMessage<S>[] | undefined {
      evict()
      const since = at - MAX_SKEW_MS
      if (epoch !== channel.epoch || channel.completeSince > since) return undefined
      const missed = channel.messages.filter(({ node, number, at: receivedAt }) => {
        const head = heads.get(node)
        return head === undefined ? receivedAt >= since : number > head
      })
      return missed.every(isKept) ? missed : undefined
    },
  }
}
export type MessageLog<S> = ReturnType<typeof createMessageLog<S>>
