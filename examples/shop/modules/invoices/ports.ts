/** The data of events and jobs. Types only. */
import type { PayloadsOf } from '@larder-dev/larder/kernel'
import type { events } from './events.ts'

declare module '@larder-dev/larder/kernel' {
  interface Events extends PayloadsOf<typeof events> {}
  interface Jobs {
    'invoices.remind': { tenantId: string; invoiceId: string }
  }
}
