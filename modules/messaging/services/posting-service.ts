/** Posts messages: number, message, event and read state of the sender in one batch. */

import { createHash } from 'node:crypto'
import { type Deps, invalidField, isBlank, newId, together, type Unit, wording } from '@larder-dev/larder/kernel'
import { createBatcher } from '../domain/batcher.ts'
import { conversationFrame } from '../domain/frames.ts'
import { SYSTEM_SENDER } from '../domain/system-sender.ts'
import type { MessageButton } from '../ports.ts'
import { problems } from '../problems.ts'
import { conversationTable } from '../records/conversation.ts'
import { type Attachment, type Message, messageTable, type NewMessage } from '../records/message.ts'
import type { ChangeFeed } from './change-feed.ts'
import { lockConversation, lockSupportConversation, readSharedConversation } from './conversation-queries.ts'
import { updatedFrame } from './conversation-updates.ts'
import {
  createdEvent,
  type Draft,
  insertMessages,
  isConstraintViolation,
  type PendingMessage,
  type SequenceAssignment,
} from './message-sequence.ts'
import type { SupportDesk } from './support-desk.ts'

/** SHA-256 (base64url) of the content of a message, to distinguish a repeated request from another message. */
const digestOf = (body: string, attachments: readonly string[]): string =>
  createHash('sha256')
    .update(JSON.stringify([body, attachments]))
    .digest('base64url')

/** Messages of one tenant per batch. */
const MAX_BATCH_SIZE = 64

export interface Posted {
  readonly message: Message
  /** The message existed already. */
  readonly repeated: boolean
}

/** A message of a person. */
export interface PersonalMessage extends NewMessage {
  /** Whether its attachments have to be files that the sender has uploaded, as those of customers. */
  readonly ownFiles?: boolean | undefined
}

export interface PostingService {
  /** Throws `not_found`, `client_message_id_taken`, and 422 for unusable attachments. */
  post(tenantId: string, conversationId: string, posted: PersonalMessage, userId: string): Promise<Posted>
  /**
   * Answers a support conversation of the inbox of a workspace, also one of another workspace. The sender doesn't become
   * a participant. Throws the same problems, and `no_support_inbox`.
   */
  postAsSupport(tenantId: string, conversationId: string, posted: NewMessage, userId: string): Promise<Posted>
  /** Posts to any conversation of the workspace in the name of the product. Throws `not_found`. */
  postAsSystem(
    tenantId: string,
    conversationId: string,
    posted: NewMessage,
    buttons?: readonly MessageButton[],
  ): Promise<Message>
  /** Posts to a conversation that the unit has created, with the sender as participant. */
  postFirst(unit: Unit, tenantId: string, conversationId: string, posted: NewMessage, userId: string): Promise<Message>
}

