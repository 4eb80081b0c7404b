import { type Deps, listener } from 'larder/kernel'
import { mailData } from './domain/mail-data.ts'

export const listeners = ({ invoices, mailer }: Deps<'invoices', 'mailer'>) => [
  listener('invoices.invoice.sent', async ({ id: key, tenantId, payload }) => {
    const invoice = await invoices.get(tenantId, payload.invoiceId)
    // The key prevents a second mail if the event is delivered again.
    await mailer?.send({ template: 'invoices.sent', to: invoice.customer, tenantId, data: mailData(invoice), key })
  }),
]
