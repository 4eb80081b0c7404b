/** Rows of messages: one per (key, template, recipient). */

import type { Deps, Unit } from '@larder-dev/larder/kernel'
import { emailKey } from '@larder-dev/larder/kernel/internal'
import { type HistoryEntry, historyEntry, type MessageState, PREVIOUS_STATES } from '../domain/message-states.ts'
import { type Message, messageTable } from '../records/message.ts'

export type NewMessage = Pick<
  Message,
  'id' | 'tenantId' | 'template' | 'to' | 'locale' | 'category' | 'subject' | 'data'
> & {
  readonly status: 'queued' | 'suppressed'
  readonly key: string | undefined
  /** Detail of the first history entry. */
  readonly note: string | undefined
}
export interface MessageRepository {
  /** Returns the existing message, with another id, if the key was used before. */
  insert(message: NewMessage): Promise<Message>
  find(tenantId: string, id: string): Promise<Message | undefined>
  /** The newest other message to the same address that a server accepted or refused. */
  lastAnswered(message: Message, since: Date): Promise<Message | undefined>
  /** Changes the state of a message. Undefined if its current state isn't in `from`. */
  move(
    tenantId: string,
    id: string,
    to: MessageState,
    entry: HistoryEntry,
    from?: readonly MessageState[],
    /** A unit of work across tenants. */
    unit?: Unit,
  ): Promise<Message | undefined>
  /** Adds to the history what changes no state. */
  note(tenantId: string, id: string, entry: HistoryEntry): Promise<void>
}

export function createMessageRepository({ database, clock }: Deps<'database' | 'clock'>): MessageRepository {
  const now = () => new Date(clock.now())
  return {
    async insert({ note, ...message }) {
      const { tenantId, template, to, status, key } = message
      const unit = database.tenant(tenantId)
      const recipientKey = emailKey(to)
      const values = {
        ...message,
        recipientKey,
        history: [historyEntry(status, clock.now(), note)],
        createdAt: now(),
        updatedAt: now(),
      }
      const [inserted] = await messageTable.query(unit, ...messageTable.insertStep(values, UNLESS_KNOWN))
      if (inserted) return inserted
      const found = key === undefined ? undefined : await messageTable.find(unit, { key, template, recipientKey })
      if (!found) throw new Error(`the message for ${template} was neither inserted nor found`)
      return found
    },

    find: (tenantId, id) => messageTable.find(database.tenant(tenantId), { id }),

    async lastAnswered({ tenantId, id, to }, since) {
      const [message] = await messageTable.query(database.tenant(tenantId), LAST_ANSWERED, [emailKey(to), id, since])
      return message
    },

    async move(tenantId, id, to, entry, from = PREVIOUS_STATES[to], unit = database.tenant(tenantId)) {
      const values = [id, to, JSON.stringify([entry]), now(), from]
      const [message] = await messageTable.query(unit, MOVE, values)
      return message
    },

    async note(tenantId, id, entry) {
      const values = [id, JSON.stringify([entry]), now()]
      await database
        .tenant(tenantId)
        .query('update comms_messages set history = history || $2::jsonb, updated_at = $3 where id = $1', values)
    },
  }
}

const UNLESS_KNOWN = `on conflict (tenant_id, key, template, recipient_key) do nothing returning ${messageTable.columns()}`
const LAST_ANSWERED = `select ${messageTable.columns()} from comms_messages
  where recipient_key = $1 and id <> $2 and updated_at >= $3 and status in ('sent', 'delivered', 'bounced', 'complained')
  order by id desc limit 1`
const MOVE = `update comms_messages
  set status = $2, history = history || $3::jsonb, updated_at = $4,
    attempts = attempts + case when $2 = 'sending' then 1 else 0 end,
    sent_at = case when $2 = 'sent' then $4
                   when $2 in ('delivered', 'complained') then coalesce(sent_at, $4)
                   else sent_at end
  where id = $1 and status = any ($5) returning ${messageTable.columns()}`
