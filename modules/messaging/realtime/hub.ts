/** The port `messagingRealtime`: every socket of this process, from hello to goodbye. */
import type { CallersChanged, Deps, SocketPeer, SocketSession } from 'larder/kernel'
import type { MessagingDeps } from '../services/messaging.ts'
import { createEntry } from './admission.ts'
import { createHistory } from './history.ts'
import { createLinks } from './connections.ts'
import { createPass } from './authentication.ts'
import { dismiss } from './delivery.ts'
import { createReplay } from './replay.ts'
import { createRooms } from './rooms.ts'
import { createTicker } from './heartbeat.ts'
import type { Link } from './types.ts'

export interface Realtime {
  open(peer: SocketPeer): SocketSession
  stop(): void
}

export function createHub(deps: MessagingDeps & Deps<'messaging'>): Realtime {
  const { database, bus, clock, log, messaging } = deps
  const { notices, reading } = messaging
  const links = new Set<Link>()
  const history = createHistory(database)
  const rooms = createRooms({ history, log })
  const replay = createReplay({ history, rooms })
  const entry = createEntry({ pass: createPass(deps), rooms, replay, reading, clock, log })
  const ticker = createTicker({ rooms, history, entry, links, clock, log })

  const resync = () => {
    ticker.resync().catch(error => log.warn({ err: error }, 'sockets could not be looked at again after a gap'))
  }
  function revoke(message: CallersChanged): void {
    for (const link of links)
      if (isMeant(message, link)) dismiss(link, 'revoked', { action: 'stop', reason: 'revoked' })
  }

  let stops: (() => void)[] = []
  /** At the first socket: a process without any takes no part. */
  function start(): void {
    if (stops.length > 0) return
    stops = [
      notices.listen(notice => (notice.kind === 'change' ? rooms.hear(notice) : rooms.pass(notice)), resync),
      bus.subscribe('sockets.close', message => revoke((message ?? {}) as CallersChanged)),
      ticker.start(),
    ]
  }

  return {
    ...createLinks({ links, rooms, entry, notices, start, clock }),
    stop() {
      for (const stop of stops) stop()
      notices.stop()
    },
  }
}

function isMeant({ userId, tenantId, principalId }: CallersChanged, { who }: Link): boolean {
  if (!who || (userId ?? tenantId ?? principalId) === undefined) return false
  return (
    (userId === undefined || userId === who.userId) &&
    (tenantId === undefined || tenantId === who.tenantId) &&
    (principalId === undefined || principalId === who.principal.id)
  )
}
