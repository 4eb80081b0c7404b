/** Replays missed changes page by page at the speed of the client, then switches to live delivery. */
import { updatedFrame } from '../services/conversation-updates.ts'
import { changedFrame, createdFrame, type History, type Page } from './history.ts'
import type { Rooms } from './rooms.ts'
import { CATCHING_UP, type Connection, type FeedPosition, type Member } from './types.ts'

export function createReplay({ history, rooms }: { history: History; rooms: Rooms }) {
  /** `end` is the position after the last frame. Resolves to false if the subscription has ended. */
  async function sendPage(
    { sink }: Connection,
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
      if (!(await sink.sendPaced(text, frame === last && end ? end : position))) return false
    }
    return true
  }

  /**
   * Replays until nothing is missing. A former participant receives `conversation.left`, and a new one also
   * `conversation.updated`.
   */
  async function catchUp(
    connection: Connection,
    { tenantId, userId }: Member,
    id: string,
    since: FeedPosition,
    isNew = false,
  ): Promise<void> {
    const isCatchingUp = () => !connection.sink.closed && connection.versions.get(id) === CATCHING_UP
    let { seq, version } = since
    let base = seq
    let settled = isNew ? 0 : version
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
      if (page.settled > settled && !(await connection.sink.sendPaced(updatedFrame(conversation), position))) return
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
