/** Rows of messages: one per (key, template, recipient). */

import type { Deps, Result, Unit } from 'larder/kernel'
import { emailKey } from 'larder/kernel'

import { type HistoryEntry, historyEntry, type MessageState, PREVIOUS_STATES } from '../domain/message-states.ts'
import type { MailCategory } from '../ports.ts'

export interface Message {
  readonly id: string
  readonly tenantId: string
  readonly template: string
  readonly to: string
  readonly locale: string
  readonly category: MailCategory
  readonly subject: string
  readonly data: Readonly<Record<string, unknown>>
  readonly status: MessageState
  readonly attempts: number
  readonly history: readonly HistoryEntry[]
  readonly sentAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}
export type NewMessage = Pick<
  Message,
  'id' | 'tenantId' | 'template' | 'to' | 'locale' | 'category' | 'subject' | 'data'
> & {
  readonly status: 'queued' | 'suppressed'
  readonly key: string | undefined
  /** Detail of the first history entry. */
  readonly note: string | undefined
}
const COLUMNS = `id, tenant_id as "tenantId", template, recipient as "to", locale, category, subject, data, status,
  attempts, history, sent_at as "sentAt", created_at as "createdAt", updated_at as "updatedAt"`

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
  ): Promise<Message | undefined>
}

export function createMessageRepository({ database, clock }: Deps<'database' | 'clock'>): MessageRepository {
  const now = () => new Date(clock.now())
  const findByKey = async (unit: Unit, key: string | undefined, template: string, to: string) =>
    firstRow(
      await unit.query<Message>(
        `select ${COLUMNS} from comms_messages where key = $1 and template = $2 and recipient_key = $3`,
        [key, template, emailKey(to)],
      ),
    )
  return {
    async insert({ id, tenantId, template, to, locale, category, subject, data, status, key, note }) {
      const unit = database.tenant(tenantId)
      const values = [id, tenantId, template, to, emailKey(to), locale, category, subject, JSON.stringify(data)]
      const inserted = await unit.query<Message>(
        `insert into comms_messages (id, tenant_id, template, recipient, recipient_key, locale, category, subject, data,
           status, key, history, created_at, updated_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9::jsonb, $10, $11, $12::jsonb, $13, $13)
         on conflict (tenant_id, key, template, recipient_key) do nothing returning ${COLUMNS}`,
        [...values, status, key ?? null, JSON.stringify([historyEntry(status, clock.now(), note)]), now()],
      )
      const found = inserted.rows[0] ?? (await findByKey(unit, key, template, to))
      if (!found) throw new Error(`the message for ${template} was neither inserted nor found`)
      return found
    },

    find: async (tenantId, id) =>
      firstRow(
        await database.tenant(tenantId).query<Message>(`select ${COLUMNS} from comms_messages where id = $1`, [id]),
      ),

    lastAnswered: async ({ tenantId, id, to }, since) =>
      firstRow(
        await database.tenant(tenantId).query<Message>(
          `select ${COLUMNS} from comms_messages
            where recipient_key = $1 and id <> $2 and updated_at >= $3
              and status in ('sent', 'delivered', 'bounced', 'complained')
            order by id desc limit 1`,
          [emailKey(to), id, since],
        ),
      ),

    move: async (tenantId, id, to, entry, from = PREVIOUS_STATES[to]) =>
      firstRow(
        await database.tenant(tenantId).query<Message>(
          `update comms_messages
              set status = $2, history = history || $3::jsonb, updated_at = $4,
                  attempts = attempts + case when $2 = 'sending' then 1 else 0 end,
                  sent_at = case when $2 = 'sent' then $4
                                 when $2 in ('delivered', 'complained') then coalesce(sent_at, $4)
                                 else sent_at end
            where id = $1 and status = any ($5)
            returning ${COLUMNS}`,
          [id, to, JSON.stringify([entry]), now(), from],
        ),
      ),
  }
}

const firstRow = <Row>({ rows }: Result<Row>): Row | undefined => rows[0]
