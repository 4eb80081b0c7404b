/** Conversations and messages in the database: what every service reads them with. */
import { common, type Unit } from 'larder/kernel'
import type { Conversation, Message, Status } from '../routes/schemas.ts'

/** What everybody in a conversation sees alike. */
export type Shared = Omit<Conversation, 'lastReadSeq' | 'unread'>

export const SHARED = `c.id, c.subject, c.status, c.snoozed_until as "snoozedUntil", c.last_seq as "lastSeq", c.version,
  c.active_at as "lastActivityAt", c.created_by as "createdBy", c.created_at as "createdAt",
  c.updated_at as "updatedAt", array(select q.user_id from messaging_participants q where q.conversation_id = c.id
    order by q.joined_at, q.user_id) as "participantIds"`

/** Of participant `p`: others' messages after what they have read. A tombstone asks for no attention. */
export const UNREAD = `(select count(*)::integer from messaging_messages u
  where u.conversation_id = p.conversation_id and u.seq > p.last_read_seq and u.sender_id <> p.user_id
    and u.deleted_at is null)`

export const MESSAGE = `m.id, m.conversation_id as "conversationId", m.seq, m.version, m.sender_id as "senderId",
  m.client_message_id as "clientMessageId", m.body, m.attachments, m.created_at as "createdAt",
  m.edited_at as "editedAt", m.deleted_at as "deletedAt"`

const ONE = `select ${SHARED}, p.last_read_seq as "lastReadSeq", ${UNREAD} as unread
  from messaging_conversations c join messaging_participants p on p.conversation_id = c.id and p.user_id = $2
  where c.id = $1`

export const noConversation = () => common.not_found({ what: 'conversation' })
export const noParticipant = () => common.not_found({ what: 'participant' })
export const noMessage = () => common.not_found({ what: 'message' })

/** As this participant sees it. Throws `not_found`, for everybody else too. */
export async function findConversation(unit: Unit, id: string, userId: string): Promise<Conversation> {
  const { rows } = await unit.query<Conversation>(ONE, [id, userId])
  if (!rows[0]) throw noConversation()
  return rows[0]
}

export interface Held {
  readonly id: string
  readonly subject: string | null
  readonly status: Status
  readonly snoozedUntil: Date | null
  readonly lastSeq: number
  readonly version: number
}

/** Held until the unit ends: nothing else happens in this conversation meanwhile. Throws `not_found`. */
export async function holdConversation(unit: Unit, id: string, userId: string): Promise<Held> {
  const { rows } = await unit.query<Held>(
    `select c.id, c.subject, c.status, c.snoozed_until as "snoozedUntil", c.last_seq as "lastSeq", c.version
     from messaging_conversations c where c.id = $1 for update`,
    [id],
  )
  // A statement of its own: who left while this one waited for the row is seen to have left.
  const { rowCount } = await unit.query(
    'select 1 from messaging_participants where conversation_id = $1 and user_id = $2',
    [id, userId],
  )
  if (!rows[0] || rowCount === 0) throw noConversation()
  return rows[0]
}

/** For frames: as everybody in it sees it. */
export async function sharedConversation(unit: Unit, id: string): Promise<Shared> {
  const { rows } = await unit.query<Shared>(`select ${SHARED} from messaging_conversations c where c.id = $1`, [id])
  if (!rows[0]) throw noConversation()
  return rows[0]
}

export async function findMessage(unit: Unit, conversationId: string, id: string): Promise<Message> {
  const { rows } = await unit.query<Message>(
    `select ${MESSAGE} from messaging_messages m where m.id = $2 and m.conversation_id = $1`,
    [conversationId, id],
  )
  if (!rows[0]) throw noMessage()
  return rows[0]
}
