/** Conversations: begun, listed, settled, snoozed. */
import { common, type Deps, decodeCursor, newId, type PageOf, pageLimit, toPage, type Unit } from 'larder/kernel'
import { patched } from '../core/status.ts'
import { invalidField, problems } from '../problems.ts'
import type { Conversation, ConversationPatch, NewConversation, Status } from '../schemas.ts'
import type { Changes } from './changes.ts'
import { findConversation, type Held, holdConversation, SHARED, UNREAD } from './rows.ts'

export interface ConversationQuery {
  readonly limit?: number
  readonly cursor?: string | undefined
  readonly status?: Status | undefined
}
type Needs = Deps<'database' | 'clock' | 'events' | 'jobs' | 'people'>

export function createConversations(
  { database, clock, events, jobs, people }: Needs,
  { changes, most }: { changes: Changes; most: number },
) {
  /** Throws 422 that names each who is no member. */
  async function mustBeMembers(tenantId: string, userIds: readonly string[], pointer: string): Promise<void> {
    const known = new Set((await people.members(tenantId, userIds)).map(({ userId }) => userId))
    const stranger = userIds.findIndex(userId => !known.has(userId))
    if (stranger >= 0)
      throw invalidField(pointer.replace('*', String(stranger)), 'not_a_member', "isn't a member of this workspace")
  }

  /** Returns the id. Who begins it takes part in it. */
  async function create(tenantId: string, { subject = null, participantIds }: NewConversation, userId: string) {
    const userIds = [...new Set([userId, ...participantIds])]
    if (userIds.length > most) throw problems.too_many_participants({ limit: most })
    const id = newId('cnv', clock.now())
    const now = new Date(clock.now())
    await database.tenant(tenantId).transaction(async unit => {
      await mustBeMembers(tenantId, participantIds, '/participantIds/*')
      await unit.batch([
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
      await events.publish('messaging.conversation.created', { tenantId, subject: id, payload })
      await changes.tell(unit, tenantId, id, { joined: userIds })
    })
    return id
  }

  /** The liveliest first. */
  async function list(tenantId: string, userId: string, query: ConversationQuery): Promise<PageOf<Conversation>> {
    const { at, before } = startOf(query.cursor)
    const limit = pageLimit(query)
    const { rows } = await database.tenant(tenantId).query<Conversation>(
      `select ${SHARED}, p.last_read_seq as "lastReadSeq", ${UNREAD} as unread
       from messaging_participants p join messaging_conversations c on c.id = p.conversation_id
       where p.user_id = $1 and ($2::text is null or c.status = $2)
         and ($3::float8 is null or (c.active_at, c.id) < (to_timestamp($3 / 1000), $4::text))
       order by c.active_at desc, c.id desc limit ${limit + 1}`,
      [userId, query.status ?? null, at, before],
    )
    return toPage(rows, limit, row => [row.lastActivityAt.getTime(), row.id])
  }

  /** Settles it for everybody. Nothing changes: nothing happens. */
  async function update(tenantId: string, id: string, patch: ConversationPatch, userId: string): Promise<void> {
    await database.tenant(tenantId).transaction(async unit => {
      const before = await holdConversation(unit, id, userId)
      const after = patched(before, patch, clock.now())
      if (after === before) return
      await settle(unit, tenantId, { ...before, ...after })
      await jobs.cancel('messaging.reopen', id)
      if (after.snoozedUntil !== null)
        await jobs.enqueue('messaging.reopen', { conversationId: id }, { at: after.snoozedUntil, key: id, tenantId })
    })
  }

  async function settle(unit: Unit, tenantId: string, { id, subject, status, snoozedUntil }: Held): Promise<void> {
    await unit.query(
      `update messaging_conversations set subject = $2, status = $3, snoozed_until = $4, version = version + 1,
         settled = version + 1, updated_at = $5 where id = $1`,
      [id, subject, status, snoozedUntil, new Date(clock.now())],
    )
    const payload = { conversationId: id, subject, status, snoozedUntil: snoozedUntil?.toISOString() ?? null }
    await events.publish('messaging.conversation.updated', { tenantId, subject: id, payload })
    await changes.tell(unit, tenantId, id)
  }

  /** Its time has come; nothing happens where it was settled otherwise meanwhile. */
  async function reopen(tenantId: string, id: string): Promise<void> {
    await database.tenant(tenantId).transaction(async unit => {
      const { rows } = await unit.query<Held>(
        `select id, subject, status, snoozed_until as "snoozedUntil", last_seq as "lastSeq", version
         from messaging_conversations where id = $1 and status = 'snoozed' and snoozed_until <= $2 for update`,
        [id, new Date(clock.now())],
      )
      if (rows[0]) await settle(unit, tenantId, { ...rows[0], status: 'open', snoozedUntil: null })
    })
  }

  const get = (tenantId: string, id: string, userId: string): Promise<Conversation> =>
    findConversation(database.tenant(tenantId), id, userId)

  return { create, list, get, update, reopen, mustBeMembers }
}
export type Conversations = ReturnType<typeof createConversations>

/** The latest time that a Date holds, in milliseconds since 1970. */
const LATEST = 8.64e15

function startOf(cursor: string | undefined): { at: number | null; before: string | null } {
  const values = decodeCursor(cursor, 2)
  if (!values) return { at: null, before: null }
  const [at, before] = values
  if (typeof at !== 'number' || at < 0 || at > LATEST || typeof before !== 'string') throw common.invalid_cursor()
  return { at, before }
}
