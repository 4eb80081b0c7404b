import { defineService } from '@larder-dev/larder/kernel'
import { checkOutbound, createOutbound } from './outbound.ts'
import type {} from './ports.ts'

export default defineService({
  name: 'outbound',
  summary: 'Connections to hosts that tenants choose: to public addresses, and to hosts that the recipe allows.',
  needs: ['product'],
  provides: { outbound: ({ product }) => createOutbound(product) },
  outboundCheck: checkOutbound,
})
