/** Invoices as they are stored and returned. */
import { Nullable, named, OneOf, type RecordOf, Time, Type, table } from '@larder-dev/larder/kernel'

export const InvoiceStatus = OneOf(['draft', 'sent', 'paid'])
export const invoiceFields = {
  customer: Type.String({ format: 'email', maxLength: 254 }),
  amount: Type.Integer({ minimum: 1, maximum: 1_000_000_000, description: 'In the smallest unit, such as cents' }),
  currency: Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217 code' }),
}

export const InvoiceRecord = named(
  'Invoice',
  Type.Object({
    id: Type.String(),
    number: Type.Integer({ description: 'Consecutive per workspace, starting at 1' }),
    ...invoiceFields,
    locale: Nullable(Type.String({ description: 'Language of emails; null for the language of the product' })),
    status: InvoiceStatus,
    dueAt: Nullable(Time),
    createdAt: Time,
  }),
)
export const invoiceTable = table('invoices_invoices', InvoiceRecord, {
  what: 'invoice',
  defaults: { status: 'draft' },
  hidden: { tenantId: Type.String() },
})
export type Invoice = RecordOf<typeof invoiceTable>
