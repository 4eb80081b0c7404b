/** View model of the billing page. */
import { defineTexts } from '@larder-dev/larder/kernel'
import { nameOf, type Plan } from '../domain/plans.ts'
import type { Balance } from '../services/credit-history.ts'
import type { EntitlementOverview } from '../services/entitlement-service.ts'
import type { PlanCatalog } from '../services/plan-catalog.ts'
import type { SubscriptionView } from '../services/subscription-service.ts'
import type { Translate } from '../services/translator.ts'
import { EACH, formatQuantity, type Offer, offersOf } from './plan-offers.ts'

export interface BillingFacts {
  readonly locale: string
  readonly translate: Translate
  readonly subscription: SubscriptionView
  readonly plan: Plan
  readonly usage: readonly EntitlementOverview[]
  readonly balances: readonly Balance[]
  readonly catalog: PlanCatalog
  readonly defaultPlan: string
  readonly mayChange: boolean
  /** A workspace gets one trial. */
  readonly trialUsed: boolean
}

const STATES = defineTexts({
  free: '',
  trialing: 'Trial',
  active: 'Active',
  past_due: 'Past due',
  canceled: 'Canceled',
})
const PAUSED = defineTexts('Payment paused')
const GIVEN = defineTexts('Given')
const BUY = defineTexts({ first: 'Choose {0}', other: 'Switch to {0}' })

export function toView(facts: BillingFacts) {
  const { locale, translate, subscription, plan, usage, balances, catalog, mayChange } = facts
  const { state, cancelAtPeriodEnd, graceEndsAt, trialEndsAt, currentPeriodEnd, paymentPaused } = subscription
  const isGiven = subscription.given && state === 'active'
  const defaultPlan = catalog.plans.find(({ key }) => key === facts.defaultPlan)
  const isRunning = state === 'trialing' || state === 'active' || state === 'past_due'
  return {
    plan: translate(plan.name),
    state: paymentPaused ? PAUSED : isGiven ? GIVEN : STATES[state],
    given: isGiven,
    bad: state === 'past_due' || paymentPaused,
    pausedTo: paymentPaused ? translate(defaultPlan?.name) : null,
    ends: cancelAtPeriodEnd ? currentPeriodEnd : null,
    renews: state === 'active' && !isGiven && !cancelAtPeriodEnd && !paymentPaused ? currentPeriodEnd : null,
    trial: state === 'trialing' && !cancelAtPeriodEnd ? trialEndsAt : null,
    grace: paymentPaused ? null : graceEndsAt,
    mayChange,
    mayCancel: mayChange && isRunning && !cancelAtPeriodEnd,
    mayResume: mayChange && isRunning && cancelAtPeriodEnd,
    usage: usage.filter(({ kind }) => kind !== 'credit').map(overview => toUsage(facts, overview)),
    credits: balances.map(({ key, name, unit, balance, nextExpiry }) => ({
      name: translate(nameOf({ key, name })),
      balance: formatQuantity(locale, balance, unit),
      expiring: nextExpiry && {
        amount: formatQuantity(locale, nextExpiry.amount, unit),
        all: nextExpiry.amount === balance,
        at: nextExpiry.expiresAt,
      },
    })),
    plans: offersOf(catalog, facts).map(offer => toOffer(facts, offer)),
  }
}

/** The share of a limit from which its bar warns. */
const NEARLY_FULL = 0.9

/** The bar ends at the limit. A limit of 0 is exceeded by anything. */
function percentOf(used: number, limit: number): number {
  if (limit <= 0) return used > 0 ? 100 : 0
  return Math.min(100, Math.round((used / limit) * 100))
}

function toUsage(
  { locale, translate }: BillingFacts,
  { key, name, kind, unit, limit, used, period }: EntitlementOverview,
) {
  const isFlag = kind === 'flag'
  return {
    name: translate(nameOf({ key, name })),
    flag: isFlag,
    on: limit !== 0,
    // A bar from 0 to 0 would say that it is used up.
    lacking: !isFlag && limit === 0 && used === 0,
    used: formatQuantity(locale, used, unit),
    limit: formatQuantity(locale, limit, unit),
    over: !isFlag && limit >= 0 && used > limit,
    bounded: limit >= 0,
    percent: percentOf(used, limit),
    full: limit >= 0 && used >= limit * NEARLY_FULL,
    period: period && EACH[period],
  }
}

function toOffer({ subscription, plan, defaultPlan, mayChange, trialUsed }: BillingFacts, offer: Offer): Offer {
  const isCurrent = offer.key === plan.key
  const { state } = subscription
  const isPurchase = state === 'free' || state === 'canceled'
  const isAvailable = mayChange && !isCurrent && offer.key !== defaultPlan && (isPurchase || state === 'active')
  return {
    ...offer,
    trialDays: isPurchase && !trialUsed ? offer.trialDays : null,
    current: isCurrent,
    action: isAvailable ? (isPurchase ? BUY.first : BUY.other) : null,
  }
}
