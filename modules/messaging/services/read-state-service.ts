/** How far each participant has read: forward by itself, back on demand alone. */
import type { Deps } from 'larder/kernel'
import { frameOf } from '../domain/frames.ts'
import { invalidField } from '../problems.ts'
import type { ReadBody, ReadState, UnreadTotals } from '../routes/schemas.ts'
import type { Notices } from './change-feed.ts'
import { findConversation, UNREAD } from './conversation-queries.ts'

/** One statement: two who read at once cannot move each other back. */
const READ = `with before as (
    select p.last_read_seq as seq, c.last_seq from messaging_participants p
    join messaging_conversations c on c.id = p.conversation_id
    where p.conversation_id = $1 and p.user_id = $2 and $3 <= c.last_seq for update of p),
  after as (
    update messaging_participants p
    set last_read_seq = case when $4 then least(p.last_read_seq, $3) else greatest(p.last_read_seq, $3) end
    from before where p.conversation_id = $1 and p.user_id = $2
    returning p.conversation_id, p.user_id, p.last_read_seq, before.last_seq, before.seq as was)
  select p.conversation_id as "conversationId", p.last_read_seq as "lastReadSeq", p.last_seq as "lastSeq",
    ${UNREAD} as unread, p.was <> p.last_read_seq as moved from after p`
/** Conversations in an answer. */
const SHOWN = 200
const TOTALS = `with mine as (
    select p.conversation_id as "conversationId", p.last_read_seq as "lastReadSeq", c.last_seq as "lastSeq",
      c.active_at, ${UNREAD} as unread
    from messaging_participants p join messaging_conversations c on c.id = p.conversation_id
    where p.user_id = $1 and c.last_seq > p.last_read_seq)
  select "conversationId", "lastReadSeq", "lastSeq", unread, sum(unread) over ()::integer as total
  from mine where unread > 0 order by active_at desc, "conversationId" limit ${SHOWN}`

export function createReading({ database }: Deps<'database'>, notices: Notices) {
  return {
    /** Throws `not_found`, and 422 for a seq that there is not yet. */
    async read(tenantId: string, id: string, { seq, unread = false }: ReadBody, userId: string): Promise<ReadState> {
      const unit = database.tenant(tenantId)
      const { rows } = await unit.query<ReadState & { moved: boolean }>(READ, [id, userId, seq, unread])
      const [state] = rows
      if (!state) {
        const { lastSeq } = await findConversation(unit, id, userId)
        throw invalidField('/seq', 'out_of_range', `must not be over ${lastSeq}, the newest message`)
      }
      const { lastReadSeq } = state
      const frame = () => frameOf('read', { conversationId: id, seq: lastReadSeq }, { userId, lastReadSeq })
      if (state.moved) notices.tell({ kind: 'passing', tenantId, conversationId: id, frame: frame() })
      return state
    },

    async totals(tenantId: string, userId: string): Promise<UnreadTotals> {
      const { rows } = await database.tenant(tenantId).query<ReadState & { total: number }>(TOTALS, [userId])
      // Sockets send it as it is: no reply schema takes the sum from each row.
      return { total: rows[0]?.total ?? 0, conversations: rows.map(({ total, ...state }) => state) }
    },
  }
}
export type Reading = ReturnType<typeof createReading>
