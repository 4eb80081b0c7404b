/** The state machine of a subscription: which trigger leads from which state to which, with what consequences. */

export const STATES = ['free', 'trialing', 'active', 'past_due', 'canceled'] as const
export type State = (typeof STATES)[number]

/** Timestamps are milliseconds since 1970. */
export interface Subscription {
  readonly state: State
  /** Null: the default plan. */
  readonly planKey: string | null
  readonly trialUsed: boolean
  readonly trialEndsAt: number | null
  readonly currentPeriodEnd: number | null
  readonly graceEndsAt: number | null
  readonly cancelAtPeriodEnd: boolean
  /** The provider collects no payments for now: the default plan's entitlements hold. */
  readonly paymentPaused?: boolean
  /** Plan of a subscription that was canceled because the provider gave up collecting. It returns once that is paid. */
  readonly unpaidPlanKey?: string | null
}

export type Trigger =
  /** `trialEndsAt`: end of the plan's trial; null if the plan has none. */
  | {
      readonly kind: 'checkout'
      readonly planKey: string
      readonly trialEndsAt: number | null
      readonly periodEnd: number | null
    }
  /** `isRenewal`: true for the payment of a new period, false for a proration within one. */
  | { readonly kind: 'paid'; readonly isRenewal: boolean; readonly periodEnd: number | null }
  | { readonly kind: 'trial_ended'; readonly paymentSucceeded: boolean; readonly periodEnd: number | null }
  | { readonly kind: 'payment_failed' }
  | { readonly kind: 'plan_change'; readonly planKey: string }
  | { readonly kind: 'cancel_now' }
  | { readonly kind: 'cancel_later' }
  | { readonly kind: 'resume' }
  | { readonly kind: 'period_ended' }
  | { readonly kind: 'grace_ended' }

/** Last part of an event type: `billing.subscription.<name>`. */
export type SubscriptionEventName =
  | 'trial_started'
  | 'activated'
  | 'renewed'
  | 'plan_changed'
  | 'past_due'
  | 'cancel_scheduled'
  | 'resumed'
  | 'canceled'
  | 'payment_paused'
  | 'payment_resumed'

export interface Transition {
  readonly next: Subscription
  /** Events to publish. */
  readonly events: readonly SubscriptionEventName[]
  /** Whether the plan's credits are granted now. */
  readonly grantsCredits: boolean
}
export interface TransitionContext {
  /** Milliseconds since 1970. */
  readonly at: number
  /** Milliseconds from a failed payment to cancellation. */
  readonly graceMs: number
}

type TransitionHandler = (current: Subscription, trigger: Trigger, context: TransitionContext) => Transition | null

const transitionTo = (
  next: Subscription,
  events: readonly SubscriptionEventName[],
  grantsCredits = false,
): Transition => ({ next, events, grantsCredits })

const onCheckout: TransitionHandler = (current, trigger) => {
  if (trigger.kind !== 'checkout') return null
  const { planKey, periodEnd } = trigger
  const trialEndsAt = current.trialUsed ? null : trigger.trialEndsAt
  const { paymentPaused, unpaidPlanKey, ...rest } = current
  const next = { ...rest, planKey, trialEndsAt, graceEndsAt: null, cancelAtPeriodEnd: false }
  if (trialEndsAt === null)
    return transitionTo({ ...next, state: 'active', currentPeriodEnd: periodEnd }, ['activated'], true)
  const trialing = { ...next, state: 'trialing', trialUsed: true, currentPeriodEnd: trialEndsAt } as const
  return transitionTo(trialing, ['trial_started'], true)
}

export const activate = (current: Subscription, periodEnd: number | null, grantsCredits: boolean): Transition =>
  transitionTo(
    {
      ...current,
      state: 'active',
      trialEndsAt: null,
      graceEndsAt: null,
      currentPeriodEnd: laterOf(current.currentPeriodEnd, periodEnd),
    },
    ['activated'],
    grantsCredits,
  )

/** The payment of an earlier period doesn't shorten the current one. */
const laterOf = (current: number | null, paid: number | null): number | null =>
  current === null || paid === null ? (paid ?? current) : Math.max(current, paid)

const onPaid: TransitionHandler = (current, trigger) => {
  if (trigger.kind !== 'paid') return null
  const { periodEnd, isRenewal } = trigger
  if (current.state !== 'active') return activate(current, periodEnd, isRenewal)
  const next = { ...current, currentPeriodEnd: laterOf(current.currentPeriodEnd, periodEnd) }
  return isRenewal ? transitionTo(next, ['renewed'], true) : transitionTo(current, [])
}

const onPaymentFailed: TransitionHandler = (current, _, { at, graceMs }) =>
  transitionTo({ ...current, state: 'past_due', trialEndsAt: null, graceEndsAt: at + graceMs }, ['past_due'])

const onTrialEnded: TransitionHandler = (current, trigger, context) => {
  if (trigger.kind !== 'trial_ended' || !isPast(current.trialEndsAt, context)) return null
  return trigger.paymentSucceeded
    ? activate(current, trigger.periodEnd, true)
    : onPaymentFailed(current, trigger, context)
}

const onPlanChange: TransitionHandler = (current, trigger) =>
  trigger.kind === 'plan_change' && trigger.planKey !== current.planKey
    ? transitionTo({ ...current, planKey: trigger.planKey }, ['plan_changed'])
    : null

const cancelNow: TransitionHandler = ({ paymentPaused, ...current }) =>
  transitionTo(
    {
      ...current,
      state: 'canceled',
      planKey: null,
      trialEndsAt: null,
      currentPeriodEnd: null,
      graceEndsAt: null,
      cancelAtPeriodEnd: false,
    },
    ['canceled'],
  )

const scheduleCancellation: TransitionHandler = current =>
  current.cancelAtPeriodEnd ? null : transitionTo({ ...current, cancelAtPeriodEnd: true }, ['cancel_scheduled'])
const onResume: TransitionHandler = current =>
  current.cancelAtPeriodEnd ? transitionTo({ ...current, cancelAtPeriodEnd: false }, ['resumed']) : null

const isPast = (time: number | null, { at }: TransitionContext): boolean => time !== null && time <= at
const onPeriodEnded: TransitionHandler = (current, trigger, context) =>
  current.cancelAtPeriodEnd && isPast(current.currentPeriodEnd, context) ? cancelNow(current, trigger, context) : null
const onGraceEnded: TransitionHandler = (current, trigger, context) =>
  isPast(current.graceEndsAt, context) ? cancelNow(current, trigger, context) : null

const CANCELLATION = {
  cancel_now: cancelNow,
  cancel_later: scheduleCancellation,
  resume: onResume,
  period_ended: onPeriodEnded,
}

const TABLE: Readonly<Record<State, { readonly [K in Trigger['kind']]?: TransitionHandler }>> = {
  free: { checkout: onCheckout },
  trialing: { ...CANCELLATION, paid: onPaid, trial_ended: onTrialEnded, payment_failed: onPaymentFailed },
  active: { ...CANCELLATION, paid: onPaid, payment_failed: onPaymentFailed, plan_change: onPlanChange },
  past_due: { ...CANCELLATION, paid: onPaid, grace_ended: onGraceEnded },
  canceled: { checkout: onCheckout },
}

/** Null if the table has no such transition: 409 `invalid_state`. */
export const transition = (current: Subscription, trigger: Trigger, context: TransitionContext): Transition | null =>
  TABLE[current.state][trigger.kind]?.(current, trigger, context) ?? null
