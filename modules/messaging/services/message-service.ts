/** What was said: read, changed, deleted. Posting is a matter of its own. */
import { common, type Deps, decodeCursor, type PageOf, pageLimit, toPage, type Unit } from 'larder/kernel'
import { frameOf } from '../domain/frames.ts'
import { problems } from '../problems.ts'
import type { Message } from '../routes/schemas.ts'
import type { Notices } from './change-feed.ts'
import { mustSaySomething } from './posting-service.ts'
import { findMessage, type Held, holdConversation, MESSAGE, noConversation, noMessage } from './conversation-queries.ts'

export interface MessageQuery {
  readonly limit?: number
  readonly cursor?: string | undefined
  readonly after?: number | undefined
  readonly oldestFirst: boolean
}
const TAKES_PART = 'select 1 from messaging_participants where conversation_id = $1 and user_id = $2'
const LARGEST = 2_147_483_647

export function createMessages({ database, clock, events }: Deps<'database' | 'clock' | 'events'>, notices: Notices) {
  async function list(
    tenantId: string,
    { id, userId }: { id: string; userId: string },
    query: MessageQuery,
  ): Promise<PageOf<Message>> {
    const from = startOf(query.cursor)
    const limit = pageLimit(query)
    const { oldestFirst, after = 0 } = query
    const beyond = oldestFirst ? Math.max(after, from ?? 0) : after
    const before = oldestFirst ? LARGEST : (from ?? LARGEST)
    const [part, found] = await database.tenant(tenantId).batch([
      [TAKES_PART, [id, userId]],
      [
        `select ${MESSAGE} from messaging_messages m
         where m.conversation_id = $1 and m.seq > $2 and m.seq < $3
         order by m.seq ${oldestFirst ? '' : 'desc'} limit ${limit + 1}`,
        [id, beyond, before],
      ],
    ])
    if (part?.rowCount === 0) throw noConversation()
    return toPage((found?.rows ?? []) as unknown as Message[], limit, row => [row.seq])
  }

  /** Throws `not_found`, also for a message of a conversation that the user takes no part in. */
  async function get(tenantId: string, { conversationId, id, userId }: Addressed): Promise<Message> {
    const { rows } = await database.tenant(tenantId).query<Message>(
      `select ${MESSAGE} from messaging_messages m
       join messaging_participants p on p.conversation_id = m.conversation_id and p.user_id = $3
       where m.id = $2 and m.conversation_id = $1`,
      [conversationId, id, userId],
    )
    if (!rows[0]) throw noMessage()
    return rows[0]
  }

  /** One's own alone. Throws `not_the_sender`, `message_deleted`. */
  async function edit(tenantId: string, at: Addressed, body: string): Promise<Message> {
    return database.tenant(tenantId).transaction(async unit => {
      const { held, message } = await own(unit, at)
      if (message.deletedAt !== null) throw problems.message_deleted()
      mustSaySomething(body, message.attachments.length)
      if (message.body === body) return message
      const editedAt = new Date(clock.now())
      await alter(unit, message, 'body = $3, edited_at = $4', [body, editedAt])
      return tell(tenantId, held, 'message.updated', { ...message, body, editedAt })
    })
  }

  /** Leaves a tombstone: its number stays, what it said is gone. Twice is once. */
  async function remove(tenantId: string, at: Addressed): Promise<void> {
    await database.tenant(tenantId).transaction(async unit => {
      const { held, message } = await own(unit, at)
      if (message.deletedAt !== null) return
      const deletedAt = new Date(clock.now())
      await alter(unit, message, `body = null, attachments = '[]', deleted_at = $3`, [deletedAt])
      await tell(tenantId, held, 'message.deleted', { ...message, body: null, attachments: [], deletedAt })
    })
  }

  async function own(unit: Unit, { conversationId, id, userId }: Addressed): Promise<{ held: Held; message: Message }> {
    const held = await holdConversation(unit, conversationId, userId)
    const message = await findMessage(unit, conversationId, id)
    if (message.senderId !== userId) throw problems.not_the_sender()
    return { held, message }
  }

  async function alter(unit: Unit, { conversationId, id }: Message, set: string, values: unknown[]): Promise<void> {
    await unit.batch([
      ['update messaging_conversations set version = version + 1 where id = $1', [conversationId]],
      [
        `update messaging_messages set ${set}, version = (select version from messaging_conversations where id = $1)
         where id = $2`,
        [conversationId, id, ...values],
      ],
    ])
  }

  async function tell(
    tenantId: string,
    { version: before, lastSeq }: Held,
    type: 'message.updated' | 'message.deleted',
    altered: Message,
  ): Promise<Message> {
    const message = { ...altered, version: before + 1 }
    const { conversationId, id: messageId, senderId, seq, version } = message
    const payload = { conversationId, messageId, senderId }
    await events.publish(`messaging.${type}`, { tenantId, subject: messageId, payload })
    const frames = [frameOf(type, { conversationId, seq, version }, message)]
    notices.tell({ kind: 'change', tenantId, conversationId, version, lastSeq, frames })
    return message
  }

  return { list, get, edit, remove }
}
export type Messages = ReturnType<typeof createMessages>

export interface Addressed {
  readonly conversationId: string
  readonly id: string
  readonly userId: string
}

function startOf(cursor: string | undefined): number | undefined {
  const [seq] = decodeCursor(cursor, 1) ?? []
  if (seq === undefined) return undefined
  if (typeof seq !== 'number' || !Number.isInteger(seq) || seq < 0 || seq > LARGEST) throw common.invalid_cursor()
  return seq
}
