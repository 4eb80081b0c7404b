/** Assembles the realtime socket of this process. */
import type { CallersChanged, Deps } from 'larder/kernel'
import type { MessagingRealtime } from '../ports.ts'
import { createAdmission } from './admission.ts'
import { createAuthentication } from './authentication.ts'
import { createConnections } from './connections.ts'
import { closeWithNotice } from './delivery.ts'
import { createHeartbeat } from './heartbeat.ts'
import { createHistory } from './history.ts'
import { createReplay } from './replay.ts'
import { createRooms } from './rooms.ts'
import type { Connection } from './types.ts'

type HubDeps = Deps<'database' | 'bus' | 'clock' | 'log' | 'messaging' | 'authenticator' | 'access'>

export function createHub(deps: HubDeps): MessagingRealtime {
  const { database, bus, clock, log, messaging } = deps
  const { changeFeed, readStates } = messaging
  const connections = new Set<Connection>()
  const history = createHistory(database)
  const rooms = createRooms({ history, log })
  const replay = createReplay({ history, rooms })
  const admission = createAdmission({
    authentication: createAuthentication(deps),
    rooms,
    replay,
    readStates,
    clock,
    log,
  })
  const heartbeat = createHeartbeat({ rooms, history, admission, connections, clock, log })

  const resync = () => {
    heartbeat
      .resync()
      .catch(error => log.warn({ err: error }, 'failed to resynchronize sockets after a gap on the bus'))
  }
  function revoke(message: CallersChanged): void {
    for (const connection of connections)
      if (isAffected(message, connection)) closeWithNotice(connection, 'revoked', { action: 'stop', reason: 'revoked' })
  }

  let unsubscribe: (() => void)[] = []
  /** Runs on the first socket. A process without sockets does not listen. */
  function start(): void {
    if (unsubscribe.length > 0) return
    unsubscribe = [
      changeFeed.listen(
        change => (change.kind === 'change' ? rooms.handleChange(change) : rooms.sendTransient(change)),
        resync,
      ),
      bus.subscribe('sockets.close', message => revoke((message ?? {}) as CallersChanged)),
      heartbeat.start(),
    ]
  }

  return {
    ...createConnections({ connections, rooms, admission, changeFeed, start, clock }),
    stop() {
      for (const stop of unsubscribe) stop()
      changeFeed.stop()
    },
  }
}

function isAffected({ userId, tenantId, principalId }: CallersChanged, { identity }: Connection): boolean {
  if (!identity || (userId ?? tenantId ?? principalId) === undefined) return false
  return (
    (userId === undefined || userId === identity.userId) &&
    (tenantId === undefined || tenantId === identity.tenantId) &&
    (principalId === undefined || principalId === identity.principal.id)
  )
}
