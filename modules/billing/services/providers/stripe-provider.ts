/** Stripe: Checkout for paying, the customer portal for everything else, webhooks for what happened. */
import { common, type Deps, MINUTE, SECOND } from 'larder/kernel'
import type Stripe from 'stripe'
import type { What } from '../../domain/provider-event.ts'
import type { Plan } from '../../domain/plans.ts'
import type { StripeOptions } from '../../options.ts'
import { problems } from '../../problems.ts'
import type { SubscriptionRow } from '../subscription-repository.ts'
import type { Delivery, Order, Provider, Told } from './provider.ts'
import { newsIn, standingOf } from './stripe-events.ts'

/** Seconds that a signature is good for. */
const TOLERANCE = (5 * MINUTE) / SECOND
const TIMEOUT = 10 * SECOND
type PlanByPrice = (priceId: string) => string | null

export function createStripeProvider(
  { log, clock }: Deps<'log' | 'clock'>,
  options: StripeOptions,
  planByPrice: PlanByPrice,
): Provider {
  const { secretKey, webhookSecret, ...address } = options
  let made: Promise<Stripe> | undefined
  /** Loaded by the first who needs it: starting stays fast. */
  const client = () => (made ??= load())
  async function load(): Promise<Stripe> {
    const { default: StripeClient } = await import('stripe')
    return new StripeClient(secretKey, { ...address, timeout: TIMEOUT, maxNetworkRetries: 1, telemetry: false })
  }

  async function ask<T>(call: (stripe: Stripe) => Promise<T>): Promise<T> {
    try {
      return await call(await client())
    } catch (error) {
      log.error({ err: error }, 'Stripe did not do what it was asked')
      throw isRefusal(error) ? problems.provider_failed() : common.unavailable({ seconds: 5 })
    }
  }

  async function read({ headers, body, now }: Delivery) {
    const { webhooks } = await client()
    const signature = String(headers['stripe-signature'] ?? '')
    try {
      const event = webhooks.constructEvent(body, signature, webhookSecret, TOLERANCE, undefined, now)
      return newsIn(event, planByPrice)
    } catch (error) {
      throw error instanceof SyntaxError ? problems.not_a_webhook() : common.bad_signature()
    }
  }

  const answered = (row: SubscriptionRow, subscription: Stripe.Subscription): Told =>
    asAnswer(row, standingOf(subscription, planByPrice), clock.now())

  async function change(row: SubscriptionRow, plan: Plan): Promise<Told> {
    const id = row.reference as string
    const subscription = await ask(async stripe => {
      const [item] = (await stripe.subscriptions.retrieve(id)).items.data
      if (!item) throw new Error(`the subscription ${id} has no item`)
      const price = plan.stripePrice
        ? { price: plan.stripePrice }
        : { price_data: { ...priceOf(plan), product: idOf(item.price.product) } }
      return stripe.subscriptions.update(id, {
        items: [{ id: item.id, ...price }],
        metadata: { tenantId: row.tenantId, planKey: plan.key },
        proration_behavior: 'create_prorations',
      })
    })
    return answered(row, subscription)
  }

  return {
    name: 'stripe',
    keepsTime: true,
    async checkout(order) {
      const session = await ask(stripe => stripe.checkout.sessions.create(sessionOf(order)))
      return { id: session.id, status: 'open', url: session.url as string, news: [], heard: false }
    },
    change,
    async cancel(row, when) {
      const id = row.reference as string
      if (when === 'period_end')
        return answered(row, await ask(stripe => stripe.subscriptions.update(id, { cancel_at_period_end: true })))
      await ask(stripe => stripe.subscriptions.cancel(id))
      return asAnswer(row, { type: 'ended' }, clock.now())
    },
    async resume(row) {
      const id = row.reference as string
      return answered(row, await ask(stripe => stripe.subscriptions.update(id, { cancel_at_period_end: false })))
    },
    async portal(row, returnUrl) {
      const customer = row.customer as string
      const session = await ask(stripe => stripe.billingPortal.sessions.create({ customer, return_url: returnUrl }))
      return session.url
    },
    async abandon(reference) {
      const stripe = await client()
      const { status } = await stripe.subscriptions.retrieve(reference)
      if (status !== 'canceled') await stripe.subscriptions.cancel(reference)
    },
    read,
  }
}

const idOf = (product: string | { id: string }): string => (typeof product === 'string' ? product : product.id)
/** It understood, and said no: asking again would change nothing. */
const isRefusal = (error: unknown): boolean => {
  const status = Reflect.get(Object(error), 'statusCode')
  return typeof status === 'number' && status >= 400 && status < 500 && status !== 429
}

const asAnswer = (row: SubscriptionRow, what: What, at: number): Told => ({
  heard: false,
  news: [
    {
      id: `answer:${row.id}:${at}`,
      at,
      tenantId: row.tenantId,
      customer: row.customer,
      subscription: row.reference,
      what,
    },
  ],
})

const priceOf = ({ currency = '', price, interval }: Plan) => ({
  currency: currency.toLowerCase(),
  unit_amount: price,
  recurring: { interval },
})

function sessionOf(order: Order): Stripe.Checkout.SessionCreateParams {
  const { tenantId, plan, trialDays, customer, successUrl, cancelUrl } = order
  const price = plan.stripePrice
    ? { price: plan.stripePrice }
    : { price_data: { ...priceOf(plan), product_data: { name: plan.name, metadata: { planKey: plan.key } } } }
  const metadata = { tenantId, planKey: plan.key, interval: plan.interval, trialDays: String(trialDays) }
  return {
    mode: 'subscription',
    client_reference_id: tenantId,
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
