/** Emails new submissions to the addresses that the form notifies. */
import { type Deps, type Event, listener, Problem } from 'larder/kernel'
import { notificationFields } from './domain/notification-fields.ts'

type Mail = Parameters<NonNullable<Deps<never, 'mailer'>['mailer']>['send']>[0]
type ListenerDeps = Deps<'formServices' | 'database' | 'log', 'mailer'>

export function listeners({ mailer, formServices, database, log }: ListenerDeps) {
  if (!mailer) return []

  /** An invalid address doesn't keep the email from the others. */
  async function send(to: string, mail: Omit<Mail, 'to'>): Promise<void> {
    try {
      await mailer?.send({ ...mail, to })
    } catch (error) {
      if (!Problem.is(error) || error.code !== 'invalid_address') throw error
      log.warn({ tenantId: mail.tenantId, template: mail.template }, 'form notification has an invalid address')
    }
  }

  /** The event's id is the key of the email, so that a second delivery sends no second email. */
  async function notify({ id, tenantId, payload }: Event<'forms.submission.created'>): Promise<void> {
    const { rows } = await database.tenant(tenantId).query<{ notify: string[]; data: unknown; createdAt: Date }>(
      `select f.notify, s.data, s.created_at as "createdAt" from forms_forms f
       join forms_submissions s on s.form_id = f.id where f.id = $1 and s.id = $2`,
      [payload.formId, payload.submissionId],
    )
    // The submission may have been deleted since.
    const [submission] = rows
    if (!submission || submission.notify.length === 0) return
    const form = await formServices.cache.find(payload.formId)
    const { name, model } = await formServices.cache.version(form, payload.formVersion)
    const fields = notificationFields(model, submission.data)
    const data = { form: name, at: submission.createdAt.toISOString(), fields }
    for (const to of submission.notify) await send(to, { template: 'forms.submission', tenantId, key: id, data })
  }

  return [listener('forms.submission.created', notify)]
}
