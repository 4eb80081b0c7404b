import { type Deps, job } from 'larder/kernel'
import { mailData } from './mail.ts'

export const jobs = ({ invoices, mailer }: Deps<'invoices', 'mailer'>) => [
  job('invoices.remind', {
    async run({ invoiceId }, { tenantId, jobId: key }) {
      if (tenantId === null) throw new Error('a reminder belongs to a tenant')
      const invoice = await invoices.get(tenantId, invoiceId)
      if (invoice.status !== 'sent') return
      await mailer?.send({
        template: 'invoices.reminder',
        to: invoice.customer,
        tenantId,
        data: mailData(invoice),
        key,
      })
    },
  }),
]
