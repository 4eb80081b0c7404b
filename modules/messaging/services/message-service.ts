/** Reads, edits and deletes messages. */

import { isDeepStrictEqual } from 'node:util'
import {
  common,
  type Deps,
  decodeCursor,
  type PageOf,
  pageLimit,
  together,
  toPage,
  type Unit,
} from '@larder-dev/larder/kernel'
import { conversationFrame } from '../domain/frames.ts'
import { SYSTEM_SENDER } from '../domain/system-sender.ts'
import type { MessageButton } from '../ports.ts'
import { problems } from '../problems.ts'
import { conversationTable, type StoredConversation } from '../records/conversation.ts'
import { type Message, type MessagePatch, messageTable } from '../records/message.ts'
import type { ChangeFeed } from './change-feed.ts'
import { conversationNotFound, lockConversation } from './conversation-queries.ts'
import { assertNotEmpty } from './posting-service.ts'

export interface MessageQuery {
  readonly limit?: number
  readonly cursor?: string | undefined
  readonly after?: number | undefined
  readonly before?: number | undefined
  readonly oldestFirst: boolean
}
const IS_PARTICIPANT = 'select 1 from messaging_participants where conversation_id = $1 and user_id = $2'
const IS_SUPPORT = "select 1 from messaging_conversations where id = $1 and kind = 'support'"
const MAX_SEQ = 2_147_483_647

export interface MessageService {
  /** Throws `not_found`, also if the user is not a participant; without a user, if it is no support conversation. */
  list(tenantId: string, of: { id: string; userId: string | null }, query: MessageQuery): Promise<PageOf<Message>>
  /** The buttons of messages of the product, by message. */
  buttons(tenantId: string, messages: readonly Message[]): Promise<ReadonlyMap<string, readonly MessageButton[]>>
  /** Throws `not_found`, also if the user is not a participant. */
  get(tenantId: string, at: MessageAddress): Promise<Message>
  /** Only the sender may edit. Throws `not_the_sender`, `message_deleted`. */
  edit(tenantId: string, at: MessageAddress, patch: MessagePatch): Promise<Message>
  /** Deletes the content and keeps the number. Idempotent. Throws `not_the_sender`. */
  remove(tenantId: string, at: MessageAddress): Promise<void>
}

