import {
  type Deps,
  idPattern,
  listOf,
  listQuery,
  Nullable,
  OneOf,
  pageLimit,
  reply,
  route,
  Timestamp,
  Type,
} from 'larder/kernel'
import { problems } from '../problems.ts'

const Status = OneOf(['draft', 'sent', 'paid'])
const fields = {
  customer: Type.String({ format: 'email', maxLength: 254 }),
  amount: Type.Integer({ minimum: 1, maximum: 1_000_000_000, description: 'In the smallest unit, such as cents' }),
  currency: Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217 code' }),
}
const NewInvoice = Type.Object(fields)
const Invoice = Type.Object({
  id: Type.String({ pattern: idPattern('inv') }),
  number: Type.Integer(),
  ...fields,
  status: Status,
  dueAt: Nullable(Timestamp),
  createdAt: Timestamp,
})

export const invoiceRoutes = ({ invoices }: Deps<'invoices'>) => [
  route({
    method: 'get',
    path: '/invoices',
    summary: 'Lists invoices, newest first.',
    allow: 'invoices.invoice.read',
    query: listQuery({ 'filter[status]': Type.Optional(Status) }),
    replies: { 200: listOf(Invoice) },
    handle: ({ query, tenantId }) =>
      invoices.list(tenantId, { limit: pageLimit(query), cursor: query.cursor, status: query['filter[status]'] }),
  }),
  route({
    method: 'post',
    path: '/invoices',
    summary: 'Creates an invoice.',
    allow: 'invoices.invoice.create',
    body: NewInvoice,
    replies: { 201: Invoice },
    async handle({ body, tenantId }) {
      const invoice = await invoices.create(tenantId, body)
      return reply(201, invoice, { location: `/v1/invoices/${invoice.id}` })
    },
  }),
  route({
    method: 'get',
    path: '/invoices/:id',
    summary: 'Returns an invoice.',
    allow: 'invoices.invoice.read',
    replies: { 200: Invoice },
    handle: ({ params, tenantId }) => invoices.get(tenantId, params.id),
  }),
  route({
    method: 'post',
    path: '/invoices/:id/send',
    summary: 'Sends an invoice to its customer.',
    allow: 'invoices.invoice.send',
    replies: { 200: Invoice },
    problems: [problems.invoice_state],
    handle: ({ params, tenantId }) => invoices.send(tenantId, params.id),
  }),
  route({
    method: 'post',
    path: '/invoices/:id/pay',
    summary: 'Marks an invoice as paid.',
    allow: 'invoices.invoice.pay',
    replies: { 200: Invoice },
    problems: [problems.invoice_state],
    handle: ({ params, tenantId }) => invoices.pay(tenantId, params.id),
  }),
]
