/** What subscriptions add to the recurring revenue, and how that changes. Pure. */
import type { Plan } from './plans.ts'
import type { State } from './subscription-states.ts'

/** What one subscription adds. It stays what it was when the price of the plan changes in the recipe. */
export interface Revenue {
  readonly planKey: string
  readonly currency: string
  /** Per year, in minor units: twelve times what is paid per month, which can be a fraction. */
  readonly annual: number
}

export const CHANGE_KINDS = [
  /** What was paid when the figures began. */
  'opening',
  'new',
  'expansion',
  'contraction',
  'lost',
  'trial_started',
  'trial_converted',
  'trial_lost',
] as const
export type ChangeKind = (typeof CHANGE_KINDS)[number]

export interface RevenueChange {
  readonly kind: ChangeKind
  readonly planKey: string
  readonly currency: string
  readonly annual: number
  readonly subscriptions: number
}

interface Paying {
  readonly state: State
  readonly paymentPaused?: boolean
  readonly planKey: string | null
}

const MONTHS = 12

/**
 * A subscription counts from its first payment to its end, also while a payment is overdue. One whose trial ended without a
 * payment doesn't count, nor one whose payment is paused.
 * @param before what it has added so far.
 * @param plan of the subscription.
 */
export function revenueOf(
  { state, paymentPaused, planKey }: Paying,
  before: Revenue | null,
  plan: Plan | undefined,
): Revenue | null {
  if (paymentPaused || planKey === null || (state !== 'active' && state !== 'past_due')) return null
  if (before?.planKey === planKey) return before
  if ((state === 'past_due' && before === null) || !plan || plan.price === 0) return null
  return { planKey, currency: plan.currency, annual: plan.interval === 'year' ? plan.price : plan.price * MONTHS }
}

/** @param price of the trial's plan, for its key and its currency. */
export function changesBetween(
  before: { readonly state: State; readonly revenue: Revenue | null },
  after: { readonly state: State; readonly revenue: Revenue | null },
  trialOf: Pick<Plan, 'key' | 'currency'> | undefined,
): RevenueChange[] {
  return [...trialChanges(before, after, trialOf), ...paymentChanges(before.revenue, after.revenue)]
}

/** A trial that ended without a payment goes on until the payment arrives or is given up. */
function trialChanges(
  before: { readonly state: State; readonly revenue: Revenue | null },
  after: { readonly state: State },
  trialOf: Pick<Plan, 'key' | 'currency'> | undefined,
): RevenueChange[] {
  if (!trialOf) return []
  const wasOnTrial = before.state === 'trialing' || (before.state === 'past_due' && before.revenue === null)
  const change = (kind: ChangeKind) => [
    { kind, planKey: trialOf.key, currency: trialOf.currency, annual: 0, subscriptions: 0 },
  ]
  if (after.state === 'trialing') return before.state === 'trialing' ? [] : change('trial_started')
  if (!wasOnTrial || after.state === 'past_due') return []
  return change(after.state === 'active' ? 'trial_converted' : 'trial_lost')
}

function paymentChanges(before: Revenue | null, after: Revenue | null): RevenueChange[] {
  if (before === after || (before && after && isSame(before, after))) return []
  if (!before) return after ? [{ kind: 'new', ...after, subscriptions: 1 }] : []
  const left = { ...before, annual: -before.annual, subscriptions: -1 }
  if (!after) return [{ kind: 'lost', ...left }]
  // Amounts of different currencies can't be compared: one loses what the other gains.
  const isOneCurrency = before.currency === after.currency
  const isMore = after.annual >= before.annual
  return [
    { kind: isOneCurrency && isMore ? 'expansion' : 'contraction', ...left },
    { kind: isOneCurrency && !isMore ? 'contraction' : 'expansion', ...after, subscriptions: 1 },
  ]
}

const isSame = (a: Revenue, b: Revenue): boolean =>
  a.planKey === b.planKey && a.currency === b.currency && a.annual === b.annual
