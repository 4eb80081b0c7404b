/** Actions of operators that this module records in the audit log. */
import type { Registrations } from '@larder-dev/larder/kernel'

export const auditActions: Registrations['auditActions'] = {
  'email.resent': { title: 'Email sent again by an operator', sentence: '{0} sent an email again' },
}
