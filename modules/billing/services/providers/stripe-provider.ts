/** Stripe: payments through Checkout, self-service through the customer portal, state through webhooks. */
import { common, type Deps, MINUTE, SECOND } from '@larder-dev/larder/kernel'
import type Stripe from 'stripe'
import type { Plan } from '../../domain/plans.ts'
import type { SubscriptionChange } from '../../domain/provider-event.ts'
import type { Subject } from '../../domain/subject.ts'
import type { StripeOptions } from '../../options.ts'
import { problems } from '../../problems.ts'
import type { SubscriptionRow } from '../../records.ts'
import type { CheckoutRequest, PaymentProvider, ProviderResult, WebhookRequest } from './provider.ts'
import { createStripeClient } from './stripe-client.ts'
import { isKnownVersion, toChange, toProviderEvents } from './stripe-events.ts'

/** Maximum age of a webhook signature, in seconds. */
const TOLERANCE_SECONDS = (5 * MINUTE) / SECOND
const LIMITS = { timeout: 10 * SECOND, maxNetworkRetries: 1 }
type PlanByPrice = (priceId: string) => string | null

export function createStripeProvider(
  { log, clock }: Deps<'log' | 'clock'>,
  options: StripeOptions,
  planByPrice: PlanByPrice,
): PaymentProvider {
  const { webhookSecret } = options
  let loading: Promise<Stripe> | undefined
  /** Created on first use, which keeps startup fast. */
  const client = () => (loading ??= createStripeClient(options, LIMITS))

  async function request<T>(call: (stripe: Stripe) => Promise<T>): Promise<T> {
    try {
      return await call(await client())
    } catch (error) {
      log.error({ err: error }, 'Stripe request failed')
      throw isClientError(error) ? problems.provider_failed() : common.unavailable({ seconds: 5 })
    }
  }

  async function parseWebhook({ headers, body, now }: WebhookRequest) {
    const { webhooks } = await client()
    const signature = String(headers['stripe-signature'] ?? '')
    try {
      const event = webhooks.constructEvent(body, signature, webhookSecret, TOLERANCE_SECONDS, undefined, now)
      const { id, type, api_version: apiVersion } = event
      if (!isKnownVersion(apiVersion))
        log.warn({ event: id, type, apiVersion }, 'Stripe sent an event of an unknown API version')
      return toProviderEvents(event, planByPrice)
    } catch (error) {
      if (Reflect.get(Object(error), 'type') === 'StripeSignatureVerificationError') throw common.bad_signature()
      if (error instanceof SyntaxError) throw problems.not_a_webhook()
      log.error({ err: error }, 'a signed event of Stripe cannot be read')
      throw problems.unreadable_event()
    }
  }

  function resultOf(row: SubscriptionRow, subscription: Stripe.Subscription): ProviderResult {
    const change = toChange(subscription, planByPrice)
    return change ? fromResponse(row, change, clock.now()) : { events: [], authoritative: false }
  }

  async function change(row: SubscriptionRow, plan: Plan): Promise<ProviderResult> {
    const id = row.providerSubscriptionId as string
    const subscription = await request(async stripe => {
      const [item] = (await stripe.subscriptions.retrieve(id)).items.data
      if (!item) throw new Error(`Stripe subscription ${id} has no item`)
      const price = plan.stripePrice
        ? { price: plan.stripePrice }
        : { price_data: { ...priceOf(plan), product: idOf(item.price.product) } }
      return stripe.subscriptions.update(id, {
        items: [{ id: item.id, ...price }],
        metadata: { ...metadataOf(row), planKey: plan.key },
        proration_behavior: 'create_prorations',
      })
    })
    return resultOf(row, subscription)
  }

  return {
    name: 'stripe',
    managesSchedule: true,
    async checkout(order) {
      const session = await request(stripe => stripe.checkout.sessions.create(sessionOf(order)))
      return { id: session.id, status: 'open', url: session.url as string, events: [], authoritative: false }
    },
    change,
    async cancel(row, when) {
      const id = row.providerSubscriptionId as string
      if (when === 'period_end')
        return resultOf(row, await request(stripe => stripe.subscriptions.update(id, { cancel_at_period_end: true })))
      await request(stripe => stripe.subscriptions.cancel(id))
      return fromResponse(row, { type: 'ended' }, clock.now())
    },
    async resume(row) {
      const id = row.providerSubscriptionId as string
      return resultOf(row, await request(stripe => stripe.subscriptions.update(id, { cancel_at_period_end: false })))
    },
    async extendTrial(row, until) {
      const id = row.providerSubscriptionId as string
      const change = { trial_end: until / SECOND, proration_behavior: 'none' } as const
      return resultOf(row, await request(stripe => stripe.subscriptions.update(id, change)))
    },
    async portal(row, returnUrl) {
      const customer = row.customerId as string
      const session = await request(stripe => stripe.billingPortal.sessions.create({ customer, return_url: returnUrl }))
      return session.url
    },
    async terminate(reference) {
      const stripe = await client()
      const { status } = await stripe.subscriptions.retrieve(reference)
      if (status !== 'canceled') await stripe.subscriptions.cancel(reference)
    },
    parseWebhook,
  }
}

const idOf = (product: string | { id: string }): string => (typeof product === 'string' ? product : product.id)
/** Stripe rejected the request: a retry would fail, too. */
const isClientError = (error: unknown): boolean => {
  const status = Reflect.get(Object(error), 'statusCode')
  return typeof status === 'number' && status >= 400 && status < 500 && status !== 429
}

const fromResponse = (row: SubscriptionRow, change: SubscriptionChange, at: number): ProviderResult => ({
  authoritative: false,
  events: [
    {
      id: `response:${row.id}:${at}`,
      at,
      ...metadataOf(row),
      customer: row.customerId,
      subscription: row.providerSubscriptionId,
      change,
    },
  ],
})

const priceOf = ({ currency, price, interval }: Plan) => ({
  currency: currency.toLowerCase(),
  unit_amount: price,
  recurring: { interval },
})

const metadataOf = ({ tenantId, memberId }: Subject) => ({ tenantId, ...(memberId && { memberId }) })

function sessionOf(order: CheckoutRequest): Stripe.Checkout.SessionCreateParams {
  const { subject, plan, planName, trialDays, customer, successUrl, cancelUrl } = order
  const price = plan.stripePrice
    ? { price: plan.stripePrice }
    : { price_data: { ...priceOf(plan), product_data: { name: planName, metadata: { planKey: plan.key } } } }
  const metadata = { ...metadataOf(subject), planKey: plan.key, interval: plan.interval, trialDays: String(trialDays) }
  return {
    mode: 'subscription',
    client_reference_id: subject.tenantId,
    success_url: successUrl,
    cancel_url: cancelUrl,
    line_items: [{ ...price, quantity: 1 }],
    metadata,
    ...(customer && { customer }),
    subscription_data: {
      metadata,
      ...(trialDays > 0 && {
        trial_period_days: trialDays,
        trial_settings: { end_behavior: { missing_payment_method: 'cancel' } },
      }),
    },
  }
}
