/** One clock for all sockets of a process: greetings, pings, lost places, credentials, and its own sign of life. */
import { type Deps, SECOND } from 'larder/kernel'
import { dismiss, fail, ping, say } from './delivery.ts'
import type { Filling } from './membership.ts'
import type { Registry } from './peer-registry.ts'
import type { Rooms } from './rooms.ts'
import type { Link } from './types.ts'
import { DEAD_AFTER, iceFor, PING_EVERY, RESUME_WINDOW } from './welcome.ts'

export interface TickerDeps extends Deps<'clock' | 'log' | 'iceServers'> {
  readonly rooms: Rooms
  readonly registry: Registry
  readonly filling: Filling
  readonly links: ReadonlySet<Link>
}
const TICK = SECOND
const BEAT_EVERY = 5 * SECOND
const HELLO_WITHIN = 5 * SECOND

export function createTicker({ rooms, registry, filling, links, iceServers, clock, log }: TickerDeps) {
  const logged = (work: Promise<unknown>, what: string) => void work.catch(error => log.warn({ err: error }, what))

  function look(link: Link, now: number) {
    if (!link.place && !link.waiting && now - link.openedAt >= HELLO_WITHIN)
      return fail(link, 'unauthenticated', { code: 'hello_timeout', message: 'No hello within 5 s.' })
    if (now - link.seenAt >= DEAD_AFTER)
      return dismiss(link, 'ping_timeout', { action: 'resume', reason: 'ping_timeout', retry_after_ms: 0 })
    if (now >= link.pingAt) {
      link.pingAt = now + PING_EVERY
      ping(link, now)
    }
    if (link.place && now >= link.place.iceAt) say(link, 'ice_servers', iceFor({ iceServers, clock }, link.place))
  }

  function tick(): void {
    const now = clock.now()
    for (const link of links) look(link, now)
    for (const place of rooms.places.values())
      if (!place.link && now - place.lostAt >= RESUME_WINDOW)
        logged(filling.leave(place), 'a lost place could not be given up')
  }

  return {
    start(): () => void {
      const ticks = setInterval(tick, TICK)
      const beats = setInterval(() => logged(registry.beat(), 'this process could not say that it lives'), BEAT_EVERY)
      return () => {
        clearInterval(ticks)
        clearInterval(beats)
      }
    },
  }
}
