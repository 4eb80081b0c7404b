/** The mailbox: keeps what would be sent, so that a person can look at it. */
import { type Deps, newId } from 'larder/kernel'
import type { MailTransport } from './transport.ts'

/** Mails that are kept; the oldest go. */
const KEPT = 1000

export function createMailboxTransport({ database, clock }: Deps<'database' | 'clock'>): MailTransport {
  return {
    name: 'mailbox',
    async send({ messageId, tenantId, from, to, subject, html, text, headers }) {
      const sender = from.name ? `${from.name} <${from.address}>` : from.address
      const values = [messageId, tenantId, sender, to, subject, html, text, JSON.stringify(headers)]
      await database.system('mail of every tenant is kept in one mailbox').batch([
        [
          `insert into comms_mailbox
             (id, message_id, tenant_id, sender, recipient, subject, html, text, headers, created_at)
           values ($9, $1, $2, $3, $4, $5, $6, $7, $8::jsonb, $10) on conflict (message_id) do nothing`,
          [...values, newId('eml', clock.now()), new Date(clock.now())],
        ],
        [
          'delete from comms_mailbox where id <= (select id from comms_mailbox order by id desc offset $1 limit 1)',
          [KEPT],
        ],
      ])
      return 'kept in the mailbox'
    },
    async close() {},
  }
}
