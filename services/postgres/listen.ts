/** LISTEN on a dedicated connection that reconnects automatically. */

import { setTimeout as pause } from 'node:timers/promises'
import { SECOND } from '@larder-dev/larder/kernel'
import pg from 'pg'
import type { Logger } from 'pino'
import { unavailable } from './errors.ts'
import type { Postgres } from './ports.ts'

const MIN_RECONNECT_DELAY_MS = 50
const MAX_RECONNECT_DELAY_MS = 2 * SECOND
/** Detects connections that a firewall dropped silently. */
const PING_INTERVAL_MS = 15 * SECOND
const RESPONSE_TIMEOUT_MS = 5 * SECOND

export interface NotificationListener extends Pick<Postgres, 'listen'> {
  close(): Promise<void>
}

interface Subscription {
  readonly channel: string
  readonly onPayload: (payload: string) => void
  readonly onGap: () => void
}

export function createNotificationListener(url: () => string, log: Logger): NotificationListener {
  const subscriptions = new Set<Subscription>()
  let connection: Promise<pg.Client> | undefined
  /** The current connection while it is open. */
  let liveClient: pg.Client | undefined
  let closed = false
  const closing = new AbortController()

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: url(),
      application_name: 'larder listen',
      keepAlive: true,
      connectionTimeoutMillis: RESPONSE_TIMEOUT_MS,
      query_timeout: RESPONSE_TIMEOUT_MS,
    })
    let state: 'connecting' | 'live' | 'ended' = 'connecting'
    client.on('error', error => log.debug({ err: error }, 'the notification connection ended'))
    client.on('notification', ({ channel, payload = '' }) => {
      for (const subscription of subscriptions) if (subscription.channel === channel) subscription.onPayload(payload)
    })
    client.once('end', () => {
      if (liveClient === client) liveClient = undefined
      if (state === 'live' && !closed) keep(reconnect())
      state = 'ended'
    })
    await client.connect()
    for (const channel of new Set([...subscriptions].map(subscription => subscription.channel)))
      await listenTo(client, channel)
    if (closed) await client.end()
    if (state !== 'connecting') throw new Error('the connection ended before it was established')
    state = 'live'
    liveClient = client
    const pings = setInterval(() => ping(client), PING_INTERVAL_MS).unref()
    client.once('end', () => clearInterval(pings))
    return client
  }

  /** Callers that need the connection await it and see its error; without callers, the error is ignored. */
  function keep(attempt: Promise<pg.Client>): void {
    connection = attempt
    attempt.catch(() => {})
  }

  async function reconnect(): Promise<pg.Client> {
    for (let wait = MIN_RECONNECT_DELAY_MS; ; wait = Math.min(2 * wait, MAX_RECONNECT_DELAY_MS)) {
      await pause(wait, undefined, { signal: closing.signal })
      try {
        const client = await connect()
        for (const { onGap } of subscriptions) onGap()
        return client
      } catch (error) {
        log.debug({ err: error }, 'cannot reconnect to listen for notifications')
      }
    }
  }

  async function ensureListening(channel: string): Promise<void> {
    if (!connection) keep(connect())
    const attempt = connection
    try {
      await listenTo(await (attempt as Promise<pg.Client>), channel)
    } catch (error) {
      // After a reconnection the channel is already subscribed; after a failed first attempt, the next call connects again.
      if (connection !== attempt) return ensureListening(channel)
      connection = undefined
      throw error
    }
  }

  return {
    async listen(channel, onPayload, onGap) {
      const subscription = { channel, onPayload, onGap }
      subscriptions.add(subscription)
      try {
        await ensureListening(channel)
      } catch (error) {
        subscriptions.delete(subscription)
        throw unavailable(error)
      }
      return async () => {
        subscriptions.delete(subscription)
        if (closed || [...subscriptions].some(other => other.channel === channel)) return
        // If the connection is down, the reconnection subscribes only to the remaining channels; no need to wait for it.
        await liveClient
          ?.query(`unlisten ${pg.escapeIdentifier(channel)}`)
          .catch(error => log.debug({ err: error, channel }, 'the notification connection ended before unlisten'))
      }
    },
    async close() {
      closed = true
      closing.abort()
      await connection?.catch(() => undefined)
      await liveClient?.end()
    },
  }
}

const listenTo = (client: pg.Client, channel: string) => client.query(`listen ${pg.escapeIdentifier(channel)}`)

/** Closes a connection that doesn't respond, so that it is opened again. */
const ping = (client: pg.Client) => client.query('select 1').catch(() => client.end())
