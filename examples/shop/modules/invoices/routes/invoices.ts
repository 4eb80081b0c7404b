import { type Deps, LanguageOf, listOf, listQuery, reply, route, Type } from '@larder-dev/larder/kernel'
import { problems } from '../problems.ts'
import { InvoiceRecord, InvoiceStatus, invoiceFields } from '../records.ts'

export const invoiceRoutes = ({ invoices, product }: Deps<'invoices' | 'product'>) => [
  route({
    method: 'get',
    path: '/invoices',
    summary: 'Lists invoices, newest first.',
    allow: 'invoices.invoice.read',
    query: listQuery({ 'filter[status]': Type.Optional(InvoiceStatus) }),
    replies: { 200: listOf(InvoiceRecord) },
    handle: ({ query, tenantId }) => invoices.list(tenantId, { ...query, status: query['filter[status]'] }),
  }),
  route({
    method: 'post',
    path: '/invoices',
    summary: 'Creates an invoice.',
    allow: 'invoices.invoice.create',
    body: Type.Object({
      ...invoiceFields,
      locale: Type.Optional(LanguageOf(product.locales.available, { description: 'Language of emails' })),
    }),
    replies: { 201: InvoiceRecord },
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
    replies: { 200: InvoiceRecord },
    handle: ({ params, tenantId }) => invoices.get(tenantId, params.id),
  }),
  route({
    method: 'post',
    path: '/invoices/:id/send',
    summary: 'Sends an invoice to its customer.',
    allow: 'invoices.invoice.send',
    replies: { 200: InvoiceRecord },
    problems: [problems.invoice_state],
    handle: ({ params, tenantId }) => invoices.send(tenantId, params.id),
  }),
  route({
    method: 'post',
    path: '/invoices/:id/pay',
    summary: 'Marks an invoice as paid.',
    allow: 'invoices.invoice.pay',
    replies: { 200: InvoiceRecord },
    problems: [problems.invoice_state],
    handle: ({ params, tenantId }) => invoices.pay(tenantId, params.id),
  }),
]
