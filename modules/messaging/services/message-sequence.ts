/** Assigns sequence numbers to messages and stores them. */
import { type Deps, isUniqueViolation, type Result, type Step, statement, type Unit } from '@larder-dev/larder/kernel'
import type { MessageButton } from '../ports.ts'
import type { Message } from '../records/message.ts'

export interface Draft extends Omit<Message, 'seq' | 'version'> {
  readonly body: string
  readonly digest: string | null
}
export interface SequenceAssignment {
  readonly id: string
  readonly seq: number
  readonly version: number
  /** The message has reopened the conversation. */
  readonly reopened: boolean
  readonly isSupport: boolean
}

const COLUMNS = `tenant_id, id, conversation_id, seq, version, sender_id, client_message_id, digest, body, attachments,
  created_at`
/** A message reopens a snoozed conversation, and one of a participant a resolved support conversation. */
const reopens = (isOfParticipant: string) =>
  `(status = 'snoozed' or status = 'resolved' and kind = 'support' and ${isOfParticipant})`
/** Changes the status if the message reopens the conversation. `at` is the time of the message, `added` their number. */
const reopen = (
  at: string,
  added: string,
  isOfParticipant: string,
) => `settled = case when ${reopens(isOfParticipant)} then version + ${added} else settled end,
  status = case when ${reopens(isOfParticipant)} then 'open' else status end, snoozed_until = null,
  updated_at = case when ${reopens(isOfParticipant)} then ${at} else updated_at end`

/**
 * The lock of the conversation row makes the numbers consecutive. If the sender may not post, the number is null, which
 * violates the constraint and rolls back the whole batch including the event.
 */
const INSERT_ONE = statement(`with c as (
    update messaging_conversations set last_seq = last_seq + 1, version = version + 1, active_at = $at,
      ${reopen('$at', '1', "$sender = 'participant'")}
    where id = $conversationId and ($sender::text = 'system' or kind = 'support' and $sender = 'support' or exists (
      select 1 from messaging_participants where conversation_id = $conversationId and user_id = $senderId))
    returning last_seq, version, settled, kind),
  r as (
    update messaging_participants p set last_read_seq = c.last_seq from c
    where p.conversation_id = $conversationId and p.user_id = $senderId)
  insert into messaging_messages (${COLUMNS}, buttons)
  values ($tenantId, $id, $conversationId, (select last_seq from c), (select version from c), $senderId,
    $clientMessageId, $digest, $body, $attachments, $at, $buttons)
  returning id, seq, version, (select settled = version from c) as reopened,
    (select kind = 'support' from c) as "isSupport"`)

/** The same for several messages of a tenant. Conversations are locked in the order of their ids to avoid deadlocks. */
const INSERT_MANY = statement(`with d as materialized (
    select * from unnest($conversationIds::text[], $senderIds::text[], $ids::text[], $clientMessageIds::text[],
        $digests::text[], $bodies::text[], $attachments::text[], $times::text[])
      with ordinality as d (conversation_id, sender_id, id, client_message_id, digest, body, attachments, at, n)),
  k as (select conversation_id as id, count(*)::integer as size, max(at)::timestamptz as at from d group by 1),
  l as (select c.id from messaging_conversations c where c.id in (select id from k) order by c.id for update),
  c as (
    update messaging_conversations c set last_seq = last_seq + k.size, version = version + k.size, active_at = k.at,
      ${reopen('k.at', 'k.size', 'true')}
    from k join l on l.id = k.id where c.id = k.id
    returning c.id, c.last_seq, c.version, c.settled, c.kind, k.size),
  m as (
    select d.*, c.last_seq - c.size + row_number() over w as seq, c.version - c.size + row_number() over w as version,
      p.user_id is not null as takes_part
    from d join c on c.id = d.conversation_id left join messaging_participants p
      on p.conversation_id = d.conversation_id and p.user_id = d.sender_id
    window w as (partition by d.conversation_id order by d.n)),
  r as (
    update messaging_participants p set last_read_seq = x.seq
    from (select conversation_id, sender_id, max(seq) as seq from m group by 1, 2) x
    where p.conversation_id = x.conversation_id and p.user_id = x.sender_id)
  insert into messaging_messages (${COLUMNS})
  select $tenantId, d.id, d.conversation_id, case when m.takes_part then m.seq end, m.version, d.sender_id,
    d.client_message_id, d.digest, d.body, d.attachments::jsonb, d.at::timestamptz
  from d left join m on m.id = d.id
  returning id, seq, version, (select c.settled = c.version and c.version = messaging_messages.version from c
    where c.id = messaging_messages.conversation_id) as reopened,
    (select c.kind = 'support' from c where c.id = messaging_messages.conversation_id) as "isSupport"`)

function insertOne(tenantId: string, { draft, sender, buttons }: PendingMessage): Step {
  return INSERT_ONE({
    tenantId,
    conversationId: draft.conversationId,
    senderId: draft.senderId,
    id: draft.id,
    clientMessageId: draft.clientMessageId,
    digest: draft.digest,
    body: draft.body,
    attachments: JSON.stringify(draft.attachments),
    at: draft.createdAt,
    buttons: buttons ? JSON.stringify(buttons) : null,
    sender,
  })
}

function insertMany(tenantId: string, drafts: readonly Draft[]): Step {
  return INSERT_MANY({
    tenantId,
    conversationIds: drafts.map(({ conversationId }) => conversationId),
    senderIds: drafts.map(({ senderId }) => senderId),
    ids: drafts.map(({ id }) => id),
    clientMessageIds: drafts.map(({ clientMessageId }) => clientMessageId),
    digests: drafts.map(({ digest }) => digest),
    bodies: drafts.map(({ body }) => body),
    attachments: drafts.map(({ attachments }) => JSON.stringify(attachments)),
    times: drafts.map(({ createdAt }) => createdAt.toISOString()),
  })
}

/** The event of a message. Must be created in the context of its request, from which the event takes its actor. */
export function createdEvent({ events }: Deps<'events'>, tenantId: string, draft: Draft): Step {
  const { id: messageId, conversationId, senderId } = draft
  const payload = { conversationId, messageId, senderId }
  return events.publishStep('messaging.message.created', { tenantId, subject: messageId, payload })
}

/** `support` answers from the inbox, and `system` writes to any conversation. Their messages are inserted alone. */
export type Sender = 'participant' | 'support' | 'system'
export interface PendingMessage {
  readonly draft: Draft
  readonly event: Step
  readonly sender: Sender
  /** Only messages of the product have them. */
  readonly buttons?: readonly MessageButton[]
}
/** Stores all messages or none. Numbers are assigned in the order of the messages. */
export async function insertMessages(
  unit: Unit,
  tenantId: string,
  messages: readonly PendingMessage[],
): Promise<SequenceAssignment[]> {
  const drafts = messages.map(({ draft }) => draft)
  const [first] = messages
  const insert = first && messages.length === 1 ? insertOne(tenantId, first) : insertMany(tenantId, drafts)
  const [inserted] = (await unit.all([insert, ...messages.map(({ event }) => event)])) as unknown as [
    Result<SequenceAssignment>,
  ]
  const byId = new Map(inserted.rows.map(row => [row.id, row]))
  return drafts.map(({ id }) => byId.get(id) as SequenceAssignment)
}

const NOT_NULL_VIOLATION = '23502'

/** A sender is not a participant, or a message exists already. In a batch the error does not identify the message. */
export const isConstraintViolation = (error: unknown): boolean =>
  isUniqueViolation(error) || (error as { code?: unknown } | null)?.code === NOT_NULL_VIOLATION
