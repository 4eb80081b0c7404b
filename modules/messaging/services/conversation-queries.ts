/** Queries that several services share. */
import { common, together, type Unit } from '@larder-dev/larder/kernel'
import { type Conversation, conversationTable, type StoredConversation } from '../records/conversation.ts'
import { EXCERPT_LENGTH, type MessageExcerpt } from '../records/message.ts'

/** A conversation without the fields of a participant. */
export type SharedConversation = Omit<Conversation, 'lastReadSeq' | 'unread'>

export const SHARED_COLUMNS = `${conversationTable.columns('c')},
  array(select q.user_id from messaging_participants q where q.conversation_id = c.id
    order by q.joined_at, q.user_id) as "participantIds"`

/** Unread messages of participant `p`. Own and deleted messages do not count. */
export const UNREAD_COUNT = `(select count(*)::integer from messaging_messages u
  where u.conversation_id = p.conversation_id and u.seq > p.last_read_seq and u.sender_id <> p.user_id
    and u.deleted_at is null)`

/** Columns of the newest message, `l`. */
export const NEWEST_MESSAGE = `l.sender_id as "lastSenderId", left(l.body, ${EXCERPT_LENGTH}) as "lastText"`
export const NEWEST_MESSAGE_JOIN = 'left join messaging_messages l on l.conversation_id = c.id and l.seq = c.last_seq'
export interface NewestMessage {
  readonly lastSenderId: string | null
  /** Null without a message, and for a deleted one. */
  readonly lastText: string | null
}
export const excerptOf = ({ lastSenderId, lastText }: NewestMessage): MessageExcerpt | null =>
  lastSenderId === null ? null : { senderId: lastSenderId, text: lastText }

const ONE = `select ${SHARED_COLUMNS}, p.last_read_seq as "lastReadSeq", ${UNREAD_COUNT} as unread
  from messaging_conversations c join messaging_participants p on p.conversation_id = c.id and p.user_id = $2
  where c.id = $1`

export const conversationNotFound = () => common.not_found({ what: 'conversation' })
export const participantNotFound = () => common.not_found({ what: 'participant' })

/** Throws `not_found`, also if the user is not a participant. */
export async function findConversation(unit: Unit, id: string, userId: string): Promise<Conversation> {
  const { rows } = await unit.query<Conversation>(ONE, [id, userId])
  if (!rows[0]) throw conversationNotFound()
  return rows[0]
}

/** Locks a support conversation until the end of the unit. Throws `not_found`, also for a private conversation. */
export async function lockSupportConversation(unit: Unit, id: string): Promise<StoredConversation> {
  const conversation = await conversationTable.get(unit, { id }, { lock: true })
  if (conversation.kind !== 'support') throw conversationNotFound()
  return conversation
}

/** Locks the conversation until the end of the unit. Throws `not_found`, also if the user is not a participant. */
export async function lockConversation(unit: Unit, id: string, userId: string): Promise<StoredConversation> {
  const { locked, participant } = await together({
    locked: conversationTable.find(unit, { id }, { lock: true }),
    // A separate statement, which sees participants that left while the first one waited for the lock.
    participant: unit.query('select 1 from messaging_participants where conversation_id = $1 and user_id = $2', [
      id,
      userId,
    ]),
  })
  if (!locked || participant.rowCount === 0) throw conversationNotFound()
  return locked
}

/** Reads what frames contain, which are the same for all participants. */
export async function readSharedConversation(unit: Unit, id: string): Promise<SharedConversation> {
  const { rows } = await unit.query<SharedConversation>(
    `select ${SHARED_COLUMNS} from messaging_conversations c where c.id = $1`,
    [id],
  )
  if (!rows[0]) throw conversationNotFound()
  return rows[0]
}
