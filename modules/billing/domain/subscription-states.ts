/** The table of subscription states: which trigger leads from where to where, and what follows. Pure. */

export const STATES = ['free', 'trialing', 'active', 'past_due', 'canceled'] as const
export type State = (typeof STATES)[number]

/** Times are milliseconds since 1970. */
export interface Subscription {
  readonly state: State
  /** Null: the default plan. */
  readonly planKey: string | null
  readonly trialUsed: boolean
  readonly trialEndsAt: number | null
  readonly currentPeriodEnd: number | null
  readonly graceEndsAt: number | null
  readonly cancelAtPeriodEnd: boolean
}

export type Trigger =
  /** `trialEndsAt`: the plan has a trial, and it would end then. */
  | {
      readonly kind: 'checkout'
      readonly planKey: string
      readonly trialEndsAt: number | null
      readonly periodEnd: number | null
    }
  /** `renews`: for a period of its own, not for what was changed within one. */
  | { readonly kind: 'paid'; readonly renews: boolean; readonly periodEnd: number | null }
  | { readonly kind: 'trial_over'; readonly pays: boolean; readonly periodEnd: number | null }
  | { readonly kind: 'payment_failed' }
  | { readonly kind: 'plan_change'; readonly planKey: string }
  | { readonly kind: 'cancel_now' }
  | { readonly kind: 'cancel_later' }
  | { readonly kind: 'resume' }
  | { readonly kind: 'period_over' }
  | { readonly kind: 'grace_over' }

/** What others are told: `billing.subscription.<word>`. */
export type Told =
  | 'trial_started'
  | 'activated'
  | 'renewed'
  | 'plan_changed'
  | 'past_due'
  | 'cancel_scheduled'
  | 'resumed'
  | 'canceled'

export interface Step {
  readonly next: Subscription
  readonly tell: readonly Told[]
  /** Whether the plan's credits are granted now. */
  readonly grants: boolean
}
export interface Moment {
  readonly at: number
  /** Milliseconds from a failed payment to the end. */
  readonly grace: number
}

type Move = (now: Subscription, trigger: Trigger, moment: Moment) => Step | null

const step = (next: Subscription, tell: readonly Told[], grants = false): Step => ({ next, tell, grants })

const bought: Move = (now, trigger) => {
  if (trigger.kind !== 'checkout') return null
  const { planKey, periodEnd } = trigger
  const trialEndsAt = now.trialUsed ? null : trigger.trialEndsAt
  const next = { ...now, planKey, trialEndsAt, graceEndsAt: null, cancelAtPeriodEnd: false }
  if (trialEndsAt === null) return step({ ...next, state: 'active', currentPeriodEnd: periodEnd }, ['activated'], true)
  return step({ ...next, state: 'trialing', trialUsed: true, currentPeriodEnd: trialEndsAt }, ['trial_started'], true)
}

const activated = (now: Subscription, periodEnd: number | null, grants: boolean): Step =>
  step(
    {
      ...now,
      state: 'active',
      trialEndsAt: null,
      graceEndsAt: null,
      currentPeriodEnd: periodEnd ?? now.currentPeriodEnd,
    },
    ['activated'],
    grants,
  )

const paid: Move = (now, trigger) => {
  if (trigger.kind !== 'paid') return null
  const { periodEnd, renews } = trigger
  if (now.state !== 'active') return activated(now, periodEnd, renews)
  const next = { ...now, currentPeriodEnd: periodEnd ?? now.currentPeriodEnd }
  return renews ? step(next, ['renewed'], true) : step(now, [])
}

const failed: Move = (now, _, { at, grace }) =>
  step({ ...now, state: 'past_due', trialEndsAt: null, graceEndsAt: at + grace }, ['past_due'])

const trialOver: Move = (now, trigger, moment) => {
  if (trigger.kind !== 'trial_over' || !isOver(now.trialEndsAt, moment)) return null
  return trigger.pays ? activated(now, trigger.periodEnd, true) : failed(now, trigger, moment)
}

const changed: Move = (now, trigger) =>
  trigger.kind === 'plan_change' && trigger.planKey !== now.planKey
    ? step({ ...now, planKey: trigger.planKey }, ['plan_changed'])
    : null

const ended: Move = now =>
  step(
    {
      ...now,
      state: 'canceled',
      planKey: null,
      trialEndsAt: null,
      currentPeriodEnd: null,
      graceEndsAt: null,
      cancelAtPeriodEnd: false,
    },
    ['canceled'],
  )

const scheduled: Move = now =>
  now.cancelAtPeriodEnd ? null : step({ ...now, cancelAtPeriodEnd: true }, ['cancel_scheduled'])
const resumed: Move = now => (now.cancelAtPeriodEnd ? step({ ...now, cancelAtPeriodEnd: false }, ['resumed']) : null)

const isOver = (time: number | null, { at }: Moment): boolean => time !== null && time <= at
const periodOver: Move = (now, trigger, moment) =>
  now.cancelAtPeriodEnd && isOver(now.currentPeriodEnd, moment) ? ended(now, trigger, moment) : null
const graceOver: Move = (now, trigger, moment) => (isOver(now.graceEndsAt, moment) ? ended(now, trigger, moment) : null)

const ENDING = { cancel_now: ended, cancel_later: scheduled, resume: resumed, period_over: periodOver }

const TABLE: Readonly<Record<State, { readonly [K in Trigger['kind']]?: Move }>> = {
  free: { checkout: bought },
  trialing: { ...ENDING, paid, trial_over: trialOver, payment_failed: failed },
  active: { ...ENDING, paid, payment_failed: failed, plan_change: changed },
  past_due: { ...ENDING, paid, grace_over: graceOver },
  canceled: { checkout: bought },
}

/** What becomes of a subscription; null where the table has no such step: 409 `invalid_state`. */
export const advance = (now: Subscription, trigger: Trigger, moment: Moment): Step | null =>
  TABLE[now.state][trigger.kind]?.(now, trigger, moment) ?? null
