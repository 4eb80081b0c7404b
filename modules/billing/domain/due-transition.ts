/** What the time alone does to a subscription. Pure. */
import type { What } from './provider-event.ts'
import type { Subscription } from './subscription-states.ts'
import { periodEnd } from './calendar.ts'

/** When it was due: a renewal that comes late does not move the next one. */
export interface Due {
  readonly at: number
  readonly what: What
}
export interface Ground {
  readonly now: number
  readonly interval: 'month' | 'year'
  /** Whether the development provider's payment succeeds. */
  readonly pays: boolean
  /** The provider says itself when a trial is over and a period renewed. */
  readonly keepsTime: boolean
}

export function dueOf(sub: Subscription, { now, interval, pays, keepsTime }: Ground): Due | null {
  const { trialEndsAt, currentPeriodEnd, graceEndsAt, cancelAtPeriodEnd } = sub
  const isOver = (time: number | null): time is number => time !== null && time <= now
  if (sub.state === 'free' || sub.state === 'canceled') return null
  if (cancelAtPeriodEnd && isOver(currentPeriodEnd)) return { at: currentPeriodEnd, what: { type: 'period_over' } }
  if (sub.state === 'past_due') {
    if (pays && !keepsTime) return { at: now, what: renewal(interval, now) }
    return isOver(graceEndsAt) ? { at: graceEndsAt, what: { type: 'grace_over' } } : null
  }
  if (keepsTime) return null
  if (sub.state === 'trialing' && isOver(trialEndsAt))
    return { at: trialEndsAt, what: { type: 'trial_over', pays, periodEnd: periodEnd(interval, trialEndsAt) } }
  if (sub.state === 'active' && isOver(currentPeriodEnd))
    return { at: currentPeriodEnd, what: pays ? renewal(interval, currentPeriodEnd) : { type: 'failed' } }
  return null
}

const renewal = (interval: 'month' | 'year', from: number): What => ({
  type: 'paid',
  planKey: null,
  renews: true,
  periodEnd: periodEnd(interval, from),
})
