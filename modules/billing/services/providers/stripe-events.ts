/**
 * Maps Stripe's events to provider events. The types handled here are sufficient; the others carry no further state
 * (https://docs.stripe.com/billing/subscriptions/webhooks).
 */
import { SECOND } from '@larder-dev/larder/kernel'
import type Stripe from 'stripe'
import { addDays, periodEnd } from '../../domain/calendar.ts'
import type { ProviderEvent, SubscriptionChange } from '../../domain/provider-event.ts'

type PlanByPrice = (priceId: string) => string | null

interface ParsedEvent {
  readonly change: SubscriptionChange
  /** See `ProviderEvent`. */
  readonly effect?: string
  readonly customer: Reference
  readonly subscription: Reference
  readonly tenantId: string | null | undefined
  readonly memberId?: string | undefined
}
type Reference = string | { readonly id: string } | null | undefined

/** Before API version 2025-03-31, these fields were here instead of on the items, and in `parent`. */
interface OlderSubscription {
  readonly current_period_end?: number
}
interface OlderInvoice {
  readonly subscription?: Reference
  readonly subscription_details?: { readonly metadata?: Stripe.Metadata | null } | null
}

/** Newest API version that the fields of events were compared with. */
const NEWEST_VERSION = '2026-10-28'

/** False for a version whose events may have other fields. */
export function isKnownVersion(version: unknown): boolean {
  return (
    typeof version === 'string' && /^\d{4}-\d{2}-\d{2}(\.\w+)?$/.test(version) && version.slice(0, 10) <= NEWEST_VERSION
  )
}

/** Throws for an event without the fields that every event has. */
export function toProviderEvents(event: Stripe.Event, planByPrice: PlanByPrice): ProviderEvent[] {
  if (typeof event.id !== 'string' || !Number.isSafeInteger(event.created)) throw new Error('no ID or time')
  const parsed = parseEvent(event, planByPrice)
  if (!parsed) return []
  const { change, effect, customer, subscription, tenantId, memberId } = parsed
  return [
    {
      id: event.id,
      // The time has seconds. What is created precedes what happens to it within the same one.
      at: event.created * SECOND - (event.type === 'customer.subscription.created' ? 1 : 0),
      ...(effect !== undefined && { effect }),
      tenantId: tenantId ?? null,
      ...(memberId && { memberId }),
      customer: idOf(customer),
      subscription: idOf(subscription),
      change,
    },
  ]
}

const idOf = (reference: Reference): string | null =>
  typeof reference === 'object' ? (reference?.id ?? null) : (reference ?? null)

function parseEvent(event: Stripe.Event, planByPrice: PlanByPrice): ParsedEvent | null {
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
      return parseCheckout(event.data.object, event.created * SECOND)
    case 'customer.subscription.created':
    case 'customer.subscription.updated':
    case 'customer.subscription.deleted':
    case 'customer.subscription.paused':
    case 'customer.subscription.resumed':
    case 'customer.subscription.pending_update_applied':
    case 'customer.subscription.pending_update_expired':
    case 'customer.subscription.trial_will_end':
      return parseSubscription(event.data.object, planByPrice)
    case 'invoice.paid':
    case 'invoice.payment_succeeded':
    case 'invoice.payment_failed':
      return parseInvoice(event.data.object, event.type !== 'invoice.payment_failed', planByPrice)
    default:
      return null
  }
}

/** An unpaid session is followed by another event once it is paid. */
function parseCheckout(session: Stripe.Checkout.Session, at: number): ParsedEvent | null {
  const { mode, payment_status: status, metadata, customer, subscription } = session
  if (mode !== 'subscription' || status === 'unpaid' || !metadata?.planKey) return null
  const trialDays = Number(metadata.trialDays ?? 0)
  const interval = metadata.interval === 'year' ? 'year' : 'month'
  return {
    change: {
      type: 'checkout',
      planKey: metadata.planKey,
      trialEndsAt: trialDays > 0 ? addDays(at, trialDays) : null,
      // An estimate: the session has no period. The subscription's own event has the exact time.
      periodEnd: periodEnd(interval, at),
    },
    ...(subscription && { effect: `checkout:${idOf(subscription)}` }),
    customer,
    subscription,
    tenantId: session.client_reference_id ?? metadata.tenantId,
    memberId: metadata.memberId,
  }
}

function parseSubscription(subscription: Stripe.Subscription, planByPrice: PlanByPrice): ParsedEvent | null {
  const { id, customer, metadata } = subscription
  const change = toChange(subscription, planByPrice)
  return change && { change, customer, subscription: id, tenantId: metadata?.tenantId, memberId: metadata?.memberId }
}

