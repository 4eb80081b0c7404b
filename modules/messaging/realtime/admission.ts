/** Handles hello: welcome, missed changes, unread counts. Also rechecks authorization at intervals. */
import { type Deps, KIB, MINUTE, type Rate, SECOND } from 'larder/kernel'
import { type Hello, MAX_CONVERSATIONS } from '../domain/frames.ts'
import type { ReadStateService } from '../services/read-state-service.ts'
import { type Authentication, isRejection } from './authentication.ts'
import { closeWithError, sendConnectionFrame } from './delivery.ts'
import type { Followed } from './history.ts'
import type { Replay, Seen } from './replay.ts'
import type { Rooms } from './rooms.ts'
import type { Connection, Identity } from './types.ts'

export const PROTOCOL_VERSION = 1
export const PING_INTERVAL_MS = 20 * SECOND
export const PING_TIMEOUT_MS = 45 * SECOND
const RECHECK_INTERVAL_MS = 5 * MINUTE
const RECHECK_RETRY_MS = 5 * SECOND
export const MAX_FRAME_BYTES = 64 * KIB
export const MAX_BUFFER_BYTES = 1024 * KIB
/** Frames that one socket may send. */
export const FRAME_RATE: Rate = { perSecond: 10, burst: 50 }
const LIMITS = {
  frameBytes: MAX_FRAME_BYTES,
  bufferBytes: MAX_BUFFER_BYTES,
  framesPerSecond: FRAME_RATE.perSecond,
  burst: FRAME_RATE.burst,
  named: MAX_CONVERSATIONS,
}
const INTERNAL_ERROR = 1011

export interface AdmissionDeps extends Deps<'clock' | 'log'> {
  readonly authentication: Authentication
  readonly rooms: Rooms
  readonly replay: Replay
  readonly readStates: ReadStateService
}

export function createAdmission({ authentication, rooms, replay, readStates, clock, log }: AdmissionDeps) {
  async function sendMissed(
    connection: Connection,
    identity: Identity,
    behind: readonly Followed[],
    seen: ReadonlyMap<string, Seen>,
  ) {
    try {
      for (const { id, lastSeq: seq, version } of behind)
        await replay.catchUp(connection, identity, id, seen.get(id) ?? { seq, version })
      if (!connection.closed)
        sendConnectionFrame(connection, 'unread', await readStates.totals(identity.tenantId, identity.userId))
    } catch (error) {
      log.warn({ err: error }, 'failed to replay missed changes to a socket')
      connection.socket.close(INTERNAL_ERROR, 'internal')
    }
  }

  /** The replay of missed changes continues in the background. */
  async function join(connection: Connection, hello: Hello, id: string | undefined): Promise<void> {
    const identity = await authentication.authenticate(connection.socket, hello)
    if (connection.closed) return
    if (isRejection(identity))
      return closeWithError(
        connection,
        identity.code === 'unauthenticated' ? 'unauthenticated' : 'revoked',
        identity,
        id,
      )
    connection.socket.vouch()
    connection.identity = identity
    connection.recheckAt = nextRecheck(identity)
    const behind = await rooms.join(connection, identity, conversation => hello.seen.has(conversation))
    const { tenantId, userId } = identity
    sendConnectionFrame(
      connection,
      'welcome',
      { protocol: PROTOCOL_VERSION, tenantId, userId, pingIntervalMs: PING_INTERVAL_MS, limits: LIMITS },
      id,
    )
    void sendMissed(connection, identity, behind, hello.seen)
  }

  const nextRecheck = ({ principal: { expiresAt } }: Identity): number => {
    const regular = clock.now() + RECHECK_INTERVAL_MS
    return expiresAt === null ? regular : Math.min(regular, Math.max(Date.parse(expiresAt), clock.now() + SECOND))
  }

  /** Verifies credential, membership and conversations again. */
  async function check(connection: Connection): Promise<void> {
    const { identity } = connection
    if (!identity || connection.closed) return
    connection.recheckAt = clock.now() + RECHECK_RETRY_MS
    const current = await authentication.recheck(identity)
    if (connection.closed) return
    if (isRejection(current)) return closeWithError(connection, 'revoked', current)
    connection.identity = current
    const behind = await rooms.join(connection, identity, () => true)
    connection.recheckAt = nextRecheck(current)
    // The client receives new conversations from their current state on.
    await sendMissed(
      connection,
      identity,
      behind,
      new Map(behind.map(({ id, lastSeq: seq }) => [id, { seq, version: undefined }])),
    )
  }

  return { join, check }
}
export type Admission = ReturnType<typeof createAdmission>
