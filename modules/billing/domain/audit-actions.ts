/** Actions of operators that this module records in the audit log. */
import type { Registrations } from '@larder-dev/larder/kernel'

export const auditActions: Registrations['auditActions'] = {
  'subscription.changed': { title: 'Plan changed by an operator', sentence: '{0} changed the plan' },
  'subscription.canceled': { title: 'Plan canceled by an operator', sentence: '{0} canceled the plan' },
  'trial.extended': { title: 'Trial extended by an operator', sentence: '{0} extended the trial' },
  'credits.granted': { title: 'Credits granted by an operator', sentence: '{0} granted credits' },
  'credits.taken_back': { title: 'Credits taken back by an operator', sentence: '{0} took credits back' },
}
