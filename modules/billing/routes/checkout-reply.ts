import type { IncomingHttpHeaders } from 'node:http'
import { type Reply, reply } from '@larder-dev/larder/kernel'
import type { Checkout, PaymentProvider } from '../services/providers/provider.ts'

/** Redirects a browser to the payment page; other clients get the page's URL in the body. */
export function checkoutReply(
  checkout: Checkout,
  provider: Pick<PaymentProvider, 'name'>,
  headers: IncomingHttpHeaders,
): Reply {
  const isBrowser = isFormPost(headers) || (headers.accept ?? '').includes('text/html')
  return provider.name !== 'dev' && isBrowser ? reply(303, undefined, { location: checkout.url }) : reply(201, checkout)
}

const isFormPost = (headers: IncomingHttpHeaders): boolean =>
  (headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded')
