/** Creates, lists, updates and snoozes conversations. */
import { common, type Deps, decodeCursor, newId, type PageOf, pageLimit, toPage, type Unit } from 'larder/kernel'
import type { Status } from '../domain/conversation-status.ts'
import { applyPatch } from '../domain/conversation-status.ts'
import { invalidField, problems } from '../problems.ts'
import type { Conversation, ConversationPatch, NewConversation } from '../routes/conversation-schemas.ts'
import {
  findConversation,
  type LockedConversation,
  lockConversation,
  SHARED_COLUMNS,
  UNREAD_COUNT,
} from './conversation-queries.ts'
import type { ConversationUpdates } from './conversation-updates.ts'

export interface ConversationQuery {
  readonly limit?: number
  readonly cursor?: string | undefined
  readonly status?: Status | undefined
}
type Needs = Deps<'database' | 'clock' | 'events' | 'jobs' | 'people'>

export interface ConversationService {
  /** The creator becomes a participant. */
  create(tenantId: string, conversation: NewConversation, userId: string): Promise<Conversation>
  /** Conversations of the user, most recently active first. */
  list(tenantId: string, userId: string, query: ConversationQuery): Promise<PageOf<Conversation>>
  /** Throws `not_found`, also if the user is not a participant. */
  get(tenantId: string, id: string, userId: string): Promise<Conversation>
  /** Changes the conversation for all participants. A patch without effect publishes no event. */
  update(tenantId: string, id: string, patch: ConversationPatch, userId: string): Promise<Conversation>
  /** Reopens a conversation whose snooze time has passed. Has no effect if it was changed meanwhile. */
  reopen(tenantId: string, id: string): Promise<void>
  /** Throws 422 for the first user who is not a member of the tenant. `*` in the pointer becomes its index. */
  assertMembers(tenantId: string, userIds: readonly string[], pointer: string): Promise<void>
}

