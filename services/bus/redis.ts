/** The bus over publish and subscribe of Redis: every process of one installation. Nothing is kept there. */

import type { Redis } from 'ioredis'
import { newId, SECOND } from 'larder/kernel'
import type { Logger } from 'pino'
import { type ClosableBus, createSubscribers } from './memory.ts'
import { createOnce, createSender } from './sender.ts'

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
const CONNECT_TIMEOUT = 3 * SECOND
const LONGEST_WAIT = 2 * SECOND

/** Rejects where Redis cannot be reached at the start; later it comes back by itself, and every subscriber is told. */
export async function createRedisBus({ url, scope, log }: RedisBusOptions): Promise<ClosableBus> {
  const subscribers = createSubscribers(log)
  const self = newId('node')
  const place = `larder:bus:${scope}`
  const [ear, mouth] = await Promise.all([dial(url, log), dial(url, log)])
  const sender = createSender<string>({
    send: async line => {
      await mouth.publish(place, line)
    },
    gap: JSON.stringify({ from: self, gap: true } satisfies Envelope),
    log,
  })

  const isNew = createOnce()
  let count = 0

  ear.on('message', (_, line) => {
    const envelope = JSON.parse(line) as Envelope
    if (envelope.from === self) return
    if ('gap' in envelope) subscribers.gap()
    else if (isNew(envelope.from, envelope.count)) subscribers.deliver(envelope.channel, envelope.message)
  })
  await ear.subscribe(place)
  ear.on('ready', () => {
    ear.subscribe(place).then(subscribers.gap, error => log.debug({ err: error }, 'Redis went away again'))
  })

  return {
    publish(channel, message) {
      subscribers.deliver(channel, message)
      sender.push(JSON.stringify({ from: self, count: ++count, channel, message } satisfies Envelope))
    },
    subscribe: subscribers.subscribe,
    async close() {
      await sender.close()
      for (const redis of [ear, mouth]) redis.disconnect()
    },
  }
}

async function dial(url: string, log: Logger): Promise<Redis> {
  // Loaded where it is chosen.
  const { Redis } = await import('ioredis')
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: CONNECT_TIMEOUT,
    // What cannot leave now is the sender's to try again; what was subscribed is ours, so that a gap is told after it.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResubscribe: false,
    retryStrategy: tries => Math.min(50 * tries, LONGEST_WAIT),
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
