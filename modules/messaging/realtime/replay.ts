/** Replays missed changes page by page at the speed of the client, then switches to live delivery. */
import { setTimeout as wait } from 'node:timers/promises'
import { KIB } from 'larder/kernel'
import { updatedFrame } from '../services/conversation-updates.ts'
import { send } from './delivery.ts'
import { changedFrame, createdFrame, type History, NO_VERSION, type Page } from './history.ts'
import type { Rooms } from './rooms.ts'
import { CATCHING_UP, type Connection, type Identity } from './types.ts'

/** The replay pauses while more bytes are buffered. */
const HIGH_WATER_MARK_BYTES = 256 * KIB
const POLL_INTERVAL_MS = 10

/** Last state that the client received. Without a version, changes of older messages can't be replayed. */
export interface Seen {
  readonly seq: number
  readonly version: number | undefined
}

export function createReplay({ history, rooms }: { history: History; rooms: Rooms }) {
  /** Returns false once the connection is closed. */
  async function sendPaced(connection: Connection, frame: string): Promise<boolean> {
    while (!connection.closed && connection.socket.bufferedAmount > HIGH_WATER_MARK_BYTES) await wait(POLL_INTERVAL_MS)
    if (!connection.closed) send(connection, frame)
    return !connection.closed
  }

  async function sendPage(connection: Connection, { created, changed }: Page): Promise<boolean> {
    for (const message of created) if (!(await sendPaced(connection, createdFrame(message)))) return false
    for (const message of changed) if (!(await sendPaced(connection, changedFrame(message)))) return false
    return true
  }

  /** Replays until nothing is missing. A former participant receives `conversation.left`. */
  async function catchUp(
    connection: Connection,
    { tenantId, userId }: Identity,
    id: string,
    seen: Seen,
  ): Promise<void> {
    const isCatchingUp = () => !connection.closed && connection.versions.get(id) === CATCHING_UP
    let { seq } = seen
    let base = seq
    let version = seen.version ?? NO_VERSION
    let settled = seen.version ?? 0
    while (isCatchingUp()) {
      const page = await history.changesSince(tenantId, id, { seq, base, version })
      if (!page?.conversation.participantIds.includes(userId))
        return isCatchingUp() ? rooms.removeFromRoom(connection, id) : undefined
      if (!(await sendPage(connection, page))) return
      const { conversation } = page
      seq = page.created.at(-1)?.seq ?? seq
      version = page.changed.at(-1)?.version ?? version
      if (page.hasMore) continue
      if (page.settled > settled && !(await sendPaced(connection, updatedFrame(conversation)))) return
      settled = conversation.version
      version = conversation.version
      base = seq
      if (!isCatchingUp()) return
      // Live changes during the replay were not sent to this connection: read again from here.
      if ((rooms.rooms.get(id)?.version ?? 0) <= version) connection.versions.set(id, version)
    }
  }

  return { catchUp }
}
export type Replay = ReturnType<typeof createReplay>
