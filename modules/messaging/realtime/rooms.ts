/** Conversations followed by subscriptions of this process. Delivers each change once and in order, even if the bus does not. */
import { SECOND } from '@larder-dev/larder/kernel'
import type { Logger } from 'pino'
import type { TransientChange, VersionedChange } from '../domain/conversation-change.ts'
import { conversationFrame } from '../domain/frames.ts'
import { updatedFrame } from '../services/conversation-updates.ts'
import { changedFrame, createdFrame, type Followed, type History, type Page } from './history.ts'
import { CATCHING_UP, type Connection, type FeedPosition, type Member, type Room } from './types.ts'

/** A missing change is read from the database after this time. */
const GAP_TIMEOUT_MS = 25
/** Changes that may wait for a missing one. */
const MAX_PENDING_CHANGES = 1000

export interface RoomsDeps {
  readonly history: History
  readonly log: Logger
  /** Sends the changes since this position to a connection that follows with CATCHING_UP. */
  catchUp(connection: Connection, member: Member, id: string, since: FeedPosition): Promise<void>
}

const keyOf = ({ tenantId, userId }: Member) => `${tenantId} ${userId}`

export function createRooms({ history, log, catchUp }: RoomsDeps) {
  const rooms = new Map<string, Room>()
  const people = new Map<string, Set<Connection>>()
  /** Newest versions of unfollowed conversations, recorded while subscriptions that may follow them are joining. */
  const unfollowedVersions = new Map<string, number>()
  let joining = 0

  function open(tenantId: string, { id, version, lastSeq }: Followed): Room {
    const state = { connections: new Set<Connection>(), pending: new Map(), reloading: false, timer: undefined }
    const room: Room = rooms.get(id) ?? { id, tenantId, version, lastSeq, ...state }
    rooms.set(id, room)
    return room
  }

  /** The connection receives changes newer than `version`. */
  function follow(connection: Connection, room: Room, version: number): void {
    room.connections.add(connection)
    connection.versions.set(room.id, version)
  }

  function unfollow(connection: Connection, id: string): void {
    connection.versions.delete(id)
    const room = rooms.get(id)
    if (!room) return
    room.connections.delete(connection)
    if (room.connections.size > 0) return
    clearTimeout(room.timer)
    rooms.delete(id)
  }

  function removeFromRoom(connection: Connection, id: string): void {
    unfollow(connection, id)
    connection.sink.send(conversationFrame('conversation.left', { conversationId: id }, {}))
    connection.sink.left?.()
  }

  const connectionsOf = (tenantId: string, userIds: readonly string[]): Connection[] =>
    userIds.flatMap(userId => [...(people.get(keyOf({ tenantId, userId })) ?? [])])

  /** Applies changes of the participants to the local connections. */
  function updateMembership(room: Room, version: number, joined: readonly string[], left: readonly string[]): void {
    for (const connection of [...room.connections])
      if (left.includes(connection.sink.member?.userId ?? '')) removeFromRoom(connection, room.id)
    for (const connection of connectionsOf(room.tenantId, joined))
      if (!connection.versions.has(room.id)) follow(connection, room, version)
  }

  /** `position` is what a client has after these frames. */
  function deliver(room: Room, version: number, frames: readonly string[], position: FeedPosition): void {
    for (const connection of room.connections)
      if ((connection.versions.get(room.id) ?? 0) < version)
        for (const frame of frames) connection.sink.send(frame, position)
  }

  function advance(room: Room, version: number, lastSeq: number): void {
    room.version = version
    room.lastSeq = Math.max(room.lastSeq, lastSeq)
    for (const connection of room.connections)
      if ((connection.versions.get(room.id) ?? 0) < version) connection.versions.set(room.id, version)
  }

  function apply(room: Room, { version, lastSeq, frames, joined = [], left = [] }: VersionedChange): void {
    updateMembership(room, version - 1, joined, left)
    deliver(room, version, frames, { seq: Math.max(room.lastSeq, lastSeq), version })
    advance(room, version, lastSeq)
  }

  /** The room has read this change from the database, for another connection: those who joined by it don't follow yet. */
  function followLate(room: Room, { version, lastSeq: seq, joined = [] }: VersionedChange): void {
    for (const connection of connectionsOf(room.tenantId, joined)) {
      const { member } = connection.sink
      if (!member || connection.versions.has(room.id)) continue
      follow(connection, room, CATCHING_UP)
      const warn = (err: unknown) => log.warn({ err, conversationId: room.id }, 'failed to catch up a new participant')
      catchUp(connection, member, room.id, { seq, version: version - 1 }).catch(warn)
    }
  }

  /** Applies pending changes in order. Schedules a read if one is still missing. */
  function applyPending(room: Room): void {
    for (const version of [...room.pending.keys()]) if (version <= room.version) room.pending.delete(version)
    for (let next = room.pending.get(room.version + 1); next; next = room.pending.get(room.version + 1)) {
      room.pending.delete(next.version)
      apply(room, next)
    }
    if (room.pending.size > 0) scheduleReload(room, GAP_TIMEOUT_MS)
  }

  function scheduleReload(room: Room, wait: number): void {
    room.timer ??= setTimeout(() => {
      room.timer = undefined
      if (room.pending.size > 0) void reload(room)
    }, wait)
  }

  function handleChange(change: VersionedChange): void {
    const { conversationId: id, version, lastSeq, joined = [] } = change
    if (!rooms.has(id) && connectionsOf(change.tenantId, joined).length > 0)
      open(change.tenantId, { id, version: version - 1, lastSeq })
    const room = rooms.get(id)
    if (!room && joining > 0) unfollowedVersions.set(id, version)
    if (!room) return
    if (version <= room.version) return void followLate(room, change)
    if (room.pending.size < MAX_PENDING_CHANGES) room.pending.set(version, change)
    if (!room.reloading) applyPending(room)
  }

  /** Reads newer changes from the database and delivers them. Changes that arrive meanwhile are queued. */
  async function reload(room: Room): Promise<void> {
    if (room.reloading || !rooms.has(room.id)) return
    room.reloading = true
    try {
      const base = room.lastSeq
      for (let hasMore = true, version = room.version; hasMore; ) {
        const page = await history.changesSince(room.tenantId, room.id, { seq: room.lastSeq, base, version })
        if (!page) return room.pending.clear()
        deliverPage(room, page)
        version = page.changed.at(-1)?.version ?? version
        hasMore = page.hasMore
      }
    } catch (error) {
      log.warn({ err: error, conversationId: room.id }, 'failed to reload a conversation after a gap on the bus')
      scheduleReload(room, SECOND)
    } finally {
      room.reloading = false
      applyPending(room)
    }
  }

  function deliverPage(room: Room, { conversation, settled, created, changed, hasMore }: Page): void {
    const { participantIds } = conversation
    const former = [...room.connections]
      .map(({ sink }) => sink.member?.userId ?? '')
      .filter(userId => !participantIds.includes(userId))
    if (settled > room.version) updateMembership(room, room.version, participantIds, former)
    const { version } = room
    for (const message of created) deliver(room, message.version, [createdFrame(message)], { ...message, version })
    room.lastSeq = created.at(-1)?.seq ?? room.lastSeq
    const seq = room.lastSeq
    for (const message of changed)
      deliver(room, message.version, [changedFrame(message)], { seq, version: message.version })
    if (hasMore) return
    if (settled > room.version)
      deliver(room, settled, [updatedFrame(conversation)], { seq, version: conversation.version })
    advance(room, conversation.version, conversation.lastSeq)
  }

  /** Follows the conversations. Returns those that must be caught up first: new ones and those selected by `held`. */
  function followAll(
    connection: Connection,
    member: Member,
    followed: readonly Followed[],
    held: (id: string) => boolean,
  ): Followed[] {
    const behind: Followed[] = []
    for (const conversation of followed) {
      const { id, version } = conversation
      if (connection.versions.has(id)) continue
      const room = open(member.tenantId, conversation)
      const mustCatchUp = held(id) || room.version > version
      follow(connection, room, mustCatchUp ? CATCHING_UP : version)
      if (mustCatchUp) behind.push(conversation)
      if ((unfollowedVersions.get(id) ?? 0) > room.version) void reload(room)
    }
    return behind
  }

  /** Reads conversations and follows them, without missing concurrent changes. */
  async function followFrom(
    connection: Connection,
    member: Member,
    read: () => Promise<readonly Followed[]>,
    held: (id: string) => boolean,
  ): Promise<{ followed: readonly Followed[]; behind: readonly Followed[] }> {
    joining++
    try {
      const followed = await read()
      if (connection.sink.closed) return { followed, behind: [] }
      return { followed, behind: followAll(connection, member, followed, held) }
    } finally {
      joining--
      if (joining === 0) unfollowedVersions.clear()
    }
  }

  return {
    rooms,
    removeFromRoom,
    handleChange,
    reload,
    /** Registers the connection and follows all conversations of the member. Returns those to catch up. */
    async join(connection: Connection, member: Member, held: (id: string) => boolean): Promise<readonly Followed[]> {
      const before = [...connection.versions.keys()]
      const key = keyOf(member)
      people.set(key, (people.get(key) ?? new Set()).add(connection))
      const { followed, behind } = await followFrom(connection, member, () => history.followed(member), held)
      if (connection.sink.closed) return []
      const known = new Set(followed.map(({ id }) => id))
      for (const id of before) if (!known.has(id) && connection.versions.has(id)) removeFromRoom(connection, id)
      return behind
    },
    /** Follows one conversation. Undefined if the member does not participate. */
    async joinOne(
      connection: Connection,
      member: Member,
      id: string,
      mustCatchUp: boolean,
    ): Promise<Followed | undefined> {
      const read = async () => (await history.followed(member, id)).slice(0, 1)
      return (await followFrom(connection, member, read, () => mustCatchUp)).followed[0]
    },
    sendTransient({ conversationId, frame, except }: TransientChange): void {
      for (const connection of rooms.get(conversationId)?.connections ?? [])
        if (connection.sink.member?.userId !== except) connection.sink.send(frame)
    },
    leave(connection: Connection): void {
      for (const id of [...connection.versions.keys()]) unfollow(connection, id)
      const { member } = connection.sink
      if (!member) return
      const connections = people.get(keyOf(member))
      connections?.delete(connection)
      if (connections?.size === 0) people.delete(keyOf(member))
    },
  }
}
export type Rooms = ReturnType<typeof createRooms>
