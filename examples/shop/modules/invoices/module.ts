import { defineModule } from '@larder-dev/larder/kernel'
import { actions } from './actions.ts'
import { events } from './events.ts'
import { jobs } from './jobs.ts'
import { listeners } from './listeners.ts'
import { Options } from './options.ts'
import type {} from './ports.ts'
import { problems } from './problems.ts'
import { invoiceRoutes } from './routes/invoices.ts'
import { createInvoices } from './services/invoice-service.ts'

export default defineModule({
  name: 'invoices',
  version: '1.0.0',
  summary: 'Sends invoices by email and reminds customers when they are due.',
  needs: ['clock', 'database', 'events', 'jobs', 'product'],
  optional: ['mailer'],
  options: Options,
  permissions: {
    'invoices.invoice.read': 'Read invoices',
    'invoices.invoice.create': 'Create invoices',
    'invoices.invoice.send': 'Send invoices',
    'invoices.invoice.pay': 'Mark invoices as paid',
  },
  roles: { 'tenant.bookkeeper': { name: 'Bookkeeper', permissions: ['invoices.*'] } },
  problems,
  events,
  actions,
  services: { invoices: createInvoices },
  routes: invoiceRoutes,
  listeners,
  jobs,
  migrations: new URL('./migrations/', import.meta.url),
  emails: new URL('./emails/', import.meta.url),
  locales: new URL('./locales/', import.meta.url),
})
