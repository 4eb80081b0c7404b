/** Replays missed changes page by page at the speed of the client, then switches to live delivery. */
import { updatedFrame } from '../services/conversation-updates.ts'
import { changedFrame, createdFrame, type History, NO_VERSION, type Page } from './history.ts'
import type { Rooms } from './rooms.ts'
import { CATCHING_UP, type Connection, type FeedPosition, type Member } from './types.ts'

/** Last state that the client received. Without a version, changes of older messages can't be replayed. */
export interface Seen {
  readonly seq: number
  readonly version: number | undefined
}

export function createReplay({ history, rooms }: { history: History; rooms: Rooms }) {
  /** `end` is the position after the last frame. Returns false if the socket has closed. */
  async function sendPage(
    { socket }: Connection,
    { created, changed }: Page,
    from: FeedPosition,
    end: FeedPosition | undefined,
  ): Promise<boolean> {
    const seq = created.at(-1)?.seq ?? from.seq
    const frames = [
      ...created.map(message => [createdFrame(message), { seq: message.seq, version: from.version }] as const),
      ...changed.map(message => [changedFrame(message), { seq, version: message.version }] as const),
    ]
    const last = frames.at(-1)
    for (const frame of frames) {
      const [text, position] = frame
      if (!(await socket.sendPaced(text, frame === last && end ? end : position))) return false
    }
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
      const { conversation } = page
      const from = { seq, version }
      seq = page.created.at(-1)?.seq ?? seq
      const position = { seq, version: conversation.version }
      const isComplete = !page.hasMore && page.settled <= settled
      if (!(await sendPage(connection, page, from, isComplete ? position : undefined))) return
      version = page.changed.at(-1)?.version ?? version
      if (page.hasMore) continue
      if (page.settled > settled && !(await connection.socket.sendPaced(updatedFrame(conversation), position))) return
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
