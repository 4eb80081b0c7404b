/** The mailbox transport: stores emails for developers instead of sending them. */
import { type Deps, newId, statement } from '@larder-dev/larder/kernel'
import type { MailTransport } from './transport.ts'

/** Number of emails that are kept. */
const MAX_MAILS = 1000
const INSERT = statement(
  `insert into comms_mailbox
     (id, message_id, tenant_id, sender, recipient, subject, html, text, headers, created_at)
   values ($id, $messageId, $tenantId, $sender, $to, $subject, $html, $text, $headers::jsonb, $now)
   on conflict (message_id) do nothing`,
)

export function createMailboxTransport({ systemDatabase, clock }: Deps<'systemDatabase' | 'clock'>): MailTransport {
  return {
    name: 'mailbox',
    async send({ messageId, tenantId, from, to, subject, html, text, headers }) {
      const sender = from.name ? `${from.name} <${from.address}>` : from.address
      const now = clock.now()
      const mail = { messageId, tenantId, sender, to, subject, html, text, headers: JSON.stringify(headers) }
      await systemDatabase
        .acrossTenants('emails of every tenant are stored in one mailbox')
        .all([
          INSERT({ ...mail, id: newId('eml', now), now: new Date(now) }),
          [
            'delete from comms_mailbox where id <= (select id from comms_mailbox order by id desc offset $1 limit 1)',
            [MAX_MAILS],
          ],
        ])
      return ''
    },
    async close() {},
  }
}
