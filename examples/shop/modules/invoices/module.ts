import { defineModule } from 'larder/kernel'
import { jobs } from './jobs.ts'
import { listeners } from './listeners.ts'
import { Options } from './options.ts'
import type {} from './ports.ts'
import { problems } from './problems.ts'
import { routes } from './routes.ts'
import { InvoiceEvent } from './schemas.ts'
import { createInvoices } from './service.ts'

export default defineModule({
  name: 'invoices',
  version: '1.0.0',
  summary: 'Writes invoices, mails them, and reminds of those that are due.',
  needs: ['clock', 'database', 'events', 'jobs'],
  optional: ['mailer'],
  options: Options,
  permissions: {
    'invoices.invoice.read': 'Read invoices',
    'invoices.invoice.create': 'Write invoices',
    'invoices.invoice.send': 'Send invoices',
    'invoices.invoice.pay': 'Mark invoices as paid',
  },
  roles: { 'tenant.bookkeeper': { name: 'Bookkeeper', permissions: ['invoices.*'] } },
  problems,
  events: { 'invoices.invoice.sent': InvoiceEvent, 'invoices.invoice.paid': InvoiceEvent },
  provides: { invoices: createInvoices },
  routes,
  listeners: listeners,
  jobs,
  migrations: new URL('./migrations/', import.meta.url),
  emails: new URL('./emails/', import.meta.url),
})
