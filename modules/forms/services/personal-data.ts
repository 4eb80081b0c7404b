/** What the module keeps about a person, for the export of their account. */
import type { Deps, Registrations } from 'larder/kernel'

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
    const notifications = await unit.query<object>(
      `select email, state, locale, requested_at as "requestedAt", created_at as "createdAt" from forms_recipients
       where email = $1`,
      [email],
    )
    const versions = await unit.query<object>(
      `select form_id as "formId", number, name, created_at as "createdAt" from forms_versions
       where created_by = $1 order by created_at desc limit $2`,
      [userId, limit],
    )
    return { submissions: submissions.rows, notifications: notifications.rows, formVersions: versions.rows }
  }
