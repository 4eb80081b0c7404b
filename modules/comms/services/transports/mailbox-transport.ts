/** The mailbox transport: stores emails for developers instead of sending them. */
import { type Deps, newId } from '@larder-dev/larder/kernel'
import { mailboxTable } from '../../records/mailbox.ts'
import type { MailTransport } from './transport.ts'

/** Number of emails that are kept. */
const MAX_MAILS = 1000

export function createMailboxTransport({ systemDatabase, clock }: Deps<'systemDatabase' | 'clock'>): MailTransport {
  return {
    name: 'mailbox',
    async send({ messageId, tenantId, from, to, subject, html, text, headers }) {
      const sender = from.name ? `${from.name} <${from.address}>` : from.address
      const now = clock.now()
      const mail = mailboxTable.insertStep(
        {
          id: newId('eml', now),
          messageId,
          tenantId,
          sender,
          recipient: to,
          subject,
          html,
          text,
          headers,
          createdAt: new Date(now),
        },
        'on conflict (message_id) do nothing',
      )
      await systemDatabase
        .acrossTenants('emails of every tenant are stored in one mailbox')
        .all([
          mail,
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
