/** The data that the module keeps about a person, for the export of their account. */

import type { Deps, Registrations } from '@larder-dev/larder/kernel'
import { emailKey } from '@larder-dev/larder/kernel/internal'

/** Exports a person's emails without their data, which contains links that sign in or reset a password. */
export const personalData =
  ({ database }: Deps<'database'>): Registrations['personalData'] =>
  async ({ tenantId, email, limit }) => {
    if (email === null) return { emails: [], suppressions: [] }
    const unit = database.tenant(tenantId)
    const emails = await unit.query<object>(
      `select id, template, category, locale, subject, status, created_at as "createdAt", sent_at as "sentAt"
       from comms_messages where tenant_id = $1 and recipient_key = $2 order by id desc limit $3`,
      [tenantId, emailKey(email), limit],
    )
    const suppressions = await unit.query<object>(
      `select category, reason, expires_at as "expiresAt", created_at as "createdAt" from comms_suppression
       where email = $1`,
      [emailKey(email)],
    )
    return { emails: emails.rows, suppressions: suppressions.rows }
  }
