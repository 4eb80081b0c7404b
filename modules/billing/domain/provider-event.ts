/** Events of a payment provider and their effect on a subscription. */
import {
  type Subscription,
  type Transition,
  type TransitionContext,
  type Trigger,
  transition,
} from './subscription-states.ts'

/** Timestamps are milliseconds since 1970. */
export type SubscriptionChange =
  | {
      readonly type: 'checkout'
      readonly planKey: string
      readonly trialEndsAt: number | null
      readonly periodEnd: number | null
    }
  | {
      readonly type: 'paid'
      readonly planKey: string | null
      /** True for the payment of a new period, false for a proration within one. */
      readonly isRenewal: boolean
      readonly periodEnd: number | null
    }
  | { readonly type: 'trial_ended'; readonly paymentSucceeded: boolean; readonly periodEnd: number | null }
  | { readonly type: 'payment_failed' }
  | { readonly type: 'ended' }
  | { readonly type: 'period_ended' }
  | { readonly type: 'grace_ended' }
  /** The subscription's current values at the provider. */
  | {
      readonly type: 'updated'
      readonly planKey: string | null
      readonly cancelAtPeriodEnd: boolean
      readonly periodEnd: number | null
    }

export interface ProviderEvent {
  /** Unique at the provider: an event that arrives twice is processed once. */
  readonly id: string
  /** Milliseconds since 1970. */
  readonly at: number
  readonly tenantId: string | null
  readonly customer: string | null
  /** The provider's id of the subscription. */
  readonly subscription: string | null
  readonly change: SubscriptionChange
}

/** Null if the change doesn't apply to the current state. It may apply after other events have been processed. */
export function applyChange(
  current: Subscription,
  change: SubscriptionChange,
  context: TransitionContext,
): Transition | null {
  if (isRedundant(current, change)) return { next: current, events: [], grantsCredits: false }
  if (change.type === 'updated') return applyUpdate(current, change, context)
  const first = transition(current, toTrigger(change), context)
  if (!first || change.type !== 'paid') return first
  return combine(first, changePlan(first.next, change.planKey, context))
}

/** Providers retry failed payments, and report the end of subscriptions that were canceled here. */
const isRedundant = ({ state }: Subscription, { type }: SubscriptionChange): boolean =>
  (type === 'payment_failed' && state === 'past_due') || (type === 'ended' && state === 'canceled')

function toTrigger(change: Exclude<SubscriptionChange, { type: 'updated' }>): Trigger {
  if (change.type === 'ended') return { kind: 'cancel_now' }
  const { type, ...rest } = change
  return { kind: type, ...rest } as Trigger
}

function changePlan(current: Subscription, planKey: string | null, context: TransitionContext): Transition | null {
  return planKey === null ? null : transition(current, { kind: 'plan_change', planKey }, context)
}

const combine = (first: Transition, second: Transition | null): Transition =>
  second
    ? {
        next: second.next,
        events: [...first.events, ...second.events],
        grantsCredits: first.grantsCredits || second.grantsCredits,
      }
    : first

function applyUpdate(
  current: Subscription,
  update: Extract<SubscriptionChange, { type: 'updated' }>,
  context: TransitionContext,
): Transition | null {
  if (current.state === 'free' || current.state === 'canceled') return null
  const next = { ...current, currentPeriodEnd: update.periodEnd ?? current.currentPeriodEnd }
  const changed = combine({ next, events: [], grantsCredits: false }, changePlan(next, update.planKey, context))
  const kind = update.cancelAtPeriodEnd ? 'cancel_later' : 'resume'
  return combine(changed, transition(changed.next, { kind }, context))
}
