import { common, idPattern, Nullable, named, OneOf, route, Time, Type } from '@larder-dev/larder/kernel'
import { STATES } from '../domain/subscription-states.ts'
import { problems } from '../problems.ts'
import { PlanKey } from '../recipe/sections.ts'
import type { BillingServices } from '../services.ts'
import { checkoutReply } from './checkout-reply.ts'

export const Subscription = named(
  'Subscription',
  Type.Object({
    id: Type.String({ pattern: idPattern('sub') }),
    state: OneOf(STATES),
    planKey: Type.String(),
    currentPeriodEnd: Nullable(Time),
    trialEndsAt: Nullable(Time),
    graceEndsAt: Nullable(Time),
    cancelAtPeriodEnd: Type.Boolean(),
    paymentPaused: Type.Boolean({
      description: "The payment provider collects no payments for now: the default plan's entitlements hold.",
    }),
    given: Type.Boolean({ description: 'An operator gave the plan, and nobody pays for it.' }),
    createdAt: Time,
    updatedAt: Time,
  }),
  {
    leavesOut: [
      'tenantId',
      'memberId',
      'trialUsed',
      'unpaidPlanKey',
      'customerId',
      'providerSubscriptionId',
      'paymentsSucceed',
      'lastEventAt',
      'anchorDay',
      'shiftedDays',
      'revenue',
    ],
  },
)

const ReturnUrl = Type.String({
  maxLength: 2000,
  pattern: '^https?://',
  format: 'uri',
  description: 'Where the browser is sent afterwards',
  examples: ['https://acme.example/thanks'],
})
const CheckoutBody = Type.Object(
  { planKey: PlanKey, successUrl: Type.Optional(ReturnUrl), cancelUrl: Type.Optional(ReturnUrl) },
  { examples: [{ planKey: 'pro' }] },
)
const Checkout = named(
  'Checkout',
  Type.Object({
    id: Type.String(),
    status: OneOf(['open', 'complete'], { description: 'open: the payment is made at `url`' }),
    url: Type.String(),
  }),
)
const CancelBody = Type.Object(
  {
    when: Type.Optional(
      OneOf(['period_end', 'now'], { description: 'Defaults to period_end, the end of the paid period' }),
    ),
  },
  { examples: [{ when: 'period_end' }] },
)
const PortalBody = Type.Object({ returnUrl: Type.Optional(ReturnUrl) }, { examples: [{}] })
const Portal = named('BillingPortal', Type.Object({ url: Type.String() }))

/** These routes call the provider: no transaction stays open meanwhile. */
const unit = 'own'
const PROVIDER_PROBLEMS = [common.invalid_state, problems.provider_failed, problems.no_provider]

type RouteDeps = Pick<BillingServices, 'checkout' | 'subjects' | 'subscriptions' | 'provider' | 'translator'>

export function subscriptionRoutes({ checkout: checkouts, subjects, subscriptions, provider, translator }: RouteDeps) {
  const get = route({
    method: 'get',
    path: '/billing/subscription',
    operationId: 'getSubscription',
    summary: "Returns the tenant's subscription.",
    allow: 'billing.subscription.read',
    replies: { 200: Subscription },
    handle: request => subscriptions.get(subjects.ofCaller(request)),
  })

  const checkout = route({
    method: 'post',
    path: '/billing/checkout',
    operationId: 'createCheckout',
    summary: 'Buys a plan, or changes the plan of an active subscription.',
    description:
      'With a payment provider, the reply holds the URL of the payment page. Form posts and requests with `Accept: text/html` get a 303 redirect to it; all others get 201.',
    allow: 'billing.subscription.update',
    body: CheckoutBody,
    forms: true,
    replies: { 201: Checkout, 303: null },
    problems: PROVIDER_PROBLEMS,
    unit,
    async handle({ tenantId, caller, body, request }) {
      const bought = await checkouts.buy(subjects.ofCaller({ tenantId, caller }), {
        ...body,
        locale: translator.localeOf(request),
      })
      return checkoutReply(bought, provider, request.headers)
    },
  })

  const cancel = route({
    method: 'post',
    path: '/billing/subscription/cancel',
    operationId: 'cancelSubscription',
    summary: 'Cancels the subscription at the end of the period or immediately.',
    allow: 'billing.subscription.update',
    body: CancelBody,
    replies: { 200: Subscription },
    problems: PROVIDER_PROBLEMS,
    unit,
    async handle({ tenantId, caller, body }) {
      const subject = subjects.ofCaller({ tenantId, caller })
      await checkouts.cancel(subject, body.when)
      return subscriptions.get(subject)
    },
  })

  const resume = route({
    method: 'post',
    path: '/billing/subscription/resume',
    operationId: 'resumeSubscription',
    summary: 'Withdraws a scheduled cancellation.',
    allow: 'billing.subscription.update',
    replies: { 200: Subscription },
    problems: PROVIDER_PROBLEMS,
    unit,
    async handle(request) {
      const subject = subjects.ofCaller(request)
      await checkouts.resume(subject)
      return subscriptions.get(subject)
    },
  })

  const portal = route({
    method: 'post',
    path: '/billing/portal',
    operationId: 'createBillingPortal',
    summary: "Returns a URL of the provider's portal, which shows invoices and payment methods.",
    allow: 'billing.subscription.update',
    body: PortalBody,
    replies: { 201: Portal },
    problems: PROVIDER_PROBLEMS,
    unit,
    handle: ({ tenantId, caller, body }) => checkouts.portal(subjects.ofCaller({ tenantId, caller }), body.returnUrl),
  })

  return [get, checkout, cancel, resume, portal]
}
