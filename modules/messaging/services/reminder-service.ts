/** Mail to those who have not read for long: one a conversation and reader, until they have read what it tells of. */
import type { Deps, Unit } from 'larder/kernel'
import { UNREAD } from './conversation-queries.ts'

interface Behind {
  readonly userId: string
  readonly unread: number
  readonly lastSeq: number
  readonly subject: string | null
  /** When the oldest of what they have not read was posted. */
  readonly since: Date
  readonly senderIds: string[]
}
const BEHIND = `select p.user_id as "userId", ${UNREAD} as unread, c.last_seq as "lastSeq", c.subject, s.since,
    s.senders as "senderIds"
  from messaging_participants p join messaging_conversations c on c.id = p.conversation_id
  cross join lateral (
    select min(m.created_at) as since, array_agg(distinct m.sender_id) as senders from messaging_messages m
    where m.conversation_id = p.conversation_id and m.seq > p.last_read_seq and m.sender_id <> p.user_id
      and m.deleted_at is null) s
  where p.conversation_id = $1 and p.notified_seq <= p.last_read_seq and s.since is not null
  for update of p`

type Needs = Deps<'database' | 'clock' | 'jobs' | 'people' | 'product', 'mailer'>

export function createReminders({ database, clock, jobs, people, product, mailer }: Needs, delay: number | null) {
  const schedule = async (tenantId: string, conversationId: string, at: number): Promise<void> => {
    await jobs.enqueue('messaging.remind', { conversationId }, { at: new Date(at), key: conversationId, tenantId })
  }

  async function mail(unit: Unit, tenantId: string, conversationId: string, behind: readonly Behind[]): Promise<void> {
    const ids = [...new Set(behind.flatMap(({ userId, senderIds }) => [userId, ...senderIds]))]
    const known = new Map((await people.members(tenantId, ids)).map(person => [person.userId, person]))
    for (const { userId, unread, lastSeq, subject, senderIds } of behind) {
      await unit.query(
        'update messaging_participants set notified_seq = $3 where conversation_id = $1 and user_id = $2',
        [conversationId, userId, lastSeq],
      )
      const reader = known.get(userId)
      if (!reader) continue
      const senders = senderIds.map(id => known.get(id)?.name).filter(name => typeof name === 'string')
      const link = `${product.publicUrl}/messages/${conversationId}`
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
    /** A message was posted: looks after the readers once the delay is over. */
    async begin(tenantId: string, conversationId: string, occurredAt: string): Promise<void> {
      if (mailer && delay !== null) await schedule(tenantId, conversationId, Date.parse(occurredAt) + delay)
    },

    /** Mails whose time has come, and comes back for those whose time comes later. */
    async run(tenantId: string, conversationId: string): Promise<void> {
      if (!mailer || delay === null) return
      await database.tenant(tenantId).transaction(async unit => {
        const { rows } = await unit.query<Behind>(BEHIND, [conversationId])
        const now = clock.now()
        const due = rows.filter(({ since }) => since.getTime() + delay <= now)
        const later = rows.filter(row => !due.includes(row)).map(({ since }) => since.getTime() + delay)
        await mail(unit, tenantId, conversationId, due)
        if (later.length > 0) await schedule(tenantId, conversationId, Math.min(...later))
      })
    },
  }
}
export type Reminders = ReturnType<typeof createReminders>
