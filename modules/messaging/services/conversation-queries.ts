/** Queries that several services share. */
import { common, together, type Unit } from '@larder-dev/larder/kernel'
import type { ConversationState, Kind } from '../domain/conversation-status.ts'
import type { Conversation } from '../records/conversation.ts'
import type { Message } from '../records/message.ts'

/** A conversation without the fields of a participant. */
export type SharedConversation = Omit<Conversation, 'lastReadSeq' | 'unread'>

export const SHARED_COLUMNS = `c.id, c.kind, c.subject, c.status, c.assignee_id as "assigneeId",
  c.snoozed_until as "snoozedUntil", c.last_seq as "lastSeq", c.version, c.active_at as "lastActivityAt", c.created_by as "createdBy", c.created_at as "createdAt",
  c.updated_at as "updatedAt", array(select q.user_id from messaging_participants q where q.conversation_id = c.id
    order by q.joined_at, q.user_id) as "participantIds"`

/** Unread messages of participant `p`. Own and deleted messages do not count. */
export const UNREAD_COUNT = `(select count(*)::integer from messaging_messages u
  where u.conversation_id = p.conversation_id and u.seq > p.last_read_seq and u.sender_id <> p.user_id
    and u.deleted_at is null)`

export const MESSAGE_COLUMNS = `m.id, m.conversation_id as "conversationId", m.seq, m.version, m.sender_id as "senderId",
  m.client_message_id as "clientMessageId", m.body, m.attachments, m.created_at as "createdAt",
  m.edited_at as "editedAt", m.deleted_at as "deletedAt"`

const ONE = `select ${SHARED_COLUMNS}, p.last_read_seq as "lastReadSeq", ${UNREAD_COUNT} as unread
  from messaging_conversations c join messaging_participants p on p.conversation_id = c.id and p.user_id = $2
  where c.id = $1`

export const conversationNotFound = () => common.not_found({ what: 'conversation' })
export const participantNotFound = () => common.not_found({ what: 'participant' })
export const messageNotFound = () => common.not_found({ what: 'message' })

/** Throws `not_found`, also if the user is not a participant. */
export async function findConversation(unit: Unit, id: string, userId: string): Promise<Conversation> {
  const { rows } = await unit.query<Conversation>(ONE, [id, userId])
  if (!rows[0]) throw conversationNotFound()
  return rows[0]
}

export interface LockedConversation extends ConversationState {
  readonly id: string
  readonly kind: Kind
  readonly lastSeq: number
  readonly version: number
}

export const LOCKED_COLUMNS = `id, kind, subject, status, snoozed_until as "snoozedUntil", assignee_id as "assigneeId",
  last_seq as "lastSeq", version`
const LOCK = `select ${LOCKED_COLUMNS} from messaging_conversations where id = $1 for update`

/** Locks a support conversation until the end of the unit. Throws `not_found`, also for a private conversation. */
export async function lockSupportConversation(unit: Unit, id: string): Promise<LockedConversation> {
  const { rows } = await unit.query<LockedConversation>(LOCK, [id])
  if (rows[0]?.kind !== 'support') throw conversationNotFound()
  return rows[0]
}

/** Locks the conversation until the end of the unit. Throws `not_found`, also if the user is not a participant. */
export async function lockConversation(unit: Unit, id: string, userId: string): Promise<LockedConversation> {
  const { locked, participant } = await together({
    locked: unit.query<LockedConversation>(LOCK, [id]),
    // A separate statement, which sees participants that left while the first one waited for the lock.
    participant: unit.query('select 1 from messaging_participants where conversation_id = $1 and user_id = $2', [
      id,
      userId,
    ]),
  })
  if (!locked.rows[0] || participant.rowCount === 0) throw conversationNotFound()
  return locked.rows[0]
}

/** For frames, which are the same for all participants. */
export async function readSharedConversation(unit: Unit, id: string): Promise<SharedConversation> {
  const { rows } = await unit.query<SharedConversation>(
    `select ${SHARED_COLUMNS} from messaging_conversations c where c.id = $1`,
    [id],
  )
  if (!rows[0]) throw conversationNotFound()
  return rows[0]
}

export async function findMessage(unit: Unit, conversationId: string, id: string): Promise<Message> {
  const { rows } = await unit.query<Message>(
    `select ${MESSAGE_COLUMNS} from messaging_messages m where m.id = $2 and m.conversation_id = $1`,
    [conversationId, id],
  )
  if (!rows[0]) throw messageNotFound()
  return rows[0]
}
