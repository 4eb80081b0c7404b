import { type Deps, listener } from 'larder/kernel'
import { mailData } from './mail.ts'

/** The row of the mail is written together with the mark that the event is handled: one mail an invoice. */
export const listeners = ({ invoices, mailer }: Deps<'invoices', 'mailer'>) => [
  listener('invoices.invoice.sent', async ({ id: key, tenantId, payload }) => {
    const invoice = await invoices.get(tenantId, payload.invoiceId)
    await mailer?.send({ template: 'invoices.sent', to: invoice.customer, tenantId, data: mailData(invoice), key })
  }),
]
