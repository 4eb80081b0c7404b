import { type Deps, listener } from '@larder-dev/larder/kernel'
import { invoiceMail } from './domain/invoice-mail.ts'

export const listeners = ({ invoices, mailer }: Deps<'invoices', 'mailer'>) => [
  listener('invoices.invoice.sent', async ({ id: key, tenantId, payload }) => {
    const invoice = await invoices.get(tenantId, payload.invoiceId)
    // The key prevents a second mail if the event is delivered again.
    await mailer?.send({ ...invoiceMail(invoice), template: 'invoices.sent', tenantId, key })
  }),
]
