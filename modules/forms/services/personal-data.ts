/** The data that the module keeps about a person, for the export of their account. */
import { type Deps, type Registrations, valuesOf, without } from '@larder-dev/larder/kernel'
import { recipientTable } from '../records/recipient.ts'
import { storedSubmission, submissionTable } from '../records/submission.ts'

const NOTIFICATION = ['email', 'state', 'locale', 'requestedAt', 'createdAt'] as const
/** `formVersion`, `spamReason`, `note` and `createdBy` stay inside. */
const EXPORTED = without(storedSubmission, ['formVersion', 'spamReason', 'note', 'createdBy'])
const NEWEST_SUBMISSIONS = `select ${submissionTable.columns()} from (
    select *, coalesce(sum(octet_length(data::text)) over (order by id desc), 0) as bytes
    from forms_submissions where created_by = $1 order by id desc limit $2
  ) newest where bytes <= $3 order by id desc`

export const personalData =
  ({ database }: Deps<'database'>): Registrations['personalData'] =>
  async ({ tenantId, userId, email, limit, maxBytes }) => {
    const unit = database.tenant(tenantId)
    const rows = await submissionTable.query(unit, NEWEST_SUBMISSIONS, [userId, limit, maxBytes])
    const submissions = rows.map(row => valuesOf(EXPORTED, row))
    const notifications = email === null ? [] : await recipientTable.newest(unit, { email }, NOTIFICATION, limit)
    const versions = await unit.query<object>(
      `select v.form_id as "formId", v.number, v.name, v.created_at as "createdAt"
       from forms_forms f join forms_versions v on v.form_id = f.id
       where f.tenant_id = $1 and v.created_by = $2 order by v.created_at desc limit $3`,
      [tenantId, userId, limit],
    )
    return { submissions, notifications, formVersions: versions.rows }
  }