export function createPosting(
  deps: Deps<'database' | 'clock' | 'events', 'entitlements' | 'mediaItems'> & {
    readonly changeFeed: ChangeFeed
    readonly supportDesk: SupportDesk
  },
): PostingService {
  const { database, clock, mediaItems, entitlements, changeFeed, supportDesk } = deps
  const insertBatched = createBatcher<PendingMessage, SequenceAssignment>(
    (tenantId, messages) => insertMessages(database.tenant(tenantId), tenantId, messages),
    MAX_BATCH_SIZE,
  )

  async function resolveAttachments(
    tenantId: string,
    ids: readonly string[],
    uploadedBy: string | undefined,
  ): Promise<Attachment[]> {
    if (ids.length === 0) return []
    if (!mediaItems) throw invalidField('/attachments', 'not_allowed', wording('must be empty: no module stores files'))
    const items = await mediaItems.ready(tenantId, ids, uploadedBy)
    return items.map(({ id, fileName, mimeType, size }) => ({ id, fileName, mimeType, size }))
  }

  async function createDraft(
    tenantId: string,
    conversationId: string,
    posted: PersonalMessage,
    userId: string,
  ): Promise<Draft> {
    const { body, clientMessageId = null, attachments: ids = [], ownFiles } = posted
    assertNotEmpty(body, ids.length)
    return {
      id: newId('msg', clock.now()),
      conversationId,
      senderId: userId,
      clientMessageId,
      body,
      attachments: await resolveAttachments(tenantId, ids, ownFiles ? userId : undefined),
      digest: clientMessageId === null ? null : digestOf(body, ids),
      createdAt: new Date(clock.now()),
      editedAt: null,
      deletedAt: null,
    }
  }

  async function publish(
    unit: Unit,
    tenantId: string,
    draft: Draft,
    { seq, version, reopened, isSupport }: SequenceAssignment,
  ): Promise<Message> {
    const { digest: _, ...rest } = draft
    const message = { ...rest, seq, version }
    const { conversationId } = message
    const frames = [conversationFrame('message.created', { conversationId, seq, version }, message)]
    if (reopened) frames.push(updatedFrame(await readSharedConversation(unit, conversationId)))
    changeFeed.publish({ kind: 'change', tenantId, conversationId, version, lastSeq: seq, isSupport, frames })
    return message
  }

  /** Checks before writing, to report why a batch failed or to join the surrounding unit. */
  function postInTransaction(within: Unit, tenantId: string, pending: PendingMessage): Promise<Posted> {
    return within.transaction(async unit => {
      const { conversationId, senderId, clientMessageId, digest } = pending.draft
      const {
        repeated: [repeated],
      } = await together({
        lock:
          pending.sender === 'support'
            ? lockSupportConversation(unit, conversationId)
            : lockConversation(unit, conversationId, senderId),
        repeated: messageTable.query<{ digest: string }>(
          unit,
          `select ${messageTable.columns()}, digest from messaging_messages
           where conversation_id = $1 and sender_id = $2 and client_message_id = $3`,
          [conversationId, senderId, clientMessageId],
        ),
      })
      if (repeated && repeated.digest !== digest) throw problems.client_message_id_taken()
      if (repeated) return { message: repeated, repeated: true }
      return { message: await insert(unit, tenantId, pending), repeated: false }
    })
  }

  async function insert(unit: Unit, tenantId: string, pending: PendingMessage): Promise<Message> {
    const [assignment] = await insertMessages(unit, tenantId, [pending])
    return publish(unit, tenantId, pending.draft, assignment as SequenceAssignment)
  }

  async function createPending(
    tenantId: string,
    conversationId: string,
    posted: PersonalMessage,
    userId: string,
  ): Promise<PendingMessage> {
    const draft = await createDraft(tenantId, conversationId, posted, userId)
    await entitlements?.requireRowStorage(tenantId, Buffer.byteLength(posted.body))
    return { draft, event: createdEvent(deps, tenantId, draft), sender: 'participant' }
  }

  /** The plan of a customer doesn't limit what the operator's team writes to them. */
  async function createAnswer(
    tenantId: string,
    conversationId: string,
    posted: NewMessage,
    userId: string,
  ): Promise<PendingMessage> {
    if ((posted.attachments ?? []).length > 0)
      throw invalidField(
        '/attachments',
        'not_allowed',
        wording('must be empty: files of another workspace have no place here'),
      )
    const draft = await createDraft(tenantId, conversationId, posted, userId)
    return { draft, event: createdEvent(deps, tenantId, draft), sender: 'support' }
  }

  return {
    async postFirst(unit, tenantId, conversationId, posted, userId) {
      return insert(unit, tenantId, await createPending(tenantId, conversationId, posted, userId))
    },

    async postAsSystem(tenantId, conversationId, posted, buttons) {
      const pending = await createPending(tenantId, conversationId, posted, SYSTEM_SENDER)
      return database.tenant(tenantId).transaction(async unit => {
        await conversationTable.get(unit, { id: conversationId }, { lock: true })
        return insert(unit, tenantId, { ...pending, sender: 'system', ...(buttons && { buttons }) })
      })
    },

    async postAsSupport(inboxId, conversationId, posted, userId) {
      supportDesk.assertInbox(inboxId)
      const tenantId = await supportDesk.tenantOf(inboxId, conversationId)
      // The unit of an Idempotency-Key belongs to the workspace of the inbox.
      const unit = supportDesk.unitOf(inboxId)
      if (tenantId !== inboxId)
        return postInTransaction(unit, tenantId, await createAnswer(tenantId, conversationId, posted, userId))
      const pending = await createPending(tenantId, conversationId, posted, userId)
      return postInTransaction(unit, tenantId, { ...pending, sender: 'support' })
    },

    async post(tenantId: string, conversationId: string, posted: PersonalMessage, userId: string): Promise<Posted> {
      const pending = await createPending(tenantId, conversationId, posted, userId)
      const { draft } = pending
      if (database.currentTenant() !== undefined) return postInTransaction(database.tenant(tenantId), tenantId, pending)
      let assignment: SequenceAssignment
      try {
        assignment = await insertBatched(tenantId, pending)
      } catch (error) {
        if (!isConstraintViolation(error)) throw error
        return postInTransaction(database.tenant(tenantId), tenantId, pending)
      }
      return { message: await publish(database.tenant(tenantId), tenantId, draft, assignment), repeated: false }
    },
  }
}

/** Throws 422 for a message without text and attachments. */
export function assertNotEmpty(body: string, attachments: number): void {
  if (attachments === 0 && isBlank(body))
    throw invalidField('/body', 'too_short', wording('must have a body or attachments'))
}