/** Every status of a subscription (https://docs.stripe.com/api/subscriptions/object); null for one that is unknown. */
export function toChange(subscription: Stripe.Subscription, planByPrice: PlanByPrice): SubscriptionChange | null {
  const update = toUpdate(subscription, planByPrice)
  switch (subscription.status) {
    case 'canceled':
    case 'incomplete_expired':
      return { type: 'ended' }
    case 'unpaid':
      return { type: 'unpaid' }
    case 'active':
      return { ...update, standing: 'active' }
    case 'past_due':
      return { ...update, standing: 'past_due' }
    case 'trialing':
      return { ...update, standing: 'trialing', trialEndsAt: toMilliseconds(subscription.trial_end) }
    // A trial has ended without a payment method. The subscription goes on once there is one.
    case 'paused':
      return { ...update, standing: 'active', paymentPaused: true }
    // The first payment is open. A subscription is never incomplete again after it, so this says nothing about a paid one.
    case 'incomplete':
      return update
    default:
      return null
  }
}

const toMilliseconds = (seconds: number | null | undefined): number | null =>
  typeof seconds === 'number' ? seconds * SECOND : null

function toUpdate(
  subscription: Stripe.Subscription,
  planByPrice: PlanByPrice,
): Extract<SubscriptionChange, { type: 'updated' }> {
  const [item] = subscription.items.data
  const end = item?.current_period_end ?? (subscription as OlderSubscription).current_period_end
  const { metadata, cancel_at_period_end: ends, cancel_at: endsAt, pause_collection: pause } = subscription
  return {
    type: 'updated',
    planKey: (item && planByPrice(item.price.id)) ?? metadata?.planKey ?? null,
    // The customer portal schedules a cancellation as a timestamp.
    cancelAtPeriodEnd: ends || typeof endsAt === 'number',
    periodEnd: toMilliseconds(end),
    // Whatever becomes of the invoices meanwhile.
    paymentPaused: Boolean(pause),
  }
}

/** Ignores the first invoice: the checkout event covers it, and that of a trial is paid without a payment. */
function parseInvoice(invoice: Stripe.Invoice, paid: boolean, planByPrice: PlanByPrice): ParsedEvent | null {
  const { subscription: olderReference, subscription_details: olderDetails } = invoice as OlderInvoice
  const details = invoice.parent?.subscription_details
  const reference = details?.subscription ?? olderReference
  if (invoice.billing_reason === 'subscription_create') return null
  if (!reference) {
    if (invoice.billing_reason?.startsWith('subscription')) throw new Error('the invoice names no subscription')
    return null
  }
  const isRenewal = invoice.billing_reason === 'subscription_cycle'
  const end = periodOf(invoice.lines.data, planByPrice)
  return {
    change: paid
      ? { type: 'paid', planKey: null, isRenewal, periodEnd: isRenewal ? end : null }
      : { type: 'payment_failed' },
    effect: `invoice:${invoice.id}:${end}`,
    customer: invoice.customer as Reference,
    subscription: reference,
    tenantId: details?.metadata?.tenantId ?? olderDetails?.metadata?.tenantId,
    memberId: details?.metadata?.memberId ?? olderDetails?.metadata?.memberId,
  }
}

/** Before API version 2025-03-31, these fields were here instead of in `parent` and `pricing`. */
interface OlderLine {
  readonly type?: string
  readonly proration?: boolean
  readonly price?: { readonly id: string } | null
}

/**
 * End of the plan's period. Prorations, items without a period and other items of the subscription can end later.
 */
function periodOf(lines: readonly Stripe.InvoiceLineItem[], planByPrice: PlanByPrice): number | null {
  const ends = [isOfPlan, isOfSubscription, () => true].map(applies =>
    lines.filter(line => applies(line, planByPrice)).map(({ period }) => period.end),
  )
  const [first] = ends.filter(({ length }) => length > 0)
  return first ? Math.min(...first) * SECOND : null
}

function isOfPlan(line: Stripe.InvoiceLineItem, planByPrice: PlanByPrice): boolean {
  const price = line.pricing?.price_details?.price ?? (line as OlderLine).price
  const isKnown = price !== undefined && price !== null && planByPrice(idOf(price) as string) !== null
  return isOfSubscription(line) && (isKnown || line.metadata?.planKey !== undefined)
}

function isOfSubscription(line: Stripe.InvoiceLineItem): boolean {
  const { type, proration } = line as OlderLine
  const details = line.parent?.subscription_item_details
  const isItem = line.parent ? line.parent.type === 'subscription_item_details' : type !== 'invoiceitem'
  return isItem && details?.proration !== true && proration !== true
}
