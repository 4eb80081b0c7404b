/** What a provider tells of a subscription, and what follows from it. Pure. */
import { advance, type Moment, type Step, type Subscription, type Trigger } from './subscription-states.ts'

/** Times are milliseconds since 1970. */
export type What =
  | {
      readonly type: 'checkout'
      readonly planKey: string
      readonly trialEndsAt: number | null
      readonly periodEnd: number | null
    }
  | {
      readonly type: 'paid'
      readonly planKey: string | null
      /** For a period of its own, not for what was changed within one. */
      readonly renews: boolean
      readonly periodEnd: number | null
    }
  | { readonly type: 'trial_over'; readonly pays: boolean; readonly periodEnd: number | null }
  | { readonly type: 'failed' }
  | { readonly type: 'ended' }
  | { readonly type: 'period_over' }
  | { readonly type: 'grace_over' }
  /** How things stand. */
  | {
      readonly type: 'standing'
      readonly planKey: string | null
      readonly cancelAtPeriodEnd: boolean
      readonly periodEnd: number | null
    }

export interface News {
  /** The provider's own: each counts once. */
  readonly id: string
  readonly at: number
  readonly tenantId: string | null
  readonly customer: string | null
  /** The provider's id of the subscription. */
  readonly subscription: string | null
  readonly what: What
}

/** Null where it does not fit how things stand now; it may later, once other news has come. */
export function follow(now: Subscription, what: What, moment: Moment): Step | null {
  if (isSo(now, what)) return { next: now, tell: [], grants: false }
  if (what.type === 'standing') return follows(now, what, moment)
  const first = advance(now, triggerOf(what), moment)
  if (!first || what.type !== 'paid') return first
  return and(first, changeTo(first.next, what.planKey, moment))
}

/** Providers try again to be paid, and end what we have ended: nothing follows from it. */
const isSo = ({ state }: Subscription, { type }: What): boolean =>
  (type === 'failed' && state === 'past_due') || (type === 'ended' && state === 'canceled')

function triggerOf(what: Exclude<What, { type: 'standing' }>): Trigger {
  if (what.type === 'failed') return { kind: 'payment_failed' }
  if (what.type === 'ended') return { kind: 'cancel_now' }
  const { type, ...rest } = what
  return { kind: type, ...rest } as Trigger
}

function changeTo(now: Subscription, planKey: string | null, moment: Moment): Step | null {
  return planKey === null ? null : advance(now, { kind: 'plan_change', planKey }, moment)
}

const and = (first: Step, then: Step | null): Step =>
  then ? { next: then.next, tell: [...first.tell, ...then.tell], grants: first.grants || then.grants } : first

function follows(now: Subscription, what: Extract<What, { type: 'standing' }>, moment: Moment): Step | null {
  if (now.state === 'free' || now.state === 'canceled') return null
  const moved = { ...now, currentPeriodEnd: what.periodEnd ?? now.currentPeriodEnd }
  const changed = and({ next: moved, tell: [], grants: false }, changeTo(moved, what.planKey, moment))
  const kind = what.cancelAtPeriodEnd ? 'cancel_later' : 'resume'
  return and(changed, advance(changed.next, { kind }, moment))
}
