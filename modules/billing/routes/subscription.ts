import { common, type Deps, route } from 'larder/kernel'
import { problems } from '../problems.ts'
import { Cancellation, Checkout, CheckoutOrder, Portal, PortalOrder, Subscription } from '../schemas.ts'
import { answerOf } from './checkout-reply.ts'

/** The provider is asked in between: no transaction waits for it. */
const unit = 'own'
const REFUSALS = [common.invalid_state, problems.provider_failed, problems.no_provider]

export function subscriptionRoutes({ billing }: Deps<'billing'>) {
  const { orders, subscriptions, provider } = billing

  const get = route({
    method: 'get',
    path: '/billing/subscription',
    summary: 'The plan of the tenant, and how it stands.',
    allow: 'billing.subscription.read',
    replies: { 200: Subscription },
    handle: ({ tenantId }) => subscriptions.view(tenantId),
  })

  const checkout = route({
    method: 'post',
    path: '/billing/checkout',
    summary: 'Buys a plan, or another one for a subscription that runs.',
    description: 'With a payment provider the answer is where to pay: 303 to a form or to Accept: text/html, else 201.',
    allow: 'billing.subscription.update',
    body: CheckoutOrder,
    forms: true,
    replies: { 201: Checkout, 303: null },
    problems: REFUSALS,
    unit,
    handle: async ({ tenantId, body, request }) =>
      answerOf(await orders.checkout(tenantId, body), provider, request.headers),
  })

  const cancel = route({
    method: 'post',
    path: '/billing/subscription/cancel',
    summary: 'Ends the subscription with its period, or now.',
    allow: 'billing.subscription.update',
    body: Cancellation,
    replies: { 200: Subscription },
    problems: REFUSALS,
    unit,
    async handle({ tenantId, body }) {
      await orders.cancel(tenantId, body.when)
      return subscriptions.view(tenantId)
    },
  })

  const resume = route({
    method: 'post',
    path: '/billing/subscription/resume',
    summary: 'Takes back a cancellation that has not come yet.',
    allow: 'billing.subscription.update',
    replies: { 200: Subscription },
    problems: REFUSALS,
    unit,
    async handle({ tenantId }) {
      await orders.resume(tenantId)
      return subscriptions.view(tenantId)
    },
  })

  const portal = route({
    method: 'post',
    path: '/billing/portal',
    summary: 'Where to change how it is paid, and to see invoices: a page of the payment provider.',
    allow: 'billing.subscription.update',
    body: PortalOrder,
    replies: { 201: Portal },
    problems: REFUSALS,
    unit,
    handle: ({ tenantId, body }) => orders.portal(tenantId, body.returnUrl),
  })

  return [get, checkout, cancel, resume, portal]
}
