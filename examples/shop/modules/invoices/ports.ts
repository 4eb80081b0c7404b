/** Types only: what this module offers to others, tells them, and does later. */
export interface Invoice {
  readonly id: string
  /** Per tenant, from 1. */
  readonly number: number
  readonly customer: string
  /** In the currency's smallest unit: cents. */
  readonly amount: number
  /** ISO 4217. */
  readonly currency: string
  readonly status: 'draft' | 'sent' | 'paid'
  readonly dueAt: Date | null
  readonly createdAt: Date
}
export type NewInvoice = Pick<Invoice, 'customer' | 'amount' | 'currency'>

export interface Invoices {
  create(tenantId: string, invoice: NewInvoice): Promise<Invoice>
  /** Throws `not_found`. */
  get(tenantId: string, id: string): Promise<Invoice>
  /** Newest first. Throws `invalid_cursor`. */
  list(
    tenantId: string,
    page: { limit: number; cursor?: string; status?: Invoice['status'] },
  ): Promise<{ data: Invoice[]; nextCursor: string | null }>
  /** draft → sent; mails it. Throws `not_found`, `invoice_state`. */
  send(tenantId: string, id: string): Promise<Invoice>
  /** sent → paid; no reminder goes out any more. Throws `not_found`, `invoice_state`. */
  pay(tenantId: string, id: string): Promise<Invoice>
}

declare module 'larder/kernel' {
  interface Ports {
    invoices: Invoices
  }
  interface Events {
    'invoices.invoice.sent': { invoiceId: string }
    'invoices.invoice.paid': { invoiceId: string }
  }
  interface Jobs {
    'invoices.remind': { invoiceId: string }
  }
}
