/** A server with the endpoints of Stripe's API that billing uses, and with Stripe's webhook signatures. */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import Stripe from 'stripe'

export const SECRET_KEY = 'sk_test_larder'
export const WEBHOOK_SECRET = 'whsec_larder'

export interface StripeCall {
  readonly method: string
  readonly path: string
  readonly form: URLSearchParams
}
export interface StripeServer {
  readonly port: number
  readonly calls: StripeCall[]
  /** The webhook endpoints of the account. */
  endpoints: object[]
  /** Error reply to the next call. */
  failNext: { status: number; error: object } | undefined
  close(): Promise<void>
}

export async function startStripe(): Promise<StripeServer> {
  const server = createServer(async (request, response) => {
    const path = (request.url ?? '').split('?')[0] as string
    const form = new URLSearchParams(await textOf(request))
    const { failNext } = state
    state.failNext = undefined
    state.calls.push({ method: request.method ?? '', path, form })
    const authorized = request.headers.authorization === `Bearer ${SECRET_KEY}`
    const status = failNext?.status ?? (authorized ? 200 : 401)
    const body = failNext
      ? { error: failNext.error }
      : authorized
        ? path === '/v1/webhook_endpoints'
          ? { object: 'list', data: state.endpoints, has_more: false }
          : answer(request.method ?? '', path, form)
        : { error: {} }
    response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_1' }).end(JSON.stringify(body))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const state: StripeServer = {
    port: (server.address() as AddressInfo).port,
    calls: [],
    endpoints: [],
    failNext: undefined,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return state
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

let made = 0
function answer(method: string, path: string, form: URLSearchParams): object {
  if (path === '/v1/checkout/sessions') {
    const id = `cs_test_${++made}`
    return { id, object: 'checkout.session', url: `https://checkout.stripe.test/c/${id}` }
  }
  if (path === '/v1/billing_portal/sessions')
    return { id: 'bps_1', object: 'billing_portal.session', url: 'https://billing.stripe.test/p/1' }
  const id = /^\/v1\/subscriptions\/(\w+)$/.exec(path)?.[1] ?? ''
  const planKey = form.get('metadata[planKey]')
  const trialEnd = form.get('trial_end')
  const more = {
    status: method === 'DELETE' ? 'canceled' : trialEnd ? 'trialing' : 'active',
    cancel_at_period_end: form.get('cancel_at_period_end') === 'true',
    ...(trialEnd && { trial_end: Number(trialEnd) }),
    ...(planKey && { metadata: { planKey } }),
  }
  return trialEnd ? subscription(id, more, Number(trialEnd)) : subscription(id, more)
}

/** A subscription object of Stripe; `current_period_end` in seconds. */
export const subscription = (id: string, more: object = {}, periodEnd = 4_000_000_000) => ({
  id,
  object: 'subscription',
  status: 'active',
  customer: `cus_${id}`,
  cancel_at_period_end: false,
  cancel_at: null,
  metadata: {},
  items: {
    data: [{ id: `si_${id}`, current_period_end: periodEnd, price: { id: 'price_x', product: 'prod_x' } }],
  },
  ...more,
})

/** The body of a Stripe event. @param created milliseconds since 1970. */
export const event = (id: string, type: string, object: object, created: number) =>
  JSON.stringify({ id, object: 'event', type, created: Math.floor(created / 1000), data: { object } })

const { webhooks } = new Stripe(SECRET_KEY)
export const signed = (payload: string, at: number, secret = WEBHOOK_SECRET) => ({
  'content-type': 'application/json',
  'stripe-signature': webhooks.generateTestHeaderString({ payload, secret, timestamp: Math.floor(at / 1000) }),
})
