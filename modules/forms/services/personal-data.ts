/** The data that the module keeps about a person, for the export of their account. */
import type { Deps, Registrations } from '@larder-dev/larder/kernel'
import { recipientTable } from '../records/recipient.ts'

const NOTIFICATION = ['email', 'state', 'locale', 'requestedAt', 'createdAt'] as const

export const personalData =
  ({ database }: Deps<'database'>): Registrations['personalData'] =>
  async ({ tenantId, userId, email, limit, maxBytes }) => {
    const unit = database.tenant(tenantId)
    const submissions = await unit.query<object>(
      `select id, "formId", data, meta, "createdAt" from (
         select id, form_id as "formId", data, meta, created_at as "createdAt",
           coalesce(sum(octet_length(data::text)) over (order by id desc), 0) as bytes
         from forms_submissions where created_by = $1 order by id desc limit $2
       ) newest where bytes <= $3 order by id desc`,
      [userId, limit, maxBytes],
    )
    const notifications = email === null ? [] : await recipientTable.newest(unit, { email }, NOTIFICATION, limit)
    const versions = await unit.query<object>(
      `select v.form_id as "formId", v.number, v.name, v.created_at as "createdAt"
       from forms_forms f join forms_versions v on v.form_id = f.id
       where f.tenant_id = $1 and v.created_by = $2 order by v.created_at desc limit $3`,
      [tenantId, userId, limit],
    )
    return { submissions: submissions.rows, notifications, formVersions: versions.rows }
  }
