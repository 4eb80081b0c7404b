/** View model of the billing page. */
import { defineTexts, formatMoney, scaledQuantity } from '@larder-dev/larder/kernel'
import { type Entitlement, nameOf, type Plan, UNLIMITED } from '../domain/plans.ts'
import type { Balance } from '../services/credit-history.ts'
import type { EntitlementOverview } from '../services/entitlement-service.ts'
import type { PlanCatalog } from '../services/plan-catalog.ts'
import type { SubscriptionView } from '../services/subscription-service.ts'
import type { Translate } from '../services/translator.ts'

/** `100 GiB`; the page translates `Unlimited`. */
function formatQuantity(locale: string, amount: number, unit: string | null | undefined): string {
  if (amount === UNLIMITED) return defineTexts('Unlimited')
  const scaled = scaledQuantity(amount, unit)
  const shown = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 }).format(scaled.amount)
  return scaled.unit ? `${shown} ${scaled.unit}` : shown
}

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
const EACH = defineTexts({ day: 'per day', month: 'per month', year: 'per year' })
const BUY = defineTexts({ first: 'Choose {0}', other: 'Switch to {0}' })

export function toView(facts: BillingFacts) {
  const { locale, translate, subscription, plan, usage, balances, catalog, mayChange } = facts
  const { state, cancelAtPeriodEnd, graceEndsAt, trialEndsAt, currentPeriodEnd, paymentPaused } = subscription
  const defaultPlan = catalog.plans.find(({ key }) => key === facts.defaultPlan)
  const isRunning = state === 'trialing' || state === 'active' || state === 'past_due'
  return {
    plan: translate(plan.name),
    state: paymentPaused ? PAUSED : STATES[state],
    bad: state === 'past_due' || paymentPaused,
    pausedTo: paymentPaused ? translate(defaultPlan?.name) : null,
    ends: cancelAtPeriodEnd ? currentPeriodEnd : null,
    renews: state === 'active' && !cancelAtPeriodEnd && !paymentPaused ? currentPeriodEnd : null,
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
    plans: catalog.plans.map(offered => toOffer(facts, offered)),
  }
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
    used: formatQuantity(locale, used, unit),
    limit: formatQuantity(locale, limit, unit),
    over: !isFlag && limit >= 0 && used > limit,
    period: period && EACH[period],
  }
}

function toOffer(facts: BillingFacts, offered: Plan) {
  const { locale, translate, subscription, plan, catalog, defaultPlan, mayChange, trialUsed } = facts
  const isCurrent = offered.key === plan.key
  const { state } = subscription
  const isPurchase = state === 'free' || state === 'canceled'
  const isAvailable = mayChange && !isCurrent && offered.key !== defaultPlan && (isPurchase || state === 'active')
  return {
    key: offered.key,
    name: translate(offered.name),
    description: translate(offered.description) ?? null,
    price: formatMoney(locale, offered.price, offered.currency),
    interval: offered.price === 0 ? null : EACH[offered.interval],
    trialDays: isPurchase && !trialUsed && offered.trialDays > 0 ? offered.trialDays : null,
    current: isCurrent,
    action: isAvailable ? (isPurchase ? BUY.first : BUY.other) : null,
    brings: [...catalog.entitlements.values()].flatMap(entitlement => toIncluded(facts, offered, entitlement)),
  }
}

function toIncluded({ locale, translate }: BillingFacts, plan: Plan, { key, name, kind, unit }: Entitlement) {
  const amount = kind === 'credit' ? plan.credits[key] : plan.entitlements[key]
  if (!amount) return []
  return [
    { name: translate(nameOf({ key, name })), amount: kind === 'flag' ? null : formatQuantity(locale, amount, unit) },
  ]
}
