import type { IncomingHttpHeaders } from 'node:http'
import { type Reply, reply } from 'larder/kernel'
import type { Provider } from '../services/providers/provider.ts'
import type { Checkout } from '../schemas.ts'

/** A browser is sent to the page where it pays; a program is told where that is. */
export function answerOf(checkout: Checkout, provider: Pick<Provider, 'name'>, headers: IncomingHttpHeaders): Reply {
  const browser = isForm(headers) || (headers.accept ?? '').includes('text/html')
  return provider.name !== 'dev' && browser ? reply(303, undefined, { location: checkout.url }) : reply(201, checkout)
}

const isForm = (headers: IncomingHttpHeaders): boolean =>
  (headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded')
