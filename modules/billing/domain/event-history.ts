/**
 * The newest events of a subscription in the order in which they occurred. An event that arrives late is inserted at its
 * place, so that the state doesn't depend on the order in which a provider's events arrive. Pure.
 */
import { applyChange, type SubscriptionChange } from './provider-event.ts'
import type { Subscription, SubscriptionEventName, Transition, TransitionContext } from './subscription-states.ts'

const MAX_ENTRIES = 60

export interface HistoryEntry {
  readonly at: number
  /** Position: the time of the event; that of the newest known event for a change that was made here. */
  readonly order: number
  /** See `ProviderEvent`. */
  readonly effect: string | null
  readonly change: SubscriptionChange
}
/** JSON data. */
export interface History {
  /** The state before the first entry. */
  readonly base: Subscription
  /** Order of the newest event that `base` contains; null for none. */
  readonly baseOrder: number | null
  readonly entries: readonly HistoryEntry[]
}

export interface Inserted {
  readonly history: History
  /** The change at its place; null if it doesn't apply there. */
  readonly transition: Transition | null
  /** The state at the place of the change. */
  readonly before: Subscription
  /** The state after all entries. */
  readonly after: Subscription
  /** True if newer events were inserted before. */
  readonly isLate: boolean
}

export const emptyHistory = (base: Subscription, baseOrder: number | null): History => ({
  base,
  baseOrder,
  entries: [],
})

export const newestOrder = ({ baseOrder, entries }: History): number => entries.at(-1)?.order ?? baseOrder ?? 0

/** True for an event that is older than the state before the first entry. */
export const isTooOld = ({ baseOrder }: History, order: number): boolean => baseOrder !== null && order < baseOrder

export function insertEntry(history: History, given: HistoryEntry, graceMs: number): Inserted {
  // Each failed attempt is one of its own.
  const repeated =
    given.change.type === 'paid' && given.effect !== null
      ? history.entries.find(({ effect, change }) => effect === given.effect && change.type === 'paid')
      : undefined
  // The first of two events with one effect decides when it occurred.
  const entry = repeated && repeated.order < given.order ? repeated : given
  const others = history.entries.filter(each => each !== repeated)
  const later = others.findIndex(({ order }) => order > entry.order)
  const position = later < 0 ? others.length : later
  const entries = [...others.slice(0, position), entry, ...others.slice(position)]
  const whole = { ...history, entries }
  const steps = replay(whole, graceMs)
  const { before, transition } = steps[position] as ReplayedEntry
  const after = steps.at(-1)?.after as Subscription
  return { history: compacted(whole, steps), before, transition, after, isLate: position < entries.length - 1 }
}

/** The state after all entries. */
export const stateOf = (history: History, graceMs: number): Subscription =>
  replay(history, graceMs).at(-1)?.after ?? history.base

interface ReplayedEntry {
  readonly before: Subscription
  readonly transition: Transition | null
  readonly after: Subscription
}

function replay({ base, entries }: History, graceMs: number): ReplayedEntry[] {
  const [first] = entries
  const beganAt = first?.change.type === 'checkout' ? first.at : Number.NEGATIVE_INFINITY
  const paid = new Set<string>()
  let state = base
  return entries.map(({ at, effect, change }) => {
    const before = state
    const relevant = relevantPart(change, at < beganAt, effect !== null && paid.has(effect))
    const transition = relevant && applyChange(before, relevant, { at, graceMs } satisfies TransitionContext)
    if (change.type === 'paid' && effect !== null) paid.add(effect)
    state = transition?.next ?? before
    return { before, transition, after: state }
  })
}

/**
 * A checkout is paid, so what was reported before it says nothing about payments; but what has ended stays ended. An
 * invoice that is paid can't fail.
 */
function relevantPart(change: SubscriptionChange, isBeforeCheckout: boolean, isPaid: boolean) {
  if (change.type === 'payment_failed' && isPaid) return null
  if (!isBeforeCheckout || change.type === 'ended') return change
  if (change.type !== 'updated') return null
  const { standing, trialEndsAt, ...rest } = change
  return rest
}

function compacted(history: History, steps: readonly ReplayedEntry[]): History {
  const excess = history.entries.length - MAX_ENTRIES
  if (excess <= 0) return history
  return {
    base: steps[excess - 1]?.after as Subscription,
    baseOrder: history.entries[excess - 1]?.order as number,
    entries: history.entries.slice(excess),
  }
}

/** The events of a change that was inserted before others. */
export function eventsOfDifference(from: Subscription, to: Subscription): SubscriptionEventName[] {
  const names: SubscriptionEventName[] = []
  if (from.state !== to.state) names.push(...STATE_EVENTS[to.state])
  if (from.planKey !== to.planKey && to.state !== 'canceled') names.push('plan_changed')
  if (from.cancelAtPeriodEnd !== to.cancelAtPeriodEnd && to.state !== 'canceled')
    names.push(to.cancelAtPeriodEnd ? 'cancel_scheduled' : 'resumed')
  if ((from.paymentPaused ?? false) !== (to.paymentPaused ?? false) && to.state !== 'canceled')
    names.push(to.paymentPaused ? 'payment_paused' : 'payment_resumed')
  return names
}

const STATE_EVENTS: Readonly<Record<Subscription['state'], readonly SubscriptionEventName[]>> = {
  free: [],
  trialing: ['trial_started'],
  active: ['activated'],
  past_due: ['past_due'],
  canceled: ['canceled'],
}

export const isSameState = (one: Subscription, other: Subscription): boolean =>
  one.state === other.state &&
  one.planKey === other.planKey &&
  one.trialUsed === other.trialUsed &&
  one.trialEndsAt === other.trialEndsAt &&
  one.currentPeriodEnd === other.currentPeriodEnd &&
  one.graceEndsAt === other.graceEndsAt &&
  one.cancelAtPeriodEnd === other.cancelAtPeriodEnd &&
  (one.paymentPaused ?? false) === (other.paymentPaused ?? false) &&
  (one.unpaidPlanKey ?? null) === (other.unpaidPlanKey ?? null)
