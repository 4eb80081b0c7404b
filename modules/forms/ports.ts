/** Events, jobs and channels of forms: types only. */
import type { PayloadsOf } from '@larder-dev/larder/kernel'
import type { events } from './events.ts'

declare module '@larder-dev/larder/kernel' {
  interface Events extends PayloadsOf<typeof events> {}
  interface Jobs {
    /** Deletes submissions that were written while their form was being deleted. */
    'forms.delete_late_submissions': { formId: string }
    /** Emails a request to confirm notifications. */
    'forms.request_confirmation': { id: string; version: number; to: string }
    /** Deletes addresses that no form notifies any more. */
    'forms.sweep_recipients': Record<string, never>
  }
  interface Channels {
    'forms.changed': { formId: string }
  }
}
