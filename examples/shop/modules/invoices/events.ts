import { Type } from '@larder-dev/larder/kernel'

const InvoiceEvent = Type.Object({ invoiceId: Type.String() })

/** Payload schemas of the events that this module publishes. */
export const events = { 'invoices.invoice.sent': InvoiceEvent, 'invoices.invoice.paid': InvoiceEvent }
