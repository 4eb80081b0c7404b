/** Reminds participants of unread messages by email, once until they have read the conversation. */
import type { Deps, Unit } from '@larder-dev/larder/kernel'
import { TENANT_PARAMETER } from '@larder-dev/larder/kernel/internal'
import { SYSTEM_SENDER } from '../domain/system-sender.ts'
import { type MessagingOptions, reminderDelayMs } from '../options.ts'
import { UNREAD_COUNT } from './conversation-queries.ts'

interface UnreadReader {
  readonly userId: string
  readonly unread: number
  readonly lastSeq: number
  readonly subject: string | null
  /** When the oldest unread message was posted. */
  readonly since: Date
  readonly senderIds: string[]
}
const UNREAD_READERS = `select p.user_id as "userId", ${UNREAD_COUNT} as unread, c.last_seq as "lastSeq", c.subject, s.since,
    s.senders as "senderIds"
  from messaging_participants p join messaging_conversations c on c.id = p.conversation_id
  cross join lateral (
    select min(m.created_at) as since, array_agg(distinct m.sender_id) as senders from messaging_messages m
    where m.conversation_id = p.conversation_id and m.seq > p.last_read_seq and m.sender_id <> p.user_id
      and m.deleted_at is null) s
  where p.conversation_id = $1 and p.notified_seq <= p.last_read_seq and s.since is not null
  for update of p`

type Needs = Deps<'database' | 'clock' | 'jobs' | 'people' | 'product', 'mailer'>

export interface ReminderService {
  /** Schedules a check for unread participants after the delay. */
  schedule(tenantId: string, conversationId: string, occurredAt: string): Promise<void>
  /** Sends due reminders and schedules the next check. */
  run(tenantId: string, conversationId: string): Promise<void>
}

export function createReminders(
  { database, clock, jobs, people, product, mailer }: Needs,
  options: MessagingOptions,
): ReminderService {
  const delay = reminderDelayMs(options)
  const enqueue = async (tenantId: string, conversationId: string, at: number): Promise<void> => {
    await jobs.enqueue('messaging.remind', { conversationId }, { at: new Date(at), key: conversationId, tenantId })
  }

  async function sendMails(
    unit: Unit,
    tenantId: string,
    conversationId: string,
    readers: readonly UnreadReader[],
  ): Promise<void> {
    const ids = [...new Set(readers.flatMap(({ userId, senderIds }) => [userId, ...senderIds]))]
    const known = new Map((await people.members(tenantId, ids)).map(person => [person.userId, person]))
    for (const { userId, unread, lastSeq, subject, senderIds } of readers) {
      await unit.query(
        'update messaging_participants set notified_seq = $3 where conversation_id = $1 and user_id = $2',
        [conversationId, userId, lastSeq],
      )
      const reader = known.get(userId)
      if (!reader) continue
      const senders = senderIds
        .map(id => (id === SYSTEM_SENDER ? product.name : known.get(id)?.name))
        .filter(name => typeof name === 'string')
      const link = `${product.publicUrl}/messages/${conversationId}?${TENANT_PARAMETER}=${tenantId}`
      await mailer?.send({
        template: 'messaging.unread',
        to: reader.email,
        tenantId,
        key: `${conversationId} ${userId} ${lastSeq}`,
        data: { unread, many: unread > 1, subject: subject ?? '', senders: senders.join(', '), link },
        ...(reader.locale !== null && { locale: reader.locale }),
      })
    }
  }

  return {
    async schedule(tenantId: string, conversationId: string, occurredAt: string): Promise<void> {
      if (mailer && delay !== null) await enqueue(tenantId, conversationId, Date.parse(occurredAt) + delay)
    },

    async run(tenantId: string, conversationId: string): Promise<void> {
      if (!mailer || delay === null) return
      await database.tenant(tenantId).transaction(async unit => {
        const { rows } = await unit.query<UnreadReader>(UNREAD_READERS, [conversationId])
        const now = clock.now()
        const due = rows.filter(({ since }) => since.getTime() + delay <= now)
        const later = rows.filter(row => !due.includes(row)).map(({ since }) => since.getTime() + delay)
        await sendMails(unit, tenantId, conversationId, due)
        if (later.length > 0) await enqueue(tenantId, conversationId, Math.min(...later))
      })
    },
  }
}
