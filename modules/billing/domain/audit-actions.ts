/** Actions of operators that this module records in the audit log. */
import type { Registrations } from '@larder-dev/larder/kernel'

export const auditActions: Registrations['auditActions'] = {
  'subscription.changed': { title: 'Plan changed by an operator', sentence: '{0} changed the plan' },
  'credits.granted': { title: 'Credits granted by an operator', sentence: '{0} granted credits' },
  'credits.taken_back': { title: 'Credits taken back by an operator', sentence: '{0} took credits back' },
}
