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
  readonly customer: Reference
  readonly subscription: Reference
  readonly tenantId: string | null | undefined
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
  const { change, customer, subscription, tenantId } = parsed
  return [
    {
      id: event.id,
      at: event.created * SECOND,
      tenantId: tenantId ?? null,
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
      return parseSubscription(event.data.object, planByPrice)
    case 'invoice.paid':
    case 'invoice.payment_failed':
      return parseInvoice(event.data.object, event.type === 'invoice.paid')
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
    customer,
    subscription,
    tenantId: session.client_reference_id ?? metadata.tenantId,
  }
}

const ENDED_STATUSES = ['canceled', 'unpaid', 'incomplete_expired']
const RUNNING_STATUSES = ['trialing', 'active', 'past_due']

function parseSubscription(subscription: Stripe.Subscription, planByPrice: PlanByPrice): ParsedEvent | null {
  const { status, id, customer, metadata } = subscription
  const ids = { customer, subscription: id, tenantId: metadata.tenantId }
  if (ENDED_STATUSES.includes(status)) return { change: { type: 'ended' }, ...ids }
  return RUNNING_STATUSES.includes(status) ? { change: toUpdated(subscription, planByPrice), ...ids } : null
}

export function toUpdated(subscription: Stripe.Subscription, planByPrice: PlanByPrice): SubscriptionChange {
  const [item] = subscription.items.data
  const end = item?.current_period_end ?? (subscription as OlderSubscription).current_period_end
  const { metadata, cancel_at_period_end: ends, cancel_at: endsAt } = subscription
  return {
    type: 'updated',
    planKey: (item && planByPrice(item.price.id)) ?? metadata.planKey ?? null,
    // The customer portal schedules a cancellation as a timestamp.
    cancelAtPeriodEnd: ends || typeof endsAt === 'number',
    periodEnd: end ? end * SECOND : null,
  }
}

/** Ignores the first invoice: the checkout event covers it, and that of a trial is paid without a payment. */
function parseInvoice(invoice: Stripe.Invoice, paid: boolean): ParsedEvent | null {
  const { subscription: olderReference, subscription_details: olderDetails } = invoice as OlderInvoice
  const details = invoice.parent?.subscription_details
  const reference = details?.subscription ?? olderReference
  if (invoice.billing_reason === 'subscription_create') return null
  if (!reference) {
    if (invoice.billing_reason?.startsWith('subscription')) throw new Error('the invoice names no subscription')
    return null
  }
  const ends = invoice.lines.data.map(({ period }) => period.end)
  return {
    change: paid
      ? {
          type: 'paid',
          planKey: null,
          isRenewal: invoice.billing_reason === 'subscription_cycle',
          periodEnd:
            invoice.billing_reason === 'subscription_cycle' && ends.length > 0 ? Math.max(...ends) * SECOND : null,
        }
      : { type: 'payment_failed' },
    customer: invoice.customer as Reference,
    subscription: reference,
    tenantId: details?.metadata?.tenantId ?? olderDetails?.metadata?.tenantId,
  }
}
