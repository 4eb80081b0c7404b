/** Who takes part in a conversation. */
import type { Deps, Unit } from 'larder/kernel'
import { problems } from '../problems.ts'
import type { Participant } from '../routes/schemas.ts'
import type { Changes } from './conversation-updates.ts'
import type { Conversations } from './conversation-service.ts'
import { findConversation, holdConversation, noParticipant } from './conversation-queries.ts'

interface Parts {
  readonly conversations: Conversations
  readonly changes: Changes
  readonly most: number
}
type Row = Omit<Participant, 'name'>
const LIST = `select user_id as "userId", last_read_seq as "lastReadSeq", joined_at as "joinedAt"
  from messaging_participants where conversation_id = $1 order by joined_at, user_id`
const MOVED = `update messaging_conversations set version = version + 1, settled = version + 1, updated_at = $2
  where id = $1`

export function createParticipants(
  { database, clock, events, people }: Deps<'database' | 'clock' | 'events' | 'people'>,
  { conversations, changes, most }: Parts,
) {
  const now = () => new Date(clock.now())

  /** All of them, in the order in which they came. */
  async function list(tenantId: string, id: string, userId: string): Promise<Participant[]> {
    const unit = database.tenant(tenantId)
    const { participantIds } = await findConversation(unit, id, userId)
    const [{ rows }, known] = await Promise.all([unit.query<Row>(LIST, [id]), people.members(tenantId, participantIds)])
    const names = new Map(known.map(person => [person.userId, person.name]))
    return rows.map(row => ({ ...row, name: names.get(row.userId) ?? null }))
  }

  /** What was said before counts as read. False where they take part already. */
  async function add(tenantId: string, id: string, added: string, userId: string): Promise<boolean> {
    return database.tenant(tenantId).transaction(async unit => {
      const { lastSeq } = await holdConversation(unit, id, userId)
      await conversations.mustBeMembers(tenantId, [added], '/userId')
      const { participantIds } = await findConversation(unit, id, userId)
      if (participantIds.includes(added)) return false
      if (participantIds.length >= most) throw problems.too_many_participants({ limit: most })
      await unit.query(
        `insert into messaging_participants (tenant_id, conversation_id, user_id, last_read_seq, joined_at)
         values ($1, $2, $3, $4, $5)`,
        [tenantId, id, added, lastSeq, now()],
      )
      await moved(unit, tenantId, id, { joined: added })
      return true
    })
  }

  /** Oneself or another. Throws `last_participant`. */
  async function remove(tenantId: string, id: string, gone: string, userId: string): Promise<void> {
    await database.tenant(tenantId).transaction(async unit => {
      await holdConversation(unit, id, userId)
      const { participantIds } = await findConversation(unit, id, userId)
      if (!participantIds.includes(gone)) throw noParticipant()
      if (participantIds.length === 1) throw problems.last_participant()
      await drop(unit, tenantId, id, gone)
    })
  }

  async function drop(unit: Unit, tenantId: string, id: string, gone: string): Promise<void> {
    await unit.query('delete from messaging_participants where conversation_id = $1 and user_id = $2', [id, gone])
    await moved(unit, tenantId, id, { left: gone })
  }

  async function moved(unit: Unit, tenantId: string, id: string, { joined, left }: { joined?: string; left?: string }) {
    const userId = (joined ?? left) as string
    await unit.query(MOVED, [id, now()])
    const event = { tenantId, subject: id, payload: { conversationId: id, userId } }
    if (joined === undefined) await events.publish('messaging.participant.removed', event)
    else await events.publish('messaging.participant.added', event)
    await changes.tell(unit, tenantId, id, joined === undefined ? { left: [userId] } : { joined: [userId] })
  }

  /** Who left the tenant takes part in nothing there any more, also where nobody else is left. */
  async function forget(tenantId: string, userId: string): Promise<void> {
    await database.tenant(tenantId).transaction(async unit => {
      const { rows } = await unit.query<{ id: string }>(
        `select c.id from messaging_conversations c
         where c.id in (select conversation_id from messaging_participants where user_id = $1)
         order by c.id for update`,
        [userId],
      )
      for (const { id } of rows) await drop(unit, tenantId, id, userId)
    })
  }

  return { list, add, remove, forget }
}
export type Participants = ReturnType<typeof createParticipants>
