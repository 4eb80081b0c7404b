/** The bus over publish and subscribe of Redis: every process of one installation. Nothing is kept there. */

import type { Redis } from 'ioredis'
import { newId, SECOND } from 'larder/kernel'
import type { Logger } from 'pino'
import { type ClosableBus, createSubscribers } from './memory.ts'
import { createDeduplicator, createSender } from './sender.ts'

export interface RedisBusOptions {
  readonly url: string
  /** One Redis may serve several installations: whose this one is. */
  readonly scope: string
  readonly log: Logger
}
type Envelope = { readonly from: string } & (
  | { readonly count: number; readonly channel: string; readonly message: unknown }
  | { readonly gap: true }
)

/** Whoever starts a process waits for the first try. */
const CONNECT_TIMEOUT_MS = 3 * SECOND
const MAX_RECONNECT_DELAY_MS = 2 * SECOND

/** Rejects where Redis cannot be reached at the start; later it comes back by itself, and every subscriber is told. */
export async function createRedisBus({ url, scope, log }: RedisBusOptions): Promise<ClosableBus> {
  const subscribers = createSubscribers(log)
  const self = newId('node')
  const redisChannel = `larder:bus:${scope}`
  const [subscriber, publisher] = await Promise.all([connect(url, log), connect(url, log)])
  const sender = createSender<string>({
    send: async line => {
      await publisher.publish(redisChannel, line)
    },
    gap: JSON.stringify({ from: self, gap: true } satisfies Envelope),
    log,
  })

  const isNew = createDeduplicator()
  let count = 0

  subscriber.on('message', (_, line) => {
    const envelope = JSON.parse(line) as Envelope
    if (envelope.from === self) return
    if ('gap' in envelope) subscribers.notifyGap()
    else if (isNew(envelope.from, envelope.count)) subscribers.deliver(envelope.channel, envelope.message)
  })
  await subscriber.subscribe(redisChannel)
  subscriber.on('ready', () => {
    subscriber
      .subscribe(redisChannel)
      .then(subscribers.notifyGap, error => log.debug({ err: error }, 'Redis went away again'))
  })

  return {
    publish(channel, message) {
      subscribers.deliver(channel, message)
      sender.push(JSON.stringify({ from: self, count: ++count, channel, message } satisfies Envelope))
    },
    subscribe: subscribers.subscribe,
    async close() {
      await sender.close()
      for (const redis of [subscriber, publisher]) redis.disconnect()
    },
  }
}

async function connect(url: string, log: Logger): Promise<Redis> {
  // Loaded where it is chosen.
  const { Redis } = await import('ioredis')
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: CONNECT_TIMEOUT_MS,
    // What cannot leave now is the sender's to try again; what was subscribed is ours, so that a gap is told after it.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResubscribe: false,
    retryStrategy: tries => Math.min(50 * tries, MAX_RECONNECT_DELAY_MS),
  })
  let reason: unknown
  redis.on('error', error => {
    reason = error
    log.debug({ err: error }, 'the connection to Redis ended')
  })
  try {
    await redis.connect()
    return redis
  } catch (error) {
    redis.disconnect()
    throw new Error('the bus cannot reach Redis', { cause: reason ?? error })
  }
}
