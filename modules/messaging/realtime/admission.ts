/** Joins a socket to the conversations of its user: welcome, missed changes, unread counts. */
import { type Deps, REALTIME_PING_INTERVAL_MS, REALTIME_PROTOCOL_VERSION } from 'larder/kernel'
import type { Hello } from '../domain/frames.ts'
import type { ReadStateService } from '../services/read-state-service.ts'
import type { Followed } from './history.ts'
import { LIMITS } from './limits.ts'
import type { Replay, Seen } from './replay.ts'
import type { Rooms } from './rooms.ts'
import type { Member, SocketConnection } from './types.ts'

const INTERNAL_ERROR = 1011

export interface AdmissionDeps extends Deps<'log'> {
  readonly rooms: Rooms
  readonly replay: Replay
  readonly readStates: ReadStateService
}

export function createAdmission({ rooms, replay, readStates, log }: AdmissionDeps) {
  async function sendMissed(
    connection: SocketConnection,
    { tenantId, userId }: Member,
    behind: readonly Followed[],
    seen: ReadonlyMap<string, Seen>,
  ) {
    const { socket } = connection
    try {
      for (const { id, lastSeq: seq, version } of behind)
        await replay.catchUp(connection, { tenantId, userId }, id, seen.get(id) ?? { seq, version })
      if (!socket.closed) socket.sendFrame('unread', await readStates.totals(tenantId, userId))
    } catch (error) {
      log.warn({ err: error }, 'failed to replay missed changes to a socket')
      socket.close(INTERNAL_ERROR, 'internal')
    }
  }

  return {
    /** The replay of missed changes continues in the background. */
    async join(connection: SocketConnection, hello: Hello, id: string | undefined): Promise<void> {
      const { socket } = connection
      const member = await socket.authenticate(hello, id)
      if (!member) return
      const behind = await rooms.join(connection, member, conversation => hello.seen.has(conversation))
      const { tenantId, userId } = member
      const pingIntervalMs = REALTIME_PING_INTERVAL_MS
      const welcome = { protocol: REALTIME_PROTOCOL_VERSION, tenantId, userId, pingIntervalMs, limits: LIMITS }
      socket.sendFrame('welcome', welcome, id)
      void sendMissed(connection, member, behind, hello.seen)
    },

    /** Reads the conversations of the user again. New ones are sent from their current state on. */
    async refresh(connection: SocketConnection): Promise<void> {
      const { member } = connection.socket
      if (!member) return
      const behind = await rooms.join(connection, member, () => true)
      const seen = new Map(behind.map(({ id, lastSeq: seq }) => [id, { seq, version: undefined }]))
      await sendMissed(connection, member, behind, seen)
    },
  }
}
export type Admission = ReturnType<typeof createAdmission>
