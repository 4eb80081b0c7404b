/** Recent messages of one process, so that clients that reconnect receive what they missed. */
import { MAX_CHANNEL_MESSAGES, MAX_LOG_BYTES, MAX_SKEW_MS, RETENTION_MS } from './limits.ts'
import type { LogSnapshot } from './ports.ts'
import { encodePosition, type Position } from './position.ts'

/** One topic, tenant and key. `S` is a subscription. */
export interface Channel<S> {
  readonly id: string
  readonly subscriptions: Set<S>
  readonly messages: LoggedMessage<S>[]
  /** No message that was received after this time is missing. */
  completeSince: number
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
  let messages = new Set<LoggedMessage<S>>()
  let bytes = 0
  /** Process → its last message, the most recent process last. */
  const heads = new Map<string, Head>()
  /** Process → its first message since the log was empty. */
  const firsts = new Map<string, number>()
  /** Time at which the log was empty. */
  let emptyAt = now()
  /** No message that was received after this time is missing in a channel without messages. */
  let completeSince = emptyAt

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

  function open(id: string): Channel<S> {
    const channel = channels.get(id) ?? { id, subscriptions: new Set(), messages: [], completeSince }
    channels.set(id, channel)
    return channel
  }

  function setHead(node: string, head: Head): void {
    heads.delete(node)
    heads.set(node, head)
  }

  function messageOf(
    channel: Channel<S>,
    node: string,
    number: number,
    at: number,
    text: string | null,
  ): LoggedMessage<S> {
    const ofChannel = channel.messages.length === 0 ? CHANNEL_BYTES : 0
    return { channel, node, number, at, text, bytes: MESSAGE_BYTES + ofChannel + (text?.length ?? 0) }
  }

  return {
    find: (id: string): Channel<S> | undefined => channels.get(id),
    open,
    all: (): Iterable<Channel<S>> => channels.values(),
    /** Forgets the channel if it has neither messages nor subscriptions. */
    release,
    append(channel: Channel<S>, node: string, number: number, text: string | null): void {
      const at = now()
      setHead(node, { number, at })
      if (!firsts.has(node)) firsts.set(node, number)
      const message = messageOf(channel, node, number, at, text)
      channel.messages.push(message)
      messages.add(message)
      bytes += message.bytes
      if (channel.messages.length > MAX_CHANNEL_MESSAGES) remove(channel.messages[0] as LoggedMessage<S>)
      evict()
    },
    /** Messages may have been lost in any channel. */
    clear(): void {
      messages.clear()
      firsts.clear()
      bytes = 0
      emptyAt = now()
      completeSince = emptyAt
      for (const channel of [...channels.values()]) {
        channel.messages.length = 0
        channel.completeSince = completeSince
        release(channel)
      }
    },
    /** Returns the position of a client that has received every message of its channel. */
    position(): string {
      const at = now()
      for (const [node, head] of heads) if (at - head.at >= HEAD_RETENTION_MS) heads.delete(node)
      return encodePosition({ at, heads: new Map([...heads].map(([node, { number }]) => [node, number])) })
    },
    /** Messages after the position; undefined if some may be missing. */
    after(channel: Channel<S>, { at, heads: known }: Position): readonly KeptMessage<S>[] | undefined {
      evict()
      const since = at - MAX_SKEW_MS
      if (channel.completeSince > since) return undefined
      const missed = channel.messages.filter(({ node, number, at: receivedAt }) => {
        const head = known.get(node)
        return head === undefined ? receivedAt >= since : number > head
      })
      return missed.every(isKept) ? missed : undefined
    },
    completeSince: () => completeSince,
    /** What a process that has just started inherits. */
    snapshot(): LogSnapshot {
      evict()
      const kept = [...channels.values()].filter(channel => channel.messages.length > 0)
      return {
        completeSince,
        heads: [...heads].map(([node, { number, at }]) => [node, number, at]),
        channels: kept.map(channel => [
          channel.id,
          channel.completeSince,
          channel.messages.map(({ node, number, at, text }) => [node, number, at, text]),
        ]),
      }
    },
    /** Adds what another process received before this log was empty. Both received everything after that. */
    inherit(snapshot: LogSnapshot): void {
      const earlierSince = Math.min(emptyAt, snapshot.completeSince)
      if (completeSince === emptyAt) completeSince = earlierSince
      for (const channel of channels.values())
        if (channel.completeSince === emptyAt) channel.completeSince = earlierSince
      for (const [node, number, at] of snapshot.heads) if (!heads.has(node)) setHead(node, { number, at })
      const inherited: LoggedMessage<S>[] = []
      for (const [id, since, logged] of snapshot.channels) {
        const channel = open(id)
        // One of the processes has dropped messages since then, so earlier ones would leave a gap.
        if (since > emptyAt || channel.completeSince > emptyAt) continue
        channel.completeSince = since
        const later = channel.messages.splice(0)
        for (const [node, number, at, text] of logged)
          if (number < (firsts.get(node) ?? Number.POSITIVE_INFINITY))
            channel.messages.push(
              messageOf(channel, node, number, Math.max(at, channel.messages.at(-1)?.at ?? 0), text),
            )
        inherited.push(...channel.messages)
        channel.messages.push(...later)
      }
      messages = new Set([...inherited.sort((a, b) => a.at - b.at), ...messages])
      for (const message of inherited) bytes += message.bytes
      for (const channel of [...channels.values()]) {
        while (channel.messages.length > MAX_CHANNEL_MESSAGES) remove(channel.messages[0] as LoggedMessage<S>)
        release(channel)
      }
      evict()
    },
  }
}
export type MessageLog<S> = ReturnType<typeof createMessageLog<S>>
