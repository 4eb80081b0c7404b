/** The interfaces that other modules see, and the data of events and jobs. Types only. */
import type { PayloadsOf } from '@larder-dev/larder/kernel'
import type { events } from './events.ts'
import type { Invoice, NewInvoice } from './records.ts'

export interface InvoiceQuery {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
  readonly status?: Invoice['status'] | undefined
}

export interface Invoices {
  create(tenantId: string, invoice: NewInvoice): Promise<Invoice>
  /** Throws `not_found`. */
  get(tenantId: string, id: string): Promise<Invoice>
  /** Newest first. Throws `invalid_cursor`. */
  list(tenantId: string, query: InvoiceQuery): Promise<{ data: Invoice[]; nextCursor: string | null }>
  /** Changes a draft to `sent`, mails it and schedules the reminder. Throws `not_found` and `invoice_state`. */
  send(tenantId: string, id: string): Promise<Invoice>
  /** Changes a sent invoice to `paid` and cancels the reminder. Throws `not_found` and `invoice_state`. */
  pay(tenantId: string, id: string): Promise<Invoice>
}

declare module '@larder-dev/larder/kernel' {
  interface Ports {
    invoices: Invoices
  }
  interface Events extends PayloadsOf<typeof events> {}
  interface Jobs {
    'invoices.remind': { tenantId: string; invoiceId: string }
  }
}
