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
}

export function dueChange(
  sub: Subscription,
  { now, interval, paymentsSucceed, managesSchedule }: DueContext,
): DueChange | null {
  const { trialEndsAt, currentPeriodEnd, graceEndsAt, cancelAtPeriodEnd } = sub
  const isPast = (at: number | null): at is number => at !== null && at <= now
  if (sub.state === 'free' || sub.state === 'canceled') return null
  if (cancelAtPeriodEnd && isPast(currentPeriodEnd)) return { at: currentPeriodEnd, change: { type: 'period_ended' } }
  if (sub.state === 'past_due') {
    if (paymentsSucceed && !managesSchedule) return { at: now, change: renewal(interval, now) }
    return isPast(graceEndsAt) ? { at: graceEndsAt, change: { type: 'grace_ended' } } : null
  }
  if (managesSchedule) return null
  if (sub.state === 'trialing' && isPast(trialEndsAt))
    return {
      at: trialEndsAt,
      change: { type: 'trial_ended', paymentSucceeded: paymentsSucceed, periodEnd: periodEnd(interval, trialEndsAt) },
    }
  if (sub.state === 'active' && isPast(currentPeriodEnd))
    return {
      at: currentPeriodEnd,
      change: paymentsSucceed ? renewal(interval, currentPeriodEnd) : { type: 'payment_failed' },
    }
  return null
}

const renewal = (interval: 'month' | 'year', from: number): SubscriptionChange => ({
  type: 'paid',
  planKey: null,
  isRenewal: true,
  periodEnd: periodEnd(interval, from),
})
