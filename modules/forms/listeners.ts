/** Mail about new entries. It holds the event's id, so that a second delivery sends no second mail. */
import { type Deps, type Event, listener, Problem } from 'larder/kernel'
import { fieldsOf } from './domain/notification-fields.ts'

type Mail = Parameters<NonNullable<Deps<never, 'mailer'>['mailer']>['send']>[0]

export function listeners({ mailer, forms, database, log }: Deps<'forms' | 'database' | 'log', 'mailer'>) {
  if (!mailer) return []

  /** One address that cannot be written to does not keep the mail from the others. */
  async function send(to: string, mail: Omit<Mail, 'to'>): Promise<void> {
    try {
      await mailer?.send({ ...mail, to })
    } catch (error) {
      if (!Problem.is(error) || error.code !== 'invalid_address') throw error
      log.warn({ tenantId: mail.tenantId, template: mail.template }, 'a form notifies an address that takes no mail')
    }
  }

  async function notify({ id, tenantId, payload }: Event<'forms.submission.created'>): Promise<void> {
    const { rows } = await database.tenant(tenantId).query<{ notify: string[]; data: unknown; createdAt: Date }>(
      `select f.notify, s.data, s.created_at as "createdAt" from forms_forms f
       join forms_submissions s on s.form_id = f.id where f.id = $1 and s.id = $2`,
      [payload.formId, payload.submissionId],
    )
    // Deleted meanwhile.
    const [entry] = rows
    if (!entry || entry.notify.length === 0) return
    const form = await forms.definitions.find(payload.formId)
    const { name, model } = await forms.definitions.version(form, payload.formVersion)
    const data = { form: name, at: entry.createdAt.toISOString(), fields: fieldsOf(model, entry.data) }
    for (const to of entry.notify) await send(to, { template: 'forms.submission', tenantId, key: id, data })
  }

  return [listener('forms.submission.created', notify)]
}
