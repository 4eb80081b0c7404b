/** Events of a payment provider and their effect on a subscription. */
import {
  activate,
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
  /** The provider has given up collecting. The subscription goes on once it is paid. */
  | { readonly type: 'unpaid' }
  | { readonly type: 'period_ended' }
  | { readonly type: 'grace_ended' }
  /** The subscription's current values at the provider. */
  | {
      readonly type: 'updated'
      readonly planKey: string | null
      readonly cancelAtPeriodEnd: boolean
      readonly periodEnd: number | null
      /** Left out: unchanged. */
      readonly standing?: 'trialing' | 'active' | 'past_due'
      readonly trialEndsAt?: number | null
      readonly paymentPaused?: boolean
    }

export interface ProviderEvent {
  /** Unique at the provider: an event that arrives twice is processed once. */
  readonly id: string
  /**
   * What the event reports, such as the payment of an invoice for a period. Providers report it in several events with
   * different ids; it has its effect once.
   */
  readonly effect?: string
  /** Milliseconds since 1970. */
  readonly at: number
  readonly tenantId: string | null
  /** The customer, in a product of people. */
  readonly memberId?: string | null
  readonly customer: string | null
  /** The provider's id of the subscription. */
  readonly subscription: string | null
  /** Whether an operator gave the plan, for nothing; left out if the event doesn't say who pays. */
  readonly given?: boolean
  readonly change: SubscriptionChange
}

/** Null if the change doesn't apply to the current state. It may apply after other events have been processed. */
export function applyChange(
  current: Subscription,
  change: SubscriptionChange,
  context: TransitionContext,
): Transition | null {
  if (change.type === 'payment_failed' && current.state === 'past_due') return unchanged(current)
  if (change.type === 'ended' && current.state === 'canceled') return unchanged({ ...current, unpaidPlanKey: null })
  if (change.type === 'unpaid') return giveUp(current, context)
  if (change.type === 'updated') return applyUpdate(current, change, context)
  const first = transition(current, toTrigger(change), context)
  if (!first || change.type !== 'paid') return first
  return combine(first, changePlan(first.next, change.planKey, context))
}

const unchanged = (next: Subscription): Transition => ({ next, events: [], grantsCredits: false })

function toTrigger(change: Exclude<SubscriptionChange, { type: 'updated' | 'unpaid' }>): Trigger {
  if (change.type === 'ended') return { kind: 'cancel_now' }
  const { type, ...rest } = change
  return { kind: type, ...rest } as Trigger
}

function changePlan(current: Subscription, planKey: string | null, context: TransitionContext): Transition | null {
  return planKey === null ? null : transition(current, { kind: 'plan_change', planKey }, context)
}

/** Keeps the plan, which the subscription has again once the provider is paid. */
function giveUp(current: Subscription, context: TransitionContext): Transition | null {
  if (current.state === 'canceled') return unchanged(current)
  const canceled = transition(current, { kind: 'cancel_now' }, context)
  return canceled && { ...canceled, next: { ...canceled.next, unpaidPlanKey: current.planKey } }
}

const combine = (first: Transition, second: Transition | null): Transition =>
  second
    ? {
        next: second.next,
        events: [...first.events, ...second.events],
        grantsCredits: first.grantsCredits || second.grantsCredits,
      }
    : first

type Update = Extract<SubscriptionChange, { type: 'updated' }>
type Step = (current: Subscription, update: Update, context: TransitionContext) => Transition | null

/** An update has the values of the subscription as they are at the provider, so each of them is taken. */
function applyUpdate(current: Subscription, update: Update, context: TransitionContext): Transition | null {
  const begun = revive(current, update)
  if (!begun) return null
  return STEPS.reduce((done, step) => combine(done, step(done.next, update, context)), begun)
}

/** Null if no subscription is running and the update doesn't continue an unpaid one. */
function revive(current: Subscription, { standing, planKey, periodEnd }: Update): Transition | null {
  if (current.state === 'free') return null
  const currentPeriodEnd = periodEnd ?? current.currentPeriodEnd
  if (current.state !== 'canceled') return unchanged({ ...current, currentPeriodEnd })
  const { unpaidPlanKey, ...rest } = current
  if (!unpaidPlanKey || standing === undefined) return null
  const next = { ...rest, state: 'active', planKey: planKey ?? unpaidPlanKey, currentPeriodEnd } as const
  return { next, events: ['activated'], grantsCredits: false }
}

const takePlan: Step = (current, { planKey }) =>
  planKey === null || planKey === current.planKey
    ? null
    : { next: { ...current, planKey }, events: ['plan_changed'], grantsCredits: false }

const takeStanding: Step = (current, { standing, trialEndsAt }, context) => {
  if (standing === 'active') return current.state === 'active' ? null : activate(current, null, false)
  if (standing === 'past_due')
    return current.state === 'past_due'
      ? null
      : transition({ ...current, state: 'active' }, { kind: 'payment_failed' }, context)
  if (standing !== 'trialing') return null
  const end = trialEndsAt ?? current.trialEndsAt ?? current.currentPeriodEnd
  const next = { ...current, state: 'trialing', trialUsed: true, trialEndsAt: end, graceEndsAt: null } as const
  return { next, events: current.state === 'trialing' ? [] : ['trial_started'], grantsCredits: false }
}

/** The grace period doesn't run while payment is paused, so it begins again afterwards. */
const takePause: Step = (current, { paymentPaused }, { at, graceMs }) => {
  const { paymentPaused: wasPaused = false, ...rest } = current
  if (paymentPaused === undefined || paymentPaused === wasPaused) return null
  if (paymentPaused) return { next: { ...rest, paymentPaused }, events: ['payment_paused'], grantsCredits: false }
  const graceEndsAt = current.state === 'past_due' ? at + graceMs : current.graceEndsAt
  return { next: { ...rest, graceEndsAt }, events: ['payment_resumed'], grantsCredits: false }
}

const takeCancellation: Step = (current, { cancelAtPeriodEnd }, context) =>
  transition(current, { kind: cancelAtPeriodEnd ? 'cancel_later' : 'resume' }, context)

const STEPS: readonly Step[] = [takePlan, takeStanding, takePause, takeCancellation]
