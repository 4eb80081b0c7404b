/** Emails new submissions to the addresses that the form notifies. */
import { type Deps, type Event, listener, Problem } from '@larder-dev/larder/kernel'
import { notificationContent } from './domain/notification-fields.ts'
import { formTexts } from './domain/page-texts.ts'
import { recipientLink } from './domain/recipients.ts'
import type { FormServices } from './services.ts'

type Mail = Parameters<NonNullable<Deps<never, 'mailer'>['mailer']>['send']>[0]
type ListenerDeps = Deps<'database' | 'log' | 'product' | 'theme', 'mailer'> &
  Pick<FormServices, 'formCache' | 'recipients'>
interface SubmissionRow {
  readonly notify: string[]
  readonly managedBy: string | null
  readonly data: unknown
  readonly createdAt: Date
}

export function listeners({ mailer, formCache, recipients, database, log, product, theme }: ListenerDeps) {
  if (!mailer) return []

  /** An invalid address doesn't keep the email from the others. */
  async function send(mail: Mail): Promise<void> {
    try {
      await mailer?.send(mail)
    } catch (error) {
      if (!Problem.is(error) || error.code !== 'invalid_address') throw error
      log.warn({ tenantId: mail.tenantId, template: mail.template }, 'form notification has an invalid address')
    }
  }

  /** The event's id is the key of the email, so that a second delivery sends no second email. */
  async function notify({ id, tenantId, payload }: Event<'forms.submission.created'>): Promise<void> {
    const { rows } = await database.tenant(tenantId).query<SubmissionRow>(
      `select f.notify, f.managed_by as "managedBy", s.data, s.created_at as "createdAt" from forms_forms f
       join forms_submissions s on s.form_id = f.id where f.id = $1 and s.id = $2`,
      [payload.formId, payload.submissionId],
    )
    // The submission may have been deleted since.
    const [submission] = rows
    if (!submission || submission.notify.length === 0) return
    const form = await formCache.find(payload.formId)
    const version = await formCache.version(form, payload.formVersion)
    for (const recipient of await recipients.recipients(tenantId, submission)) {
      const { address: to, locale = product.locales.default, id: recipientId } = recipient
      const { title, model } = version.in(locale)
      const { values } = formTexts(text => theme.text(locale, text))
      const content = notificationContent(model, submission.data, values)
      const unsubscribe = recipientId === null ? null : recipientLink('unsubscribe', { id: recipientId, version: 1 })
      const data = { form: title, at: submission.createdAt.toISOString(), ...content, unsubscribe }
      await send({ template: 'forms.submission', to, tenantId, key: id, locale, data })
    }
  }

  return [
    listener('forms.submission.created', notify),
    listener('identity.member.joined', ({ tenantId, payload }) => recipients.forgetMember(tenantId, payload.userId)),
  ]
}
