/**
 * Stripe's events as news. Of the many it sends, these few say everything: the others follow from them
 * (https://docs.stripe.com/billing/subscriptions/webhooks). Pure.
 */
import { SECOND } from 'larder/kernel'
import type Stripe from 'stripe'
import type { News, What } from '../../domain/provider-event.ts'
import { daysLater, periodEnd } from '../../domain/calendar.ts'

type PlanByPrice = (priceId: string) => string | null

interface Found {
  readonly what: What
  readonly customer: Reference
  readonly subscription: Reference
  readonly tenantId: string | null | undefined
}
type Reference = string | { readonly id: string } | null | undefined

export function newsIn(event: Stripe.Event, planByPrice: PlanByPrice): News[] {
  const found = findIn(event, planByPrice)
  if (!found) return []
  const { what, customer, subscription, tenantId } = found
  return [
    {
      id: event.id,
      at: event.created * SECOND,
      tenantId: tenantId ?? null,
      customer: idOf(customer),
      subscription: idOf(subscription),
      what,
    },
  ]
}

const idOf = (found: Reference): string | null => (typeof found === 'object' ? (found?.id ?? null) : (found ?? null))

function findIn(event: Stripe.Event, planByPrice: PlanByPrice): Found | null {
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
      return checkoutIn(event.data.object, event.created * SECOND)
    case 'customer.subscription.created':
    case 'customer.subscription.updated':
    case 'customer.subscription.deleted':
      return subscriptionIn(event.data.object, planByPrice)
    case 'invoice.paid':
    case 'invoice.payment_failed':
      return invoiceIn(event.data.object, event.type === 'invoice.paid')
    default:
      return null
  }
}

/** What is still to be paid comes as another event later, when it is. */
function checkoutIn(session: Stripe.Checkout.Session, at: number): Found | null {
  const { mode, payment_status: status, metadata, customer, subscription } = session
  if (mode !== 'subscription' || status === 'unpaid' || !metadata?.planKey) return null
  const trialDays = Number(metadata.trialDays ?? 0)
  const interval = metadata.interval === 'year' ? 'year' : 'month'
  return {
    what: {
      type: 'checkout',
      planKey: metadata.planKey,
      trialEndsAt: trialDays > 0 ? daysLater(at, trialDays) : null,
      // The session does not say it; the subscription's own event says it to the second.
      periodEnd: periodEnd(interval, at),
    },
    customer,
    subscription,
    tenantId: session.client_reference_id ?? metadata.tenantId,
  }
}

const OVER = ['canceled', 'unpaid', 'incomplete_expired']
const STANDING = ['trialing', 'active', 'past_due']

function subscriptionIn(subscription: Stripe.Subscription, planByPrice: PlanByPrice): Found | null {
  const { status, id, customer, metadata } = subscription
  const about = { customer, subscription: id, tenantId: metadata.tenantId }
  if (OVER.includes(status)) return { what: { type: 'ended' }, ...about }
  return STANDING.includes(status) ? { what: standingOf(subscription, planByPrice), ...about } : null
}

export function standingOf(subscription: Stripe.Subscription, planByPrice: PlanByPrice): What {
  const [item] = subscription.items.data
  const { metadata, cancel_at_period_end: ends, cancel_at: endsAt } = subscription
  return {
    type: 'standing',
    planKey: (item && planByPrice(item.price.id)) ?? metadata.planKey ?? null,
    // The portal schedules the end of a period as a time.
    cancelAtPeriodEnd: ends || typeof endsAt === 'number',
    periodEnd: item?.current_period_end ? item.current_period_end * SECOND : null,
  }
}

/** The first invoice is the checkout's own matter; that of a trial is paid because nothing is to pay. */
function invoiceIn(invoice: Stripe.Invoice, paid: boolean): Found | null {
  const details = invoice.parent?.subscription_details
  if (!details || invoice.billing_reason === 'subscription_create') return null
  const ends = invoice.lines.data.map(({ period }) => period.end)
  return {
    what: paid
      ? {
          type: 'paid',
          planKey: null,
          renews: invoice.billing_reason === 'subscription_cycle',
          periodEnd:
            invoice.billing_reason === 'subscription_cycle' && ends.length > 0 ? Math.max(...ends) * SECOND : null,
        }
      : { type: 'failed' },
    customer: invoice.customer as Reference,
    subscription: details.subscription,
    tenantId: details.metadata?.tenantId,
  }
}
