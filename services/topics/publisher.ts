/** Publishes messages of channels with subscribers to all processes over the bus, in batches: each bus message has a fixed cost. */
import { setTimeout as pause } from 'node:timers/promises'
import { type Deps, newId, withContext } from 'larder/kernel'
import { channelId } from './channels.ts'
import { MAX_MESSAGE_BYTES } from './limits.ts'
import type { BatchedMessage, TopicAccessChange, Topics } from './ports.ts'
import type { SubscribedChannels } from './subscribed-channels.ts'

/** The first message is sent immediately. Messages within this time after it are sent together. */
const BATCH_INTERVAL_MS = 10
/** Longer bus messages take a detour through a table. */
const MAX_BATCH_LENGTH = 5000

export interface TopicPublisher extends Topics {
  /** Sends the pending messages. */
  stop(): void
}

export interface PublisherDeps extends Deps<'database' | 'bus' | 'log'> {
  readonly subscribedChannels: Pick<SubscribedChannels, 'find'>
}

interface PendingMessage {
  readonly channel: string
  readonly topic: string
  readonly tenantId: string
  readonly key: string
  readonly message: object | (() => object)
}

export function createTopicPublisher({ database, bus, log, subscribedChannels }: PublisherDeps): TopicPublisher {
  const node = newId('node').slice(-NODE_LENGTH)
  let number = 0
  let waiting: PendingMessage[] = []
  /** Taken from `waiting`, while their channels are looked up. */
  let current: PendingMessage[] = []
  let isRunning = false

  function encode({ topic, tenantId, key, message }: PendingMessage): BatchedMessage | undefined {
    try {
      const text = JSON.stringify(typeof message === 'function' ? (message as () => object)() : message)
      const isTooLarge = Buffer.byteLength(text) > MAX_MESSAGE_BYTES
      if (isTooLarge) log.warn({ topic, tenantId }, 'a message of a topic is too large and was sent as a gap')
      return [++number, topic, tenantId, key, isTooLarge ? null : text]
    } catch (error) {
      log.error({ err: error, topic, tenantId }, 'a message of a topic could not be created')
      return undefined
    }
  }

  function send(messages: readonly PendingMessage[]): void {
    const encoded = messages.map(encode).filter(message => message !== undefined)
    for (const batch of batches(encoded)) bus.publish('topics.messages', { node, messages: batch })
  }

  /** Sends messages in their order, so one lookup of channels ends before the next one begins. */
  async function run(): Promise<void> {
    while (waiting.length > 0) {
      current = waiting
      waiting = []
      const subscribed = await subscribedChannels.find(new Set(current.map(({ channel }) => channel)))
      send(current.filter(({ channel }) => subscribed.has(channel)))
      current = []
      await pause(BATCH_INTERVAL_MS)
    }
    isRunning = false
  }

  function enqueue(message: PendingMessage): void {
    waiting.push(message)
    if (isRunning) return
    isRunning = true
    void withContext({ unit: undefined, precondition: undefined }, run)
  }

  return {
    publish(topic, { tenantId, key }, message) {
      const pending = { channel: channelId(topic, { tenantId, key }), topic, tenantId, key, message }
      database.afterCommit(() => enqueue(pending))
    },
    reauthorize(change: TopicAccessChange) {
      database.afterCommit(() => bus.publish('topics.access', change))
    },
    stop() {
      const left = [...current, ...waiting]
      current = []
      waiting = []
      send(left)
    },
  }
}

/** Random characters at the end of an ID. They identify a process among those that have messages in a log. */
const NODE_LENGTH = 12

function* batches(messages: readonly BatchedMessage[]): Iterable<BatchedMessage[]> {
  let batch: BatchedMessage[] = []
  let length = 0
  for (const message of messages) {
    const size = message[TEXT]?.length ?? 0
    if (batch.length > 0 && length + size > MAX_BATCH_LENGTH) {
      yield batch
      batch = []
      length = 0
    }
    batch.push(message)
    length += size
  }
  if (batch.length > 0) yield batch
}
/** Index in a `BatchedMessage`. */
const TEXT = 4
