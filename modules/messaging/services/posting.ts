/** Posting: the next number, the message, the event and what the sender has read, in one flight to the database. */
import { type Deps, newId } from 'larder/kernel'
import { digestOf } from '../core/digest.ts'
import { frameOf } from '../core/frames.ts'
import { createGathering } from '../core/gathering.ts'
import { invalidField, problems } from '../problems.ts'
import type { Attachment, Message, NewMessage } from '../schemas.ts'
import { updatedFrame } from './changes.ts'
import type { Notices } from './notices.ts'
import { type Draft, eventOf, isRefused, type Numbered, number, type Parcel } from './numbering.ts'
import { holdConversation, MESSAGE, sharedConversation } from './rows.ts'

/** Messages of one tenant in one flight. */
const MOST = 64

export interface Posted {
  readonly message: Message
  /** It was there already. */
  readonly repeated: boolean
}

export function createPosting(deps: Deps<'database' | 'clock' | 'events', 'mediaItems'>, notices: Notices) {
  const { database, clock, events, mediaItems } = deps
  const together = createGathering<Parcel, Numbered>(
    (tenantId, parcels) => number(database.tenant(tenantId), tenantId, parcels),
    MOST,
  )

  async function attached(tenantId: string, ids: readonly string[]): Promise<Attachment[]> {
    if (ids.length === 0) return []
    if (!mediaItems) throw invalidField('/attachments', 'not_allowed', 'must be empty: nothing here keeps files')
    const items = await mediaItems.ready(tenantId, ids)
    return items.map(({ id, fileName, mimeType, size }) => ({ id, fileName, mimeType, size }))
  }

  async function draftOf(tenantId: string, conversationId: string, posted: NewMessage, userId: string): Promise<Draft> {
    const { body, clientMessageId = null, attachments: ids = [] } = posted
    mustSaySomething(body, ids.length)
    return {
      ...{ id: newId('msg', clock.now()), conversationId, senderId: userId, clientMessageId, body },
      attachments: await attached(tenantId, ids),
      digest: clientMessageId === null ? null : digestOf(body, ids),
      ...{ createdAt: new Date(clock.now()), editedAt: null, deletedAt: null },
    }
  }

  async function told(tenantId: string, draft: Draft, { seq, version, woke }: Numbered): Promise<Message> {
    const { digest: _, ...rest } = draft
    const message = { ...rest, seq, version }
    const { conversationId } = message
    const frames = [frameOf('message.created', { conversationId, seq, version }, message)]
    if (woke) frames.push(updatedFrame(await sharedConversation(database.tenant(tenantId), conversationId)))
    notices.tell({ kind: 'change', tenantId, conversationId, version, lastSeq: seq, frames })
    database.afterCommit(events.wakeWorkers)
    return message
  }

  /** Looks before it writes: says why a flight did not land, or joins the unit that surrounds the call. */
  function carefully(tenantId: string, parcel: Parcel): Promise<Posted> {
    return database.tenant(tenantId).transaction(async unit => {
      const { conversationId, senderId, clientMessageId, digest } = parcel.draft
      await holdConversation(unit, conversationId, senderId)
      const { rows } = await unit.query<Message & { digest: string }>(
        `select ${MESSAGE}, m.digest from messaging_messages m
         where m.conversation_id = $1 and m.sender_id = $2 and m.client_message_id = $3`,
        [conversationId, senderId, clientMessageId],
      )
      if (rows[0] && rows[0].digest !== digest) throw problems.client_message_id_taken()
      if (rows[0]) return { message: rows[0], repeated: true }
      const [numbered] = await number(unit, tenantId, [parcel])
      return { message: await told(tenantId, parcel.draft, numbered as Numbered), repeated: false }
    })
  }

  return {
    /** Throws `not_found`, `client_message_id_taken`, and 422 of what keeps the files. */
    async post(tenantId: string, conversationId: string, posted: NewMessage, userId: string): Promise<Posted> {
      const draft = await draftOf(tenantId, conversationId, posted, userId)
      const parcel = { draft, event: eventOf(deps, tenantId, draft) }
      if (database.currentTenant() !== undefined) return carefully(tenantId, parcel)
      let numbered: Numbered
      try {
        numbered = await together(tenantId, parcel)
      } catch (error) {
        if (!isRefused(error)) throw error
        return carefully(tenantId, parcel)
      }
      return { message: await told(tenantId, draft, numbered), repeated: false }
    },
  }
}
export type Posting = ReturnType<typeof createPosting>

/** Throws 422 for a message of nothing. */
export function mustSaySomething(body: string, attachments: number): void {
  if (attachments === 0 && body.trim() === '')
    throw invalidField('/body', 'too_short', 'must have a body or attachments')
}
