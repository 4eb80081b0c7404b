/** Checks the sockets of one server: hello timeout, pings, and the access of members. */
import {
  type Clock,
  type ClosingNotice,
  REALTIME_CLOSE_CODE,
  REALTIME_PING_INTERVAL_MS,
  type RealtimeServerOptions,
  SECOND,
  wording,
} from '@larder-dev/larder/kernel/internal'
import type { Logger } from 'pino'
import { isRevoked } from '../revocation.ts'
import type { ServerSocket } from './socket.ts'

const HELLO_TIMEOUT_MS = 5 * SECOND
/** A socket without frames for this time is closed. */
const PING_TIMEOUT_MS = 45 * SECOND
/** After a failed verification, for example without the database. */
const VERIFICATION_RETRY_MS = 5 * SECOND
const INTERNAL_ERROR = 1011

export interface ChecksDeps<C> {
  readonly options: RealtimeServerOptions<C>
  readonly sockets: ReadonlyMap<ServerSocket<C>, C>
  readonly clock: Clock
  readonly log: Logger
}

export function createChecks<C>({ options, sockets, clock, log }: ChecksDeps<C>) {
  function check(socket: ServerSocket<C>, now: number) {
    if (!socket.helloReceived && now - socket.openedAt >= HELLO_TIMEOUT_MS) {
      const error = {
        code: 'hello_timeout',
        message: wording('No hello within {seconds} s.', { seconds: HELLO_TIMEOUT_MS / SECOND }),
      }
      return socket.closeWithError(REALTIME_CLOSE_CODE.unauthenticated, error)
    }
    if (now - socket.seenAt >= PING_TIMEOUT_MS)
      return socket.closeWithNotice(
        REALTIME_CLOSE_CODE.ping_timeout,
        reconnectNotice(options, socket, 'ping_timeout', 0),
      )
    if (now >= socket.pingAt) {
      socket.pingAt = now + REALTIME_PING_INTERVAL_MS
      socket.ping()
    }
    if (now >= socket.verifyAt)
      void verify(socket).catch(error => log.warn({ err: error }, 'failed to verify the member of a socket'))
  }

  /** Verifies the member again. After a failure, the next attempt follows soon. */
  async function verify(socket: ServerSocket<C>): Promise<void> {
    const retryAt = clock.now() + VERIFICATION_RETRY_MS
    socket.verifyAt = retryAt
    if (!(await socket.verifyMember())) return
    try {
      await options.verified?.(socket.connection)
    } catch (error) {
      socket.verifyAt = retryAt
      throw error
    }
  }

  async function verifyEach(): Promise<void> {
    for (const socket of sockets.keys()) socket.revocations++
    const members = [...sockets.keys()].filter(({ member }) => member)
    // Sockets that this loop does not reach are verified by the next ticks.
    for (const socket of members) socket.verifyAt = Math.min(socket.verifyAt, clock.now())
    for (const socket of members) if (!socket.closed) await verify(socket)
  }

  /** Rights were revoked: a socket whose remaining rights can't be read is closed. */
  function verifyNow(socket: ServerSocket<C>): void {
    verify(socket).catch(error => {
      log.warn({ err: error }, 'failed to verify a socket after rights were revoked')
      socket.close(INTERNAL_ERROR, 'internal')
    })
  }

  return {
    tick(): void {
      const now = clock.now()
      for (const socket of sockets.keys()) check(socket, now)
    },
    /** Called when messages about revoked access may have been missed. */
    verifyAll(): void {
      verifyEach().catch(error => log.warn({ err: error }, 'failed to verify sockets after a gap on the bus'))
    },
    revoke(message: unknown): void {
      for (const socket of sockets.keys()) {
        const { member } = socket
        socket.revocations++
        if (
          !member ||
          !isRevoked(message, {
            ...member,
            principalId: member.principal.id,
            impersonatedBy: member.principal.impersonatedBy,
          })
        )
          continue
        if (options.onRevoked === 'verify') verifyNow(socket)
        else socket.closeWithNotice(REALTIME_CLOSE_CODE.revoked, { action: 'stop', reason: 'revoked' })
      }
    },
  }
}

export const reconnectNotice = <C>(
  options: RealtimeServerOptions<C>,
  { connection }: ServerSocket<C>,
  reason: string,
  retryAfterMs: number,
): ClosingNotice => ({ action: options.canResume?.(connection) ? 'resume' : 'reconnect', reason, retryAfterMs })
