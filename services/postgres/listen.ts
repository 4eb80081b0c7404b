/** LISTEN on a connection of its own that comes back by itself. */

import { setTimeout as pause } from 'node:timers/promises'
import { SECOND } from 'larder/kernel'
import pg from 'pg'
import type { Logger } from 'pino'
import { unavailable } from './errors.ts'

const FIRST_WAIT = 50
const LONGEST_WAIT = 2 * SECOND
/** A connection that a firewall has forgotten says nothing: ask it. */
const PING_EVERY = 15 * SECOND
const PING_TIMEOUT = 5 * SECOND

export interface Listening {
  /**
   * `onGap` runs when the connection is back after it was away: notifications may have been missed. Resolves once
   * the server listens, with the function that ends it.
   */
  listen(channel: string, onPayload: (payload: string) => void, onGap: () => void): Promise<() => Promise<void>>
  close(): Promise<void>
}

interface Ear {
  readonly channel: string
  readonly onPayload: (payload: string) => void
  readonly onGap: () => void
}

export function createListening(url: () => string, log: Logger): Listening {
  const ears = new Set<Ear>()
  let line: Promise<pg.Client> | undefined
  /** The line where it stands just now. */
  let live: pg.Client | undefined
  let closed = false
  const over = new AbortController()

  async function dial(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: url(),
      application_name: 'larder listen',
      keepAlive: true,
      connectionTimeoutMillis: PING_TIMEOUT,
    })
    let state: 'dialling' | 'live' | 'ended' = 'dialling'
    client.on('error', error => log.debug({ err: error }, 'the listening connection ended'))
    client.on('notification', ({ channel, payload = '' }) => {
      for (const ear of ears) if (ear.channel === channel) ear.onPayload(payload)
    })
    client.once('end', () => {
      if (live === client) live = undefined
      if (state === 'live' && !closed) hold(redial())
      state = 'ended'
    })
    await client.connect()
    for (const channel of new Set([...ears].map(ear => ear.channel))) await listenTo(client, channel)
    if (closed) await client.end()
    if (state !== 'dialling') throw new Error('the connection ended while it was being made')
    state = 'live'
    live = client
    const pings = setInterval(() => ping(client), PING_EVERY).unref()
    client.once('end', () => clearInterval(pings))
    return client
  }

  /** Whoever needs the line awaits it and sees why there is none; nobody may need it just now. */
  function hold(dialled: Promise<pg.Client>): void {
    line = dialled
    dialled.catch(() => {})
  }

  async function redial(): Promise<pg.Client> {
    for (let wait = FIRST_WAIT; ; wait = Math.min(2 * wait, LONGEST_WAIT)) {
      await pause(wait, undefined, { signal: over.signal })
      try {
        const client = await dial()
        for (const ear of ears) ear.onGap()
        return client
      } catch (error) {
        log.debug({ err: error }, 'cannot listen to the database yet')
      }
    }
  }

  async function hear(channel: string): Promise<void> {
    if (!line) hold(dial())
    const dialled = line
    try {
      await listenTo(await (dialled as Promise<pg.Client>), channel)
    } catch (error) {
      // A line that came back by itself listens to this channel already; one that never stood is dialled anew.
      if (line !== dialled) return hear(channel)
      line = undefined
      throw error
    }
  }

  return {
    async listen(channel, onPayload, onGap) {
      const ear = { channel, onPayload, onGap }
      ears.add(ear)
      try {
        await hear(channel)
      } catch (error) {
        ears.delete(ear)
        throw unavailable(error)
      }
      return async () => {
        ears.delete(ear)
        if (closed || [...ears].some(other => other.channel === channel)) return
        // One that is away comes back for the ears that are left: whoever stops does not wait for a database.
        await live
          ?.query(`unlisten ${pg.escapeIdentifier(channel)}`)
          .catch(error => log.debug({ err: error, channel }, 'the listening connection ended first'))
      }
    },
    async close() {
      closed = true
      over.abort()
      await line?.catch(() => undefined)
      await live?.end()
    },
  }
}

const listenTo = (client: pg.Client, channel: string) => client.query(`listen ${pg.escapeIdentifier(channel)}`)

async function ping(client: pg.Client): Promise<void> {
  const timer = setTimeout(() => destroy(client), PING_TIMEOUT)
  await client.query('select 1').catch(() => destroy(client))
  clearTimeout(timer)
}

/** `end` would wait for an answer that does not come. */
function destroy(client: pg.Client): void {
  ;(client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
}
