/** Mails of support conversations: a request to those who answer, an answer to those who asked. */
import type { Deps, Unit } from '@larder-dev/larder/kernel'
import { TENANT_PARAMETER } from '@larder-dev/larder/kernel/internal'
import { SYSTEM_SENDER } from '../domain/system-sender.ts'
import { type MessagingOptions, reminderDelayMs } from '../options.ts'
import { ANSWER_PERMISSION } from './inbox-service.ts'
import type { SupportDesk } from './support-desk.ts'

export interface SupportMails {
  /** Sends the mails of a new message, in the surrounding unit. None for messages of private conversations. */
  send(tenantId: string, messageId: string): Promise<void>
}

interface SupportMessage {
  readonly conversationId: string
  readonly subject: string | null
  readonly assigneeId: string | null
  readonly seq: number
  readonly senderId: string
  readonly body: string | null
  readonly participantIds: readonly string[]
  /** Null for the first message. */
  readonly previousSenderId: string | null
  /** The message has reopened the conversation. */
  readonly reopened: boolean
}
const FIND = `select c.id as "conversationId", c.subject, c.assignee_id as "assigneeId", m.seq, m.sender_id as "senderId",
    m.body, c.settled = m.version as reopened, (select p.sender_id from messaging_messages p where p.conversation_id = c.id and p.seq = m.seq - 1)
      as "previousSenderId",
    array(select user_id from messaging_participants where conversation_id = c.id) as "participantIds"
  from messaging_messages m join messaging_conversations c on c.id = m.conversation_id
  where m.id = $1 and c.kind = 'support' and m.deleted_at is null`
/** The number of members of the team who get a mail about a request that nobody has taken. */
const MAX_RECIPIENTS = 20

type Needs = Deps<'database' | 'people' | 'tenantDirectory' | 'product', 'mailer'> & {
  readonly supportDesk: SupportDesk
}

export function createSupportMails(
  { database, people, tenantDirectory, product, mailer, supportDesk: desk }: Needs,
  options: MessagingOptions,
): SupportMails {
  const isOn = reminderDelayMs(options) !== null

  /** To the participants who haven't read it. No reminder of it follows. */
  async function sendAnswer(unit: Unit, tenantId: string, message: SupportMessage): Promise<void> {
    const { conversationId, seq, senderId, subject, body, participantIds } = message
    const { rows } = await unit.query<{ userId: string }>(
      `update messaging_participants set notified_seq = $2
       where conversation_id = $1 and last_read_seq < $2 and notified_seq < $2 returning user_id as "userId"`,
      [conversationId, seq],
    )
    const unread = new Set(rows.map(({ userId }) => userId))
    const readers = await people.members(
      tenantId,
      participantIds.filter(userId => unread.has(userId)),
    )
    const [sender] = await people.members(desk.of(tenantId), [senderId])
    const link = `${product.publicUrl}/messages/${conversationId}?${TENANT_PARAMETER}=${tenantId}`
    for (const { userId, email, locale } of readers)
      await mailer?.send({
        template: 'messaging.support_answer',
        to: email,
        tenantId,
        key: `${conversationId} ${userId} ${seq}`,
        data: {
          subject: subject ?? '',
          sender: senderId === SYSTEM_SENDER ? product.name : (sender?.name ?? ''),
          text: body ?? '',
          link,
        },
        ...(locale !== null && { locale }),
      })
  }

  /** To the assignee, or to the team; not for each message of a person who writes several in a row while it is open. */
  async function sendRequest(tenantId: string, message: SupportMessage): Promise<void> {
    const { conversationId, seq, senderId, subject, body, assigneeId, previousSenderId, participantIds, reopened } =
      message
    if (previousSenderId !== null && participantIds.includes(previousSenderId) && !reopened) return
    const inboxId = desk.of(tenantId)
    const assigned =
      assigneeId === null
        ? []
        : await people.withPermission(inboxId, ANSWER_PERMISSION, { limit: 1, userId: assigneeId })
    // An assignee can lose the permission.
    const team =
      assigned.length > 0
        ? assigned
        : await people.withPermission(inboxId, ANSWER_PERMISSION, { limit: MAX_RECIPIENTS })
    const [sender] = await people.members(tenantId, [senderId])
    const [workspace] = inboxId === tenantId ? [] : await tenantDirectory.byIds([tenantId])
    const link = `${product.publicUrl}/console/messaging/inbox?id=${conversationId}&${TENANT_PARAMETER}=${inboxId}`
    for (const { userId, email, locale } of team.filter(person => person.userId !== senderId))
      await mailer?.send({
        template: 'messaging.support_request',
        to: email,
        tenantId: inboxId,
        key: `${conversationId} ${userId} ${seq}`,
        data: {
          subject: subject ?? '',
          sender: sender?.name ?? sender?.email ?? '',
          text: body ?? '',
          link,
          workspace: workspace?.name ?? '',
        },
        ...(locale !== null && { locale }),
      })
  }

  return {
    async send(tenantId, messageId) {
      if (!mailer || !isOn) return
      const unit = database.tenant(tenantId)
      const { rows } = await unit.query<SupportMessage>(FIND, [messageId])
      const [message] = rows
      if (!message) return
      if (message.participantIds.includes(message.senderId)) await sendRequest(tenantId, message)
      else await sendAnswer(unit, tenantId, message)
    },
  }
}
