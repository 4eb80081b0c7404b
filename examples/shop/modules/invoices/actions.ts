import { action, Type } from '@larder-dev/larder/kernel'
import { InvoiceStatus } from './records.ts'
import type { Invoices } from './services/invoice-service.ts'

export const actions = {
  send: action({
    title: { en: 'Send an invoice', de: 'Rechnung senden' },
    description: { en: 'Sends a draft to its customer', de: 'Sendet einen Entwurf an seinen Kunden' },
    input: Type.Object({ invoice: Type.String({ description: 'ID', examples: ['$event.payload.invoiceId'] }) }),
    output: Type.Object({ status: InvoiceStatus }),
    effects: 'database',
    async run({ invoices }: { readonly invoices: Invoices }, { invoice }, { tenantId }) {
      const { status } = await invoices.send(tenantId, invoice)
      return { status }
    },
  }),
}
