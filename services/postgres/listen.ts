/** LISTEN on a connection of its own that comes back by itself. */

import { setTimeout as pause } from 'node:timers/promises'
import { SECOND } from 'larder/kernel'
import pg from 'pg'
import type { Logger } from 'pino'
import { unavailable } from './errors.ts'

const MIN_RECONNECT_DELAY_MS = 50
const MAX_RECONNECT_DELAY_MS = 2 * SECOND
/** A connection that a firewall has forgotten says nothing: ask it. */
const PING_INTERVAL_MS = 15 * SECOND
const PING_TIMEOUT_MS = 5 * SECOND

export interface NotificationListener {
  /**
   * `onGap` runs when the connection is back after it was away: notifications may have been missed. Resolves once
   * the server listens, with the function that ends it.
   */
  listen(channel: string, onPayload: (payload: string) => void, onGap: () => void): Promise<() => Promise<void>>
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
  /** The line where it stands just now. */
  let liveClient: pg.Client | undefined
  let closed = false
  const closing = new AbortController()

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: url(),
      application_name: 'larder listen',
      keepAlive: true,
      connectionTimeoutMillis: PING_TIMEOUT_MS,
    })
    let state: 'dialling' | 'live' | 'ended' = 'dialling'
    client.on('error', error => log.debug({ err: error }, 'the listening connection ended'))
    client.on('notification', ({ channel, payload = '' }) => {
      for (const ear of subscriptions) if (ear.channel === channel) ear.onPayload(payload)
    })
    client.once('end', () => {
      if (liveClient === client) liveClient = undefined
      if (state === 'live' && !closed) keep(reconnect())
      state = 'ended'
    })
    await client.connect()
    for (const channel of new Set([...subscriptions].map(ear => ear.channel))) await listenTo(client, channel)
    if (closed) await client.end()
    if (state !== 'dialling') throw new Error('the connection ended while it was being made')
    state = 'live'
    liveClient = client
    const pings = setInterval(() => ping(client), PING_INTERVAL_MS).unref()
    client.once('end', () => clearInterval(pings))
    return client
  }

  /** Whoever needs the line awaits it and sees why there is none; nobody may need it just now. */
  function keep(dialled: Promise<pg.Client>): void {
    connection = dialled
    dialled.catch(() => {})
  }

  async function reconnect(): Promise<pg.Client> {
    for (let wait = MIN_RECONNECT_DELAY_MS; ; wait = Math.min(2 * wait, MAX_RECONNECT_DELAY_MS)) {
      await pause(wait, undefined, { signal: closing.signal })
      try {
        const client = await connect()
        for (const ear of subscriptions) ear.onGap()
        return client
      } catch (error) {
        log.debug({ err: error }, 'cannot listen to the database yet')
      }
    }
  }

  async function ensureListening(channel: string): Promise<void> {
    if (!connection) keep(connect())
    const dialled = connection
    try {
      await listenTo(await (dialled as Promise<pg.Client>), channel)
    } catch (error) {
      // A line that came back by itself listens to this channel already; one that never stood is dialled anew.
      if (connection !== dialled) return ensureListening(channel)
      connection = undefined
      throw error
    }
  }

  return {
    async listen(channel, onPayload, onGap) {
      const ear = { channel, onPayload, onGap }
      subscriptions.add(ear)
      try {
        await ensureListening(channel)
      } catch (error) {
        subscriptions.delete(ear)
        throw unavailable(error)
      }
      return async () => {
        subscriptions.delete(ear)
        if (closed || [...subscriptions].some(other => other.channel === channel)) return
        // One that is away comes back for the ears that are left: whoever stops does not wait for a database.
        await liveClient
          ?.query(`unlisten ${pg.escapeIdentifier(channel)}`)
          .catch(error => log.debug({ err: error, channel }, 'the listening connection ended first'))
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

async function ping(client: pg.Client): Promise<void> {
  const timer = setTimeout(() => destroy(client), PING_TIMEOUT_MS)
  await client.query('select 1').catch(() => destroy(client))
  clearTimeout(timer)
}

/** `end` would wait for an answer that does not come. */
function destroy(client: pg.Client): void {
  ;(client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
}
