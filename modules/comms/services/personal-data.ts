/** The data that the module keeps about a person, for the export of their account. */

import type { Deps, Registrations } from '@larder-dev/larder/kernel'
import { emailKey } from '@larder-dev/larder/kernel/internal'
import { messageTable } from '../records/message.ts'
import { suppressionTable } from '../records/suppression.ts'

const EMAIL = ['id', 'template', 'category', 'locale', 'subject', 'status', 'createdAt', 'sentAt'] as const
const SUPPRESSION = ['category', 'reason', 'expiresAt', 'createdAt'] as const

/** Exports a person's emails without their data, which contains links that sign in or reset a password. */
export const personalData =
  ({ database }: Deps<'database'>): Registrations['personalData'] =>
  async ({ tenantId, email, limit }) => {
    if (email === null) return { emails: [], suppressions: [] }
    const unit = database.tenant(tenantId)
    const recipientKey = emailKey(email)
    return {
      emails: await messageTable.newest(unit, { tenantId, recipientKey }, EMAIL, limit),
      suppressions: await suppressionTable.newest(unit, { email: recipientKey }, SUPPRESSION, limit),
    }
  }
