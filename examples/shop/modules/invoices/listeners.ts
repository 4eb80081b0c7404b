import { type Deps, listener } from '@larder-dev/larder/kernel'
import { invoiceMail } from './domain/invoice-mail.ts'
import type { Invoices } from './services/invoice-service.ts'

export const listeners = ({ invoices, mailer }: Deps<never, 'mailer'> & { readonly invoices: Invoices }) => [
  listener('invoices.invoice.sent', async ({ id: key, tenantId, payload }) => {
    const invoice = await invoices.get(tenantId, payload.invoiceId)
    // The key prevents a second mail if the event is delivered again.
    await mailer?.send({ ...invoiceMail(invoice), template: 'invoices.sent', tenantId, key })
  }),
]
