/** The bus over Redis publish/subscribe, for all processes of one installation. Redis stores nothing. */

import { defineOperatorErrors, importOptional, newId, SECOND } from '@larder-dev/larder/kernel/internal'
import type { Redis } from 'ioredis'
import type { Logger } from 'pino'
import { type ClosableBus, createSubscribers } from './memory.ts'
import { createPresence, PRESENCE } from './presence.ts'
import { createDeduplicator, createSender } from './sender.ts'

/** Errors of the bus that the operator has to resolve. */
const operatorErrors = defineOperatorErrors({
  bus_redis_unreachable: [
    'The bus cannot connect to Redis at {server}: {reason}.',
    'Check REDIS_URL and that the server is running, or set BUS to postgres.',
  ],
})

export interface RedisBusOptions {
  readonly url: string
  /** Identifies the installation: several may share a Redis server. */
  readonly installation: string
  readonly log: Logger
  readonly signIntervalMs?: number
}
type Envelope = { readonly from: string } & (
  | { readonly count: number; readonly channel: string; readonly message: unknown }
  | { readonly gap: true }
)

/** The start of a process waits for the first attempt. */
const CONNECT_TIMEOUT_MS = 3 * SECOND
const MAX_RECONNECT_DELAY_MS = 2 * SECOND

/** Rejects if Redis is unreachable at the start. Later it reconnects automatically and notifies subscribers of the gap. */
export async function createRedisBus({
  url,
  installation,
  log,
  signIntervalMs,
}: RedisBusOptions): Promise<ClosableBus> {
  const subscribers = createSubscribers(log)
  const self = newId('node')
  const redisChannel = `larder:bus:${installation}`
  const [subscriber, publisher] = await Promise.all([connect(url, log), connect(url, log)])
  const sender = createSender<string>({
    send: async messages => {
      for (const message of messages) await publisher.publish(redisChannel, message)
    },
    gap: JSON.stringify({ from: self, gap: true } satisfies Envelope),
    log,
  })

  const isNew = createDeduplicator()
  let count = 0
  const publish = (channel: string, message: unknown) =>
    sender.push(JSON.stringify({ from: self, count: ++count, channel, message } satisfies Envelope))
  const presence = createPresence({
    self,
    send: sign => publish(PRESENCE, sign),
    onDeath: subscribers.notifyGap,
    log,
    intervalMs: signIntervalMs,
  })

  subscriber.on('message', (_, text) => {
    const envelope = JSON.parse(text) as Envelope
    if ('gap' in envelope) {
      if (envelope.from !== self) subscribers.notifyGap()
    } else if (envelope.channel === PRESENCE) presence.receive(envelope.from, envelope.message)
    else if (envelope.from === self) return
    else if (isNew(envelope.from, envelope.count)) subscribers.deliver(envelope.channel, envelope.message)
  })
  await subscriber.subscribe(redisChannel)
  subscriber.on('ready', () => {
    subscriber
      .subscribe(redisChannel)
      .then(subscribers.notifyGap, error => log.debug({ err: error }, 'Redis disconnected before the subscription'))
  })

  return {
    publish(channel, message) {
      subscribers.deliver(channel, message)
      publish(channel, message)
    },
    subscribe: subscribers.subscribe,
    notifyGap() {
      subscribers.notifyGap()
      sender.pushGap()
    },
    async close() {
      presence.close()
      await sender.close()
      for (const redis of [subscriber, publisher]) redis.disconnect()
    },
  }
}

async function connect(url: string, log: Logger): Promise<Redis> {
  const { Redis } = await importOptional('ioredis', () => import('ioredis'))
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: CONNECT_TIMEOUT_MS,
    // The sender retries messages. The ready handler above resubscribes, so that it can report the gap afterwards.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResubscribe: false,
    retryStrategy: tries => Math.min(50 * tries, MAX_RECONNECT_DELAY_MS),
  })
  let reason: unknown
  redis.on('error', error => {
    reason = error
    log.debug({ err: error }, 'the Redis connection ended')
  })
  try {
    await redis.connect()
    return redis
  } catch (error) {
    redis.disconnect()
    const cause = reason ?? error
    throw operatorErrors.bus_redis_unreachable(
      { server: new URL(url).host, reason: cause instanceof Error ? cause.message : String(cause) },
      { cause },
    )
  }
}
