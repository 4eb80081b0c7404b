import { idPattern, Nullable, OneOf, Timestamp, Type } from 'larder/kernel'

const Status = OneOf(['draft', 'sent', 'paid'])
const facts = {
  customer: Type.String({ format: 'email', maxLength: 254 }),
  amount: Type.Integer({ minimum: 1, maximum: 1_000_000_000, description: 'In the smallest unit: cents' }),
  currency: Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217' }),
}

export const NewInvoice = Type.Object(facts)
export const Invoice = Type.Object({
  id: Type.String({ pattern: idPattern('inv') }),
  number: Type.Integer(),
  ...facts,
  status: Status,
  dueAt: Nullable(Timestamp),
  createdAt: Timestamp,
})
export const InvoiceFilter = { 'filter[status]': Type.Optional(Status) }
export const InvoiceEvent = Type.Object({ invoiceId: Type.String() })
