import { type Deps, job } from 'larder/kernel'
import { mailData } from './domain/mail-data.ts'

export const jobs = ({ invoices, mailer }: Deps<'invoices', 'mailer'>) => [
  job('invoices.remind', {
    async run({ tenantId, invoiceId }, { jobId: key }) {
      const invoice = await invoices.get(tenantId, invoiceId)
      if (invoice.status !== 'sent') return
      const data = mailData(invoice)
      await mailer?.send({ template: 'invoices.reminder', to: invoice.customer, tenantId, data, key })
    },
  }),
]
