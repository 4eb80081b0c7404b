/** Manages the participants of a conversation. */
import { type Deps, together, type Unit } from '@larder-dev/larder/kernel'
import { type MessagingOptions, maxParticipantsOf } from '../options.ts'
import { problems } from '../problems.ts'
import { type Participant, participantTable, type StoredParticipant } from '../records/participant.ts'
import { findConversation, lockConversation, participantNotFound } from './conversation-queries.ts'
import type { ConversationService } from './conversation-service.ts'
import type { ConversationUpdates } from './conversation-updates.ts'

type Needs = Deps<'database' | 'clock' | 'events' | 'people'> & {
  readonly conversations: ConversationService
  readonly conversationUpdates: ConversationUpdates
}
const LIST = `select ${participantTable.columns()} from messaging_participants where conversation_id = $1
  order by joined_at, user_id`
const INCREMENT_VERSION = `update messaging_conversations set version = version + 1, settled = version + 1, updated_at = $2
  where id = $1`

export interface ParticipantService {
  /** All participants in the order in which they joined. */
  list(tenantId: string, id: string, userId: string): Promise<Participant[]>
  /** The same without names. Doesn't check that the caller is a participant. */
  readers(tenantId: string, id: string): Promise<StoredParticipant[]>
  /** Earlier messages count as read. `isNew` is false if the user is already a participant. */
  add(
    tenantId: string,
    id: string,
    added: string,
    userId: string,
  ): Promise<{ participant: Participant; isNew: boolean }>
  /** Removes the caller or another participant. Throws `last_participant`. */
  remove(tenantId: string, id: string, removed: string, userId: string): Promise<void>
  /** Removes a former member from all conversations of the tenant, even as last participant. */
  removeFromAll(tenantId: string, userId: string): Promise<void>
}

export function createParticipants(
  { database, clock, events, people, conversations, conversationUpdates: updates }: Needs,
  options: MessagingOptions,
): ParticipantService {
  const maxParticipants = maxParticipantsOf(options)
  const now = () => new Date(clock.now())

  const readers = (tenantId: string, id: string) => participantTable.query(database.tenant(tenantId), LIST, [id])

  async function list(tenantId: string, id: string, userId: string): Promise<Participant[]> {
    const unit = database.tenant(tenantId)
    const { rows } = await together({ conversation: findConversation(unit, id, userId), rows: readers(tenantId, id) })
    const known = await people.members(
      tenantId,
      rows.map(row => row.userId),
    )
    const names = new Map(known.map(person => [person.userId, person.name]))
    return rows.map(row => ({ ...row, name: names.get(row.userId) ?? null }))
  }

  async function add(tenantId: string, id: string, added: string, userId: string) {
    return database.tenant(tenantId).transaction(async unit => {
      const {
        locked: { lastSeq },
        people: [person],
        conversation: { participantIds },
        found,
      } = await together({
        locked: lockConversation(unit, id, userId),
        people: conversations.assertMembers(tenantId, [added], '/userId', userId),
        conversation: findConversation(unit, id, userId),
        found: participantTable.find(unit, { conversationId: id, userId: added }),
      })
      const name = person?.name ?? null
      if (found) return { participant: { ...found, name }, isNew: false }
      if (participantIds.length >= maxParticipants) throw problems.too_many_participants({ limit: maxParticipants })
      const values = { tenantId, conversationId: id, userId: added, lastReadSeq: lastSeq, joinedAt: now() }
      const { inserted } = await together({
        inserted: participantTable.insert(unit, values),
        published: publishChange(unit, tenantId, id, { joined: added }),
      })
      return { participant: { ...inserted, name }, isNew: true }
    })
  }

  async function remove(tenantId: string, id: string, removed: string, userId: string): Promise<void> {
    await database.tenant(tenantId).transaction(async unit => {
      const {
        conversation: { participantIds },
      } = await together({ lock: lockConversation(unit, id, userId), conversation: findConversation(unit, id, userId) })
      if (!participantIds.includes(removed)) throw participantNotFound()
      if (participantIds.length === 1) throw problems.last_participant()
      await drop(unit, tenantId, id, removed)
    })
  }

  async function drop(unit: Unit, tenantId: string, id: string, removed: string): Promise<void> {
    const text = 'delete from messaging_participants where conversation_id = $1 and user_id = $2'
    await Promise.all([unit.query(text, [id, removed]), publishChange(unit, tenantId, id, { left: removed })])
  }

  async function publishChange(
    unit: Unit,
    tenantId: string,
    id: string,
    { joined, left }: { joined?: string; left?: string },
  ) {
    const userId = (joined ?? left) as string
    const event = { tenantId, subject: id, payload: { conversationId: id, userId } }
    const type = joined === undefined ? 'messaging.participant.removed' : 'messaging.participant.added'
    const membership = joined === undefined ? { left: [userId] } : { joined: [userId] }
    await Promise.all([
      unit.query(INCREMENT_VERSION, [id, now()]),
      events.publish(type, event),
      updates.publish(unit, tenantId, id, membership),
    ])
  }

  async function removeFromAll(tenantId: string, userId: string): Promise<void> {
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

  return { list, readers, add, remove, removeFromAll }
}
