import { type Deps, job } from '@larder-dev/larder/kernel'
import { invoiceMail } from './domain/invoice-mail.ts'
import type { Invoices } from './services/invoice-service.ts'

export const jobs = ({ invoices, mailer }: Deps<never, 'mailer'> & { readonly invoices: Invoices }) => [
  job('invoices.remind', {
    async run({ tenantId, invoiceId }, { jobId: key }) {
      const invoice = await invoices.get(tenantId, invoiceId)
      if (invoice.status !== 'sent') return
      await mailer?.send({ ...invoiceMail(invoice), template: 'invoices.reminder', tenantId, key })
    },
  }),
]
