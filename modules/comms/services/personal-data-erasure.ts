/** Erases what the module keeps about a person who deleted their account. */
import type { Deps, Registrations } from '@larder-dev/larder/kernel'

/** Messages that one statement reads. */
const PAGE_SIZE = 1000

/** Suppressions stay, so that a person who unsubscribed gets no further email. */
export const erasePersonalData =
  ({ database, systemDatabase }: Deps<'database' | 'systemDatabase'>): Registrations['erasePersonalData'] =>
  async ({ tenantId, emails, patterns, name, redact }) => {
    const mailbox = systemDatabase.acrossTenants('emails to a deleted account are erased from the mailbox')
    const eraseFromMailbox = (ids: readonly string[]) =>
      mailbox.query(
        'delete from comms_mailbox where tenant_id = $1 and (message_id = any ($2) or lower(recipient) = any ($3))',
        [tenantId, ids, emails],
      )
    const unit = database.tenant(tenantId)
    await unit.query('delete from comms_messages where tenant_id = $1 and recipient_key = any ($2)', [tenantId, emails])
    // Emails to others name the person, for example as the sender of an invitation.
    for (let after: string | undefined = ''; after !== undefined; ) {
      const { rows }: { rows: readonly MessageTexts[] } = await unit.query<MessageTexts>(
        `select id, subject, data from comms_messages
         where tenant_id = $1 and id > $2 and (lower(data::text) like any ($3) or strpos(data::text, $4) > 0)
         order by id limit $5`,
        [tenantId, after, patterns, name === null ? null : JSON.stringify(name), PAGE_SIZE],
      )
      for (const { id, subject, data } of rows) {
        // The subject was made of the data.
        const shown = name === null ? redact(subject) : redact(subject).replaceAll(name, redact(name))
        await unit.query('update comms_messages set subject = $2, data = $3 where id = $1', [
          id,
          shown,
          JSON.stringify(redact(data)),
        ])
      }
      await eraseFromMailbox(rows.map(({ id }) => id))
      after = rows.length === PAGE_SIZE ? rows.at(-1)?.id : undefined
    }
  }

interface MessageTexts {
  id: string
  subject: string
  data: unknown
}
