/** Read positions of participants. They move forward, and back only on request. */
import { type Deps, invalidField, wording } from '@larder-dev/larder/kernel'
import { conversationFrame } from '../domain/frames.ts'
import type { ReadState, UnreadTotals } from '../records/conversation.ts'
import type { ReadBody } from '../records/message.ts'
import type { ChangeFeed } from './change-feed.ts'
import { findConversation, UNREAD_COUNT } from './conversation-queries.ts'

/** One statement, so that concurrent requests can't move the position back. */
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
    ${UNREAD_COUNT} as unread, p.was <> p.last_read_seq as moved from after p`
/** Conversations in the response. */
const MAX_CONVERSATIONS = 200
const TOTALS = `with mine as (
    select p.conversation_id as "conversationId", p.last_read_seq as "lastReadSeq", c.last_seq as "lastSeq",
      c.active_at, ${UNREAD_COUNT} as unread
    from messaging_participants p join messaging_conversations c on c.id = p.conversation_id
    where p.user_id = $1 and c.last_seq > p.last_read_seq)
  select "conversationId", "lastReadSeq", "lastSeq", unread, sum(unread) over ()::integer as total
  from mine where unread > 0 order by active_at desc, "conversationId" limit ${MAX_CONVERSATIONS}`

export interface ReadStateService {
  /** Throws `not_found`, and 422 for a number above the newest message. */
  read(tenantId: string, id: string, body: ReadBody, userId: string): Promise<ReadState>
  totals(tenantId: string, userId: string): Promise<UnreadTotals>
}

export function createReadStates({
  database,
  changeFeed,
}: Deps<'database'> & { readonly changeFeed: ChangeFeed }): ReadStateService {
  return {
    async read(tenantId: string, id: string, { seq, unread = false }: ReadBody, userId: string): Promise<ReadState> {
      const unit = database.tenant(tenantId)
      const { rows } = await unit.query<ReadState & { moved: boolean }>(READ, [id, userId, seq, unread])
      const [state] = rows
      if (!state) {
        const { lastSeq } = await findConversation(unit, id, userId)
        throw invalidField(
          '/seq',
          'out_of_range',
          wording('must be at most {seq}, the newest message', { seq: lastSeq }),
        )
      }
      const { lastReadSeq } = state
      const frame = () => conversationFrame('read', { conversationId: id, seq: lastReadSeq }, { userId, lastReadSeq })
      if (state.moved) changeFeed.publish({ kind: 'transient', tenantId, conversationId: id, frame: frame() })
      return state
    },

    async totals(tenantId: string, userId: string): Promise<UnreadTotals> {
      const { rows } = await database.tenant(tenantId).query<ReadState & { total: number }>(TOTALS, [userId])
      // Sockets send the rows without a reply schema, which would drop the total of each row.
      return { total: rows[0]?.total ?? 0, conversations: rows.map(({ total, ...state }) => state) }
    },
  }
}
