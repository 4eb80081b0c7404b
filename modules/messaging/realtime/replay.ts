/** Replays missed changes page by page at the speed of the client, then switches to live delivery. */
import { updatedFrame } from '../services/conversation-updates.ts'
import { changedFrame, createdFrame, type History, NO_VERSION, type Page } from './history.ts'
import type { Rooms } from './rooms.ts'
import { CATCHING_UP, type Connection, type Member } from './types.ts'

/** Last state that the client received. Without a version, changes of older messages can't be replayed. */
export interface Seen {
  readonly seq: number
  readonly version: number | undefined
}

export function createReplay({ history, rooms }: { history: History; rooms: Rooms }) {
  /** Returns false if the socket has closed. */
  async function sendPage({ socket }: Connection, { created, changed }: Page): Promise<boolean> {
    for (const message of created) if (!(await socket.sendPaced(createdFrame(message)))) return false
    for (const message of changed) if (!(await socket.sendPaced(changedFrame(message)))) return false
    return true
  }

  /** Replays until nothing is missing. A former participant receives `conversation.left`. */
  async function catchUp(connection: Connection, { tenantId, userId }: Member, id: string, seen: Seen): Promise<void> {
    const isCatchingUp = () => !connection.socket.closed && connection.versions.get(id) === CATCHING_UP
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
      if (page.settled > settled && !(await connection.socket.sendPaced(updatedFrame(conversation)))) return
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
