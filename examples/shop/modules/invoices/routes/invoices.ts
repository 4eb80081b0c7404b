import { type Deps, LanguageOf, route, Type, tableRoutes } from '@larder-dev/larder/kernel'
import { problems } from '../problems.ts'
import { InvoiceRecord, InvoiceStatus, invoiceFields, invoiceTable } from '../records.ts'
import { type Invoices, nextNumber } from '../services/invoice-service.ts'

type RouteDeps = Deps<'clock' | 'database' | 'product'> & { readonly invoices: Invoices }

export const invoiceRoutes = (deps: RouteDeps) => [
  ...tableRoutes(invoiceTable, deps, {
    path: '/invoices',
    list: {
      allow: 'invoices.invoice.read',
      summary: 'Lists invoices, newest first.',
      filters: { status: InvoiceStatus },
    },
    get: { allow: 'invoices.invoice.read', summary: 'Returns an invoice.' },
    create: {
      allow: 'invoices.invoice.create',
      summary: 'Creates an invoice.',
      prefix: 'inv',
      body: Type.Object({
        ...invoiceFields,
        locale: Type.Optional(LanguageOf(deps.product.locales.available, { description: 'Language of emails' })),
      }),
      values: async ({ unit, tenantId, now, body }) => ({
        ...body,
        tenantId,
        createdAt: now,
        number: await nextNumber(unit, tenantId),
      }),
    },
  }),
  route({
    method: 'post',
    path: '/invoices/:id/send',
    summary: 'Sends an invoice to its customer.',
    allow: 'invoices.invoice.send',
    replies: { 200: InvoiceRecord },
    problems: [problems.invoice_state],
    handle: ({ params, tenantId }) => deps.invoices.send(tenantId, params.id),
  }),
  route({
    method: 'post',
    path: '/invoices/:id/pay',
    summary: 'Marks an invoice as paid.',
    allow: 'invoices.invoice.pay',
    replies: { 200: InvoiceRecord },
    problems: [problems.invoice_state],
    handle: ({ params, tenantId }) => deps.invoices.pay(tenantId, params.id),
  }),
]