export function createConversations(
  { database, clock, events, jobs, people }: Needs,
  { updates, maxParticipants }: { updates: ConversationUpdates; maxParticipants: number },
): ConversationService {
  async function assertMembers(tenantId: string, userIds: readonly string[], pointer: string): Promise<void> {
    const known = new Set((await people.members(tenantId, userIds)).map(({ userId }) => userId))
    const nonMember = userIds.findIndex(userId => !known.has(userId))
    if (nonMember >= 0)
      throw invalidField(pointer.replace('*', String(nonMember)), 'not_a_member', "isn't a member of this workspace")
  }

  async function create(tenantId: string, { subject = null, participantIds }: NewConversation, userId: string) {
    const userIds = [...new Set([userId, ...participantIds])]
    if (userIds.length > maxParticipants) throw problems.too_many_participants({ limit: maxParticipants })
    const id = newId('cnv', clock.now())
    const now = new Date(clock.now())
    return database.tenant(tenantId).transaction(async unit => {
      await assertMembers(tenantId, participantIds, '/participantIds/*')
      const inserted = unit.batch([
        [
          `insert into messaging_conversations (tenant_id, id, subject, active_at, created_by, created_at, updated_at)
           values ($1, $2, $3, $4, $5, $4, $4)`,
          [tenantId, id, subject, now, userId],
        ],
        [
          `insert into messaging_participants (tenant_id, conversation_id, user_id, last_read_seq, joined_at)
           select $1, $2, unnest($3::text[]), 0, $4`,
          [tenantId, id, userIds, now],
        ],
      ])
      const payload = { conversationId: id, participantIds: userIds }
      const [conversation] = await Promise.all([
        updates.publish(unit, tenantId, id, { joined: userIds }),
        inserted,
        events.publish('messaging.conversation.created', { tenantId, subject: id, payload }),
      ])
      return { ...conversation, lastReadSeq: 0, unread: 0 }
    })
  }

  async function list(tenantId: string, userId: string, query: ConversationQuery): Promise<PageOf<Conversation>> {
    const { at, before } = parseCursor(query.cursor)
    const limit = pageLimit(query)
    const { rows } = await database.tenant(tenantId).query<Conversation & { cursorAt: string }>(
      `select ${SHARED_COLUMNS}, ${MICROSECONDS} as "cursorAt", p.last_read_seq as "lastReadSeq", ${UNREAD_COUNT} as unread
       from messaging_participants p join messaging_conversations c on c.id = p.conversation_id
       where p.user_id = $1 and ($2::text is null or c.status = $2)
         and ($3::timestamptz is null or (c.active_at, c.id) < ($3::timestamptz, $4::text))
       order by c.active_at desc, c.id desc limit ${limit + 1}`,
      [userId, query.status ?? null, at, before],
    )
    const { data, nextCursor } = toPage(rows, limit, row => [row.cursorAt, row.id])
    return { data: data.map(({ cursorAt, ...conversation }) => conversation), nextCursor }
  }

  async function update(tenantId: string, id: string, patch: ConversationPatch, userId: string): Promise<Conversation> {
    return database.tenant(tenantId).transaction(async unit => {
      const before = await lockConversation(unit, id, userId)
      const after = applyPatch(before, patch, clock.now())
      if (after === before) return findConversation(unit, id, userId)
      const { snoozedUntil } = after
      // Pipelined: each statement sees those before it.
      const saved = saveState(unit, tenantId, { ...before, ...after })
      const canceled = jobs.cancel('messaging.reopen', id)
      const enqueued =
        snoozedUntil !== null &&
        jobs.enqueue('messaging.reopen', { conversationId: id }, { at: snoozedUntil, key: id, tenantId })
      const [conversation] = await Promise.all([findConversation(unit, id, userId), saved, canceled, enqueued])
      return conversation
    })
  }

  async function saveState(
    unit: Unit,
    tenantId: string,
    { id, subject, status, snoozedUntil }: LockedConversation,
  ): Promise<void> {
    const updated = unit.query(
      `update messaging_conversations set subject = $2, status = $3, snoozed_until = $4, version = version + 1,
         settled = version + 1, updated_at = $5 where id = $1`,
      [id, subject, status, snoozedUntil, new Date(clock.now())],
    )
    const payload = { conversationId: id, subject, status, snoozedUntil: snoozedUntil?.toISOString() ?? null }
    const published = events.publish('messaging.conversation.updated', { tenantId, subject: id, payload })
    await Promise.all([updated, published, updates.publish(unit, tenantId, id)])
  }

  async function reopen(tenantId: string, id: string): Promise<void> {
    await database.tenant(tenantId).transaction(async unit => {
      const { rows } = await unit.query<LockedConversation>(
        `select id, subject, status, snoozed_until as "snoozedUntil", last_seq as "lastSeq", version
         from messaging_conversations where id = $1 and status = 'snoozed' and snoozed_until <= $2 for update`,
        [id, new Date(clock.now())],
      )
      if (rows[0]) await saveState(unit, tenantId, { ...rows[0], status: 'open', snoozedUntil: null })
    })
  }

  const get = (tenantId: string, id: string, userId: string): Promise<Conversation> =>
    findConversation(database.tenant(tenantId), id, userId)

  return { create, list, get, update, reopen, assertMembers }
}

/** A Date has milliseconds only. A cursor without microseconds would skip conversations of the same millisecond. */
const MICROSECONDS = `to_char(c.active_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
const TIMESTAMP = /^(?!0000)\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/

function parseCursor(cursor: string | undefined): { at: string | null; before: string | null } {
  const values = decodeCursor(cursor, 2)
  if (!values) return { at: null, before: null }
  const [at, before] = values
  if (typeof at !== 'string' || typeof before !== 'string' || !isTimestamp(at)) throw common.invalid_cursor()
  return { at, before }
}

/** Rejects dates that PostgreSQL does not accept, such as February 31. */
function isTimestamp(text: string): boolean {
  if (!TIMESTAMP.test(text)) return false
  const date = new Date(text)
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 19) === text.slice(0, 19)
}
