/** Publishes messages to all processes over the bus, in batches: each bus message has a fixed cost. */
import { type Deps, newId, withContext } from '@larder-dev/larder/kernel'
import { MAX_MESSAGE_BYTES } from './limits.ts'
import type { BatchedMessage, TopicAccessChange, Topics } from './ports.ts'

/** The first message is sent immediately. Messages within this time after it are sent together. */
const BATCH_INTERVAL_MS = 10
/** Longer bus messages take a detour through a table. */
const MAX_BATCH_LENGTH = 5000

export interface TopicPublisher extends Topics {
  /** Sends the pending messages. */
  stop(): void
}

interface PendingMessage {
  readonly topic: string
  readonly tenantId: string
  readonly key: string
  readonly message: object | (() => object)
}

export function createTopicPublisher({ database, bus, log }: Deps<'database' | 'bus' | 'log'>): TopicPublisher {
  const node = newId('node').slice(-NODE_LENGTH)
  let number = 0
  let waiting: PendingMessage[] = []
  let timer: NodeJS.Timeout | undefined

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

  function flush(): void {
    timer = undefined
    if (waiting.length === 0) return
    const messages = waiting.map(encode).filter(message => message !== undefined)
    waiting = []
    timer = setTimeout(flush, BATCH_INTERVAL_MS)
    for (const batch of batches(messages)) bus.publish('topics.messages', { node, messages: batch })
  }

  function enqueue(message: PendingMessage): void {
    waiting.push(message)
    if (timer === undefined)
      withContext({ unit: undefined, precondition: undefined, beside: 0, share: undefined }, flush)
  }

  return {
    publish(topic, { tenantId, key }, message) {
      database.afterCommit(() => enqueue({ topic, tenantId, key, message }))
    },
    reauthorize(change: TopicAccessChange) {
      database.afterCommit(() => bus.publish('topics.access', change))
    },
    stop() {
      clearTimeout(timer)
      flush()
      clearTimeout(timer)
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
