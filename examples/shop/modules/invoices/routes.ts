import { type Deps, listOf, listQuery, pageLimit, reply, route } from 'larder/kernel'
import { problems } from './problems.ts'
import { Invoice, InvoiceFilter, NewInvoice } from './schemas.ts'

export const routes = ({ invoices }: Deps<'invoices'>) => [
  route({
    method: 'get',
    path: '/invoices',
    summary: 'Invoices, newest first',
    allow: 'invoices.invoice.read',
    query: listQuery(InvoiceFilter),
    replies: { 200: listOf(Invoice) },
    handle: ({ query, tenantId }) =>
      invoices.list(tenantId, { limit: pageLimit(query), cursor: query.cursor, status: query['filter[status]'] }),
  }),
  route({
    method: 'post',
    path: '/invoices',
    summary: 'Write an invoice',
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
    summary: 'One invoice',
    allow: 'invoices.invoice.read',
    replies: { 200: Invoice },
    handle: ({ params, tenantId }) => invoices.get(tenantId, params.id),
  }),
  route({
    method: 'post',
    path: '/invoices/:id/send',
    summary: 'Send an invoice to its customer',
    allow: 'invoices.invoice.send',
    replies: { 200: Invoice },
    problems: [problems.invoice_state],
    handle: ({ params, tenantId }) => invoices.send(tenantId, params.id),
  }),
  route({
    method: 'post',
    path: '/invoices/:id/pay',
    summary: 'Mark an invoice as paid',
    allow: 'invoices.invoice.pay',
    replies: { 200: Invoice },
    problems: [problems.invoice_state],
    handle: ({ params, tenantId }) => invoices.pay(tenantId, params.id),
  }),
]
