/** Changes that follow from the passage of time: trials, periods and grace periods that have ended. */
import { periodEnd } from './calendar.ts'
import type { SubscriptionChange } from './provider-event.ts'
import type { Subscription } from './subscription-states.ts'

export interface DueChange {
  /** When the change was due, so that a late renewal doesn't shift the next one. */
  readonly at: number
  readonly change: SubscriptionChange
}
export interface DueContext {
  readonly now: number
  readonly interval: 'month' | 'year'
  /** Whether the development provider's next payment succeeds. */
  readonly paymentsSucceed: boolean
  /** True if the provider reports ended trials and renewals itself. */
  readonly managesSchedule: boolean
  /** Day of the month on which periods end. */
  readonly anchorDay: number | null
  /** How far the subscription's dates were moved back, in milliseconds. */
  readonly shiftMs: number
}

export function dueChange(
  sub: Subscription,
  { now, interval, paymentsSucceed, managesSchedule, anchorDay, shiftMs }: DueContext,
): DueChange | null {
  const { trialEndsAt, currentPeriodEnd, graceEndsAt, cancelAtPeriodEnd } = sub
  const endAfter = (from: number, day?: number | null) =>
    periodEnd(interval, from + shiftMs, day ?? undefined) - shiftMs
  const isPast = (at: number | null): at is number => at !== null && at <= now
  if (sub.state === 'free' || sub.state === 'canceled') return null
  if (cancelAtPeriodEnd && isPast(currentPeriodEnd)) return { at: currentPeriodEnd, change: { type: 'period_ended' } }
  // Nothing is due at the provider meanwhile.
  if (sub.paymentPaused) return null
  if (sub.state === 'past_due') {
    if (paymentsSucceed && !managesSchedule) return { at: now, change: renewal(endAfter(now)) }
    return isPast(graceEndsAt) ? { at: graceEndsAt, change: { type: 'grace_ended' } } : null
  }
  if (managesSchedule) return null
  if (sub.state === 'trialing' && isPast(trialEndsAt))
    return {
      at: trialEndsAt,
      change: { type: 'trial_ended', paymentSucceeded: paymentsSucceed, periodEnd: endAfter(trialEndsAt) },
    }
  if (sub.state === 'active' && isPast(currentPeriodEnd))
    return {
      at: currentPeriodEnd,
      change: paymentsSucceed ? renewal(endAfter(currentPeriodEnd, anchorDay)) : { type: 'payment_failed' },
    }
  return null
}

const renewal = (periodEnd: number): SubscriptionChange => ({ type: 'paid', planKey: null, isRenewal: true, periodEnd })