export function createMessages({
  database,
  clock,
  events,
  changeFeed,
}: Deps<'database' | 'clock' | 'events'> & { readonly changeFeed: ChangeFeed }): MessageService {
  async function list(
    tenantId: string,
    { id, userId }: { id: string; userId: string | null },
    query: MessageQuery,
  ): Promise<PageOf<Message>> {
    const from = parseCursor(query.cursor)
    const limit = pageLimit(query)
    const { oldestFirst, after = 0 } = query
    const beyond = oldestFirst ? Math.max(after, from ?? 0) : after
    const before = Math.min(query.before ?? MAX_SEQ, oldestFirst ? MAX_SEQ : (from ?? MAX_SEQ))
    const { readable, found } = await database.tenant(tenantId).all({
      readable: userId === null ? [IS_SUPPORT, [id]] : [IS_PARTICIPANT, [id, userId]],
      found: [
        `select ${messageTable.columns()} from messaging_messages
         where conversation_id = $1 and seq > $2 and seq < $3
         order by seq ${oldestFirst ? '' : 'desc'} limit ${limit + 1}`,
        [id, beyond, before],
      ],
    })
    if (readable.rowCount === 0) throw conversationNotFound()
    return toPage(messageTable.records(found.rows), limit, row => [row.seq])
  }

  async function buttons(tenantId: string, messages: readonly Message[]) {
    const ids = messages.filter(({ senderId }) => senderId === SYSTEM_SENDER).map(({ id }) => id)
    if (ids.length === 0) return new Map<string, readonly MessageButton[]>()
    const { rows } = await database
      .tenant(tenantId)
      .query<{ id: string; buttons: readonly MessageButton[] }>(
        'select id, buttons from messaging_messages where id = any ($1) and buttons is not null',
        [ids],
      )
    return new Map(rows.map(row => [row.id, row.buttons]))
  }

  async function get(tenantId: string, { conversationId, id, userId }: MessageAddress): Promise<Message> {
    const [message] = await messageTable.query(
      database.tenant(tenantId),
      `select ${messageTable.columns('m')} from messaging_messages m
       join messaging_participants p on p.conversation_id = m.conversation_id and p.user_id = $3
       where m.id = $2 and m.conversation_id = $1`,
      [conversationId, id, userId],
    )
    if (!message) throw common.not_found({ what: 'message' })
    return message
  }

  async function edit(tenantId: string, at: MessageAddress, patch: MessagePatch): Promise<Message> {
    return database.tenant(tenantId).transaction(async unit => {
      const { conversation, message } = await lockOwnMessage(unit, at)
      if (message.deletedAt !== null) throw problems.message_deleted()
      assertNotEmpty(patch.body, message.attachments.length)
      if (isDeepStrictEqual({ ...message, ...patch }, message)) return message
      const changes = { ...patch, editedAt: new Date(clock.now()) }
      const saved = save(unit, conversation, message, changes)
      const published = publish(tenantId, conversation, 'message.updated', { ...message, ...changes })
      return (await together({ saved, published })).published
    })
  }

  async function remove(tenantId: string, at: MessageAddress): Promise<void> {
    await database.tenant(tenantId).transaction(async unit => {
      const { conversation, message } = await lockOwnMessage(unit, at)
      if (message.deletedAt !== null) return
      const changes = { body: null, attachments: [], deletedAt: new Date(clock.now()) }
      const saved = save(unit, conversation, message, changes)
      await Promise.all([saved, publish(tenantId, conversation, 'message.deleted', { ...message, ...changes })])
    })
  }

  async function lockOwnMessage(
    unit: Unit,
    { conversationId, id, userId }: MessageAddress,
  ): Promise<{ conversation: StoredConversation; message: Message }> {
    const { conversation, message } = await together({
      conversation: lockConversation(unit, conversationId, userId),
      message: messageTable.get(unit, { conversationId, id }),
    })
    if (message.senderId !== userId) throw problems.not_the_sender()
    return { conversation, message }
  }

  /** The conversation is locked. */
  async function save(
    unit: Unit,
    { id: conversationId, version: before }: StoredConversation,
    { id }: Message,
    changes: Partial<Message>,
  ): Promise<void> {
    const version = before + 1
    await unit.all([
      conversationTable.updateStep({ id: conversationId }, { version }),
      messageTable.updateStep({ conversationId, id }, { ...changes, version }),
    ])
  }

  async function publish(
    tenantId: string,
    { version: before, lastSeq, kind }: StoredConversation,
    type: 'message.updated' | 'message.deleted',
    changed: Message,
  ): Promise<Message> {
    const message = { ...changed, version: before + 1 }
    const { conversationId, id: messageId, senderId, seq, version } = message
    const payload = { conversationId, messageId, senderId }
    await events.publish(`messaging.${type}`, { tenantId, subject: messageId, payload })
    const frames = [conversationFrame(type, { conversationId, seq, version }, message)]
    const isSupport = kind === 'support'
    changeFeed.publish({ kind: 'change', tenantId, conversationId, version, lastSeq, isSupport, frames })
    return message
  }

  return { list, buttons, get, edit, remove }
}

export interface MessageAddress {
  readonly conversationId: string
  readonly id: string
  readonly userId: string
}

function parseCursor(cursor: string | undefined): number | undefined {
  const [seq] = decodeCursor(cursor, 1) ?? []
  if (seq === undefined) return undefined
  if (typeof seq !== 'number' || !Number.isInteger(seq) || seq < 0 || seq > MAX_SEQ) throw common.invalid_cursor()
  return seq
}
