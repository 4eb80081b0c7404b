/** What a socket missed, page by page, no faster than it is read; then it hears of the conversation live. */

import { setTimeout as wait } from 'node:timers/promises'
import { KIB } from 'larder/kernel'
import { updatedFrame } from '../services/conversation-updates.ts'
import { alteredFrame, createdFrame, type History, NO_VERSION, type Page } from './history.ts'
import { send } from './delivery.ts'
import type { Rooms } from './rooms.ts'
import { HELD, type Link, type Who } from './types.ts'

/** Bytes that may wait to be sent before the replay waits too. */
const HIGH = 256 * KIB
/** Milliseconds between two looks at what waits. */
const LOOK_EVERY = 10

/** What the client has seen; without a version it cannot be told which older messages changed. */
export interface Seen {
  readonly seq: number
  readonly version: number | undefined
}

export function createReplay({ history, rooms }: { history: History; rooms: Rooms }) {
  /** False when the socket has gone. */
  async function tell(link: Link, frame: string): Promise<boolean> {
    while (!link.gone && link.peer.bufferedAmount > HIGH) await wait(LOOK_EVERY)
    if (!link.gone) send(link, frame)
    return !link.gone
  }

  async function tellPage(link: Link, { created, altered }: Page): Promise<boolean> {
    for (const message of created) if (!(await tell(link, createdFrame(message)))) return false
    for (const message of altered) if (!(await tell(link, alteredFrame(message)))) return false
    return true
  }

  /** Until nothing is missing; a conversation that it may not see any more is told so. */
  async function catchUp(link: Link, { tenantId, userId }: Who, id: string, seen: Seen): Promise<void> {
    const waits = () => !link.gone && link.at.get(id) === HELD
    let { seq } = seen
    let base = seq
    let version = seen.version ?? NO_VERSION
    let settled = seen.version ?? 0
    while (waits()) {
      const page = await history.since(tenantId, id, { seq, base, version })
      if (!page?.conversation.participantIds.includes(userId)) return waits() ? rooms.expel(link, id) : undefined
      if (!(await tellPage(link, page))) return
      const { conversation } = page
      seq = page.created.at(-1)?.seq ?? seq
      version = page.altered.at(-1)?.version ?? version
      if (page.more) continue
      if (page.settled > settled && !(await tell(link, updatedFrame(conversation)))) return
      settled = conversation.version
      version = conversation.version
      base = seq
      if (!waits()) return
      // What was told live while this one waited has passed it by: once more, from here.
      if ((rooms.rooms.get(id)?.version ?? 0) <= version) link.at.set(id, version)
    }
  }

  return { catchUp }
}
export type Replay = ReturnType<typeof createReplay>
