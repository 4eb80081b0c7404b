/** The conversations that sockets of this process follow: each change told once, in order, whatever the bus makes of it. */
import { SECOND } from 'larder/kernel'
import type { Logger } from 'pino'
import { frameOf } from '../domain/frames.ts'
import { updatedFrame } from '../services/conversation-updates.ts'
import type { Change, Passing } from '../services/change-feed.ts'
import { alteredFrame, createdFrame, type Followed, type History, type Page } from './history.ts'
import { send } from './delivery.ts'
import { HELD, type Link, type Room, type Who } from './types.ts'

/** Milliseconds that a change may be late before it is read from the database. */
const LATE = 25
/** Changes that may wait for one that comes before them. */
const MAX_PENDING = 1000

export interface RoomsDeps {
  readonly history: History
  readonly log: Logger
}

const keyOf = ({ tenantId, userId }: Pick<Who, 'tenantId' | 'userId'>) => `${tenantId} ${userId}`

export function createRooms({ history, log }: RoomsDeps) {
  const rooms = new Map<string, Room>()
  const people = new Map<string, Set<Link>>()
  /** Newest version told of conversations that nobody here follows, while sockets that may follow them are seated. */
  const unheard = new Map<string, number>()
  let seating = 0

  function open(tenantId: string, { id, version, lastSeq }: Followed): Room {
    const known = rooms.get(id)
    if (known) return known
    const links = new Set<Link>()
    const room: Room = { id, tenantId, version, lastSeq, links, pending: new Map(), healing: false, timer: undefined }
    rooms.set(id, room)
    return room
  }

  /** From now on it hears of the conversation what is newer than `version`. */
  function follow(link: Link, room: Room, version: number): void {
    room.links.add(link)
    link.at.set(room.id, version)
  }

  function unfollow(link: Link, id: string): void {
    link.at.delete(id)
    const room = rooms.get(id)
    if (!room) return
    room.links.delete(link)
    if (room.links.size > 0) return
    clearTimeout(room.timer)
    rooms.delete(id)
  }

  function expel(link: Link, id: string): void {
    unfollow(link, id)
    send(link, frameOf('conversation.left', { conversationId: id }, {}))
  }

  const linksOf = (tenantId: string, userIds: readonly string[]): Link[] =>
    userIds.flatMap(userId => [...(people.get(keyOf({ tenantId, userId })) ?? [])])

  /** Who takes part now, of those who are here. */
  function move(room: Room, version: number, joined: readonly string[], left: readonly string[]): void {
    for (const link of linksOf(room.tenantId, left)) if (link.at.has(room.id)) expel(link, room.id)
    for (const link of linksOf(room.tenantId, joined)) if (!link.at.has(room.id)) follow(link, room, version)
  }

  function deliver(room: Room, version: number, frames: readonly string[]): void {
    for (const link of room.links)
      if ((link.at.get(room.id) ?? 0) < version) for (const frame of frames) send(link, frame)
  }

  function advance(room: Room, version: number, lastSeq: number): void {
    room.version = version
    room.lastSeq = Math.max(room.lastSeq, lastSeq)
    for (const link of room.links) if ((link.at.get(room.id) ?? 0) < version) link.at.set(room.id, version)
  }

  function apply(room: Room, { version, lastSeq, frames, joined = [], left = [] }: Change): void {
    move(room, version - 1, joined, left)
    deliver(room, version, frames)
    advance(room, version, lastSeq)
  }

  /** What waited and is next now; what is still missing is read after a while. */
  function settle(room: Room): void {
    for (const version of [...room.pending.keys()]) if (version <= room.version) room.pending.delete(version)
    for (let next = room.pending.get(room.version + 1); next; next = room.pending.get(room.version + 1)) {
      room.pending.delete(next.version)
      apply(room, next)
    }
    if (room.pending.size > 0) later(room, LATE)
  }

  function later(room: Room, wait: number): void {
    room.timer ??= setTimeout(() => {
      room.timer = undefined
      if (room.pending.size > 0) void heal(room)
    }, wait)
  }

  function hear(change: Change): void {
    const { conversationId: id, version, lastSeq, joined = [] } = change
    if (!rooms.has(id) && linksOf(change.tenantId, joined).length > 0)
      open(change.tenantId, { id, version: version - 1, lastSeq })
    const room = rooms.get(id)
    if (!room && seating > 0) unheard.set(id, version)
    if (!room || version <= room.version) return
    if (room.pending.size < MAX_PENDING) room.pending.set(version, change)
    if (!room.healing) settle(room)
  }

  /** Reads what is newer than the room knows, and tells it. Changes that come meanwhile wait. */
  async function heal(room: Room): Promise<void> {
    if (room.healing || !rooms.has(room.id)) return
    room.healing = true
    try {
      const base = room.lastSeq
      for (let more = true, version = room.version; more; ) {
        const page = await history.since(room.tenantId, room.id, { seq: room.lastSeq, base, version })
        if (!page) return room.pending.clear()
        retell(room, page)
        version = page.altered.at(-1)?.version ?? version
        more = page.more
      }
    } catch (error) {
      log.warn({ err: error, conversationId: room.id }, 'a conversation could not be read again after a gap')
      later(room, SECOND)
    } finally {
      room.healing = false
      settle(room)
    }
  }

  function retell(room: Room, { conversation, settled, created, altered, more }: Page): void {
    const { participantIds } = conversation
    const isIn = ({ who }: Link) => who !== undefined && participantIds.includes(who.userId)
    const gone = [...room.links].filter(link => !isIn(link)).map(({ who }) => who?.userId ?? '')
    if (settled > room.version) move(room, room.version, participantIds, gone)
    for (const message of created) deliver(room, message.version, [createdFrame(message)])
    for (const message of altered) deliver(room, message.version, [alteredFrame(message)])
    room.lastSeq = created.at(-1)?.seq ?? room.lastSeq
    if (more) return
    if (settled > room.version) deliver(room, settled, [updatedFrame(conversation)])
    advance(room, conversation.version, conversation.lastSeq)
  }

  /** It follows these conversations, those in `held` not before they are caught up. Says which those are. */
  function seat(link: Link, who: Who, followed: readonly Followed[], held: (id: string) => boolean): Followed[] {
    const behind: Followed[] = []
    for (const conversation of followed) {
      const { id, version } = conversation
      if (link.at.has(id)) continue
      const room = open(who.tenantId, conversation)
      const waits = held(id) || room.version > version
      follow(link, room, waits ? HELD : version)
      if (waits) behind.push(conversation)
      if ((unheard.get(id) ?? 0) > room.version) void heal(room)
    }
    return behind
  }

  return {
    rooms,
    expel,
    hear,
    heal,
    /** Registers the socket, reads what it follows and seats it; what is told meanwhile is not lost. */
    async join(link: Link, who: Who, held: (id: string) => boolean): Promise<Followed[]> {
      const before = [...link.at.keys()]
      const key = keyOf(who)
      people.set(key, (people.get(key) ?? new Set()).add(link))
      seating++
      try {
        const followed = await history.followed(who)
        if (link.gone) return []
        const known = new Set(followed.map(({ id }) => id))
        for (const id of before) if (!known.has(id) && link.at.has(id)) expel(link, id)
        return seat(link, who, followed, held)
      } finally {
        seating--
        if (seating === 0) unheard.clear()
      }
    },
    pass({ conversationId, frame, except }: Passing): void {
      for (const link of rooms.get(conversationId)?.links ?? []) if (link.who?.userId !== except) send(link, frame)
    },
    leave(link: Link): void {
      for (const id of [...link.at.keys()]) unfollow(link, id)
      if (!link.who) return
      const links = people.get(keyOf(link.who))
      links?.delete(link)
      if (links?.size === 0) people.delete(keyOf(link.who))
    },
  }
}
export type Rooms = ReturnType<typeof createRooms>
