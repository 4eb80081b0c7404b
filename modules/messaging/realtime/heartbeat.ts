/** One clock for all sockets of a process: greetings, pings, credentials, and conversations that fell behind. */
import { type Deps, SECOND } from 'larder/kernel'
import { DEAD_AFTER, type Entry, PING_EVERY } from './admission.ts'
import type { History } from './history.ts'
import { dismiss, fail, say } from './delivery.ts'
import type { Rooms } from './rooms.ts'
import type { Link, Room } from './types.ts'

export interface TickerDeps extends Deps<'clock' | 'log'> {
  readonly rooms: Rooms
  readonly history: History
  readonly entry: Entry
  readonly links: ReadonlySet<Link>
}
const TICK = SECOND
const SWEEP_EVERY = 5 * SECOND
const HELLO_WITHIN = 5 * SECOND
/** Conversations that one statement asks for. */
const CHUNK = 1000

export function createTicker({ rooms, history, entry, links, clock, log }: TickerDeps) {
  const logged = (work: Promise<unknown>, what: string) => void work.catch(error => log.warn({ err: error }, what))

  function look(link: Link, now: number) {
    if (!link.greeted && now - link.openedAt >= HELLO_WITHIN)
      return fail(link, 'unauthenticated', { code: 'hello_timeout', message: 'No hello within 5 s.' })
    if (now - link.seenAt >= DEAD_AFTER)
      return dismiss(link, 'ping_timeout', { action: 'reconnect', reason: 'ping_timeout', retryAfterMs: 0 })
    if (now >= link.pingAt) {
      link.pingAt = now + PING_EVERY
      say(link, 'ping', { t: now })
    }
    if (link.who && now >= link.checkAt) logged(entry.check(link), 'a socket could not be looked at again')
  }

  /** A process that died between its commit and its message to the others told nobody: that shows here. */
  async function sweep(): Promise<void> {
    const byTenant = new Map<string, Room[]>()
    for (const room of rooms.rooms.values()) byTenant.set(room.tenantId, [...(byTenant.get(room.tenantId) ?? []), room])
    for (const [tenantId, all] of byTenant)
      for (let from = 0; from < all.length; from += CHUNK) {
        const ids = all.slice(from, from + CHUNK).map(({ id }) => id)
        for (const { id, version } of await history.versions(tenantId, ids)) {
          const room = rooms.rooms.get(id)
          if (room && version > room.version) await rooms.heal(room)
        }
      }
  }

  let sweeping = false
  async function sweepAlone(): Promise<void> {
    if (sweeping || rooms.rooms.size === 0) return
    sweeping = true
    await sweep().finally(() => {
      sweeping = false
    })
  }

  return {
    /** Messages may have been missed: everything is looked at again. */
    async resync(): Promise<void> {
      // Those that this does not come to are looked at by the ticks.
      for (const link of links) link.checkAt = Math.min(link.checkAt, clock.now())
      await sweep()
      for (const link of [...links]) await entry.check(link)
    },
    start(): () => void {
      const ticks = setInterval(() => {
        const now = clock.now()
        for (const link of links) look(link, now)
      }, TICK)
      const sweeps = setInterval(() => logged(sweepAlone(), 'conversations could not be looked at'), SWEEP_EVERY)
      return () => {
        clearInterval(ticks)
        clearInterval(sweeps)
      }
    },
  }
}
