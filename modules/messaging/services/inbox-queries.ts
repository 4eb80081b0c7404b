/** Statements of the inbox. They read support conversations only. */
import { statement, type Unit } from '@larder-dev/larder/kernel'
import type { Status } from '../domain/conversation-status.ts'
import { MICROSECONDS } from './activity-cursor.ts'
import {
  conversationNotFound,
  NEWEST_MESSAGE,
  NEWEST_MESSAGE_JOIN,
  type NewestMessage,
  SHARED_COLUMNS,
  type SharedConversation,
} from './conversation-queries.ts'

export interface InboxRow extends SharedConversation, NewestMessage {
  readonly tenantId: string
  /** A participant sent the newest message. */
  readonly waiting: boolean
  readonly cursorAt: string
}
export interface InboxFilter {
  readonly status: Status | null
  /** User id. */
  readonly assigneeId: string | null
  readonly isUnassigned: boolean
  readonly words: string
  /** Users whose name or email contains the words. */
  readonly requesterIds: readonly string[]
  /** Workspaces whose name contains the words. */
  readonly tenantIds: readonly string[]
  readonly at: string | null
  readonly before: string | null
}

const SELECT = `select ${SHARED_COLUMNS}, c.tenant_id as "tenantId", ${MICROSECONDS} as "cursorAt", ${NEWEST_MESSAGE},
    exists (select 1 from messaging_participants p
      where p.conversation_id = c.id and p.user_id = l.sender_id) as waiting
  from messaging_conversations c
  ${NEWEST_MESSAGE_JOIN}
  where c.kind = 'support'`
const LIST = statement(`${SELECT} and ($status::text is null or c.status = $status)
    and ($assigneeId::text is null or c.assignee_id = $assigneeId)
    and (not $isUnassigned::boolean or c.assignee_id is null)
    and ($words = '' or strpos(larder_folded(c.subject), larder_folded($words)) > 0
      or c.created_by = any ($requesterIds::text[]) or c.tenant_id = any ($tenantIds::text[])
      or exists (select 1 from messaging_messages s
        where s.conversation_id = c.id and strpos(larder_folded(s.body), larder_folded($words)) > 0))
    and ($at::timestamptz is null or (c.active_at, c.id) < ($at::timestamptz, $before::text))
  order by c.active_at desc, c.id desc limit $limit`)
const SENDERS = 'select distinct sender_id as "userId" from messaging_messages where conversation_id = $1'

export async function listInbox(
  unit: Unit,
  { status, assigneeId, isUnassigned, words, requesterIds, tenantIds, at, before }: InboxFilter,
  limit: number,
): Promise<InboxRow[]> {
  const values = { status, assigneeId, isUnassigned, words, requesterIds, tenantIds, at, before, limit }
  // A search reads all messages of support conversations.
  return (await unit.query<InboxRow>(...LIST(values, { scans: words !== '' }))).rows
}

/** Throws `not_found`, also for a private conversation. */
export async function findSupportConversation(unit: Unit, id: string): Promise<InboxRow> {
  const { rows } = await unit.query<InboxRow>(`${SELECT} and c.id = $1`, [id])
  if (!rows[0]) throw conversationNotFound()
  return rows[0]
}

export async function sendersOf(unit: Unit, id: string): Promise<string[]> {
  return (await unit.query<{ userId: string }>(SENDERS, [id])).rows.map(({ userId }) => userId)
}

/** Whether a message of a support conversation has this file. */
export async function hasAttachment(unit: Unit, id: string, mediaId: string): Promise<boolean> {
  const { rowCount } = await unit.query(
    `select from messaging_conversations c join messaging_messages m on m.conversation_id = c.id
     where c.id = $1 and c.kind = 'support' and m.attachments @> $2::jsonb limit 1`,
    [id, JSON.stringify([{ id: mediaId }])],
  )
  return rowCount > 0
}
