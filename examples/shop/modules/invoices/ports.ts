/** The interfaces that other modules see, and the data of events and jobs. Types only. */
import type { PayloadsOf } from 'larder/kernel'
import type { events } from './events.ts'

export interface Invoice {
  readonly id: string
  /** Consecutive per tenant, starting at 1. */
  readonly number: number
  /** The customer's email address. */
  readonly customer: string
  /** In the smallest unit of the currency, such as cents. */
  readonly amount: number
  /** ISO 4217. */
  readonly currency: string
  readonly status: 'draft' | 'sent' | 'paid'
  readonly dueAt: Date | null
  readonly createdAt: Date
}
export type NewInvoice = Pick<Invoice, 'customer' | 'amount' | 'currency'>

export interface InvoiceQuery {
  readonly limit: number
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

declare module 'larder/kernel' {
  interface Ports {
    invoices: Invoices
  }
  interface Events extends PayloadsOf<typeof events> {}
  interface Jobs {
    'invoices.remind': { tenantId: string; invoiceId: string }
  }
}
