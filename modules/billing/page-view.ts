/** What the page of billing shows, from what the services say. */
import { says } from 'larder/kernel'
import type { Plan } from './core/plans.ts'
import { money, quantity } from './core/wording.ts'
import type { Subscription } from './schemas.ts'
import type { Catalogue } from './services/catalogue.ts'
import type { ShownStanding } from './services/entitlements.ts'
import type { Balance } from './services/statement.ts'

export interface Facts {
  readonly locale: string
  readonly subscription: Subscription
  readonly plan: Plan
  readonly standings: readonly ShownStanding[]
  readonly balances: readonly Balance[]
  readonly catalogue: Catalogue
  readonly defaultPlan: string
  readonly mayChange: boolean
  /** A workspace has one trial. */
  readonly trialUsed: boolean
}

const STATES = says({ free: '', trialing: 'Trial', active: 'Active', past_due: 'Past due', canceled: 'Canceled' })
const EACH = says({ day: 'per day', month: 'per month', year: 'per year' })
const BUY = says({ first: 'Choose {0}', other: 'Switch to {0}' })

export function viewOf(facts: Facts) {
  const { locale, subscription, plan, standings, balances, catalogue, mayChange } = facts
  const { state, cancelAtPeriodEnd, graceEndsAt, trialEndsAt, currentPeriodEnd } = subscription
  const runs = state === 'trialing' || state === 'active' || state === 'past_due'
  return {
    plan: plan.name,
    state: STATES[state],
    bad: state === 'past_due',
    ends: cancelAtPeriodEnd ? currentPeriodEnd : null,
    renews: state === 'active' && !cancelAtPeriodEnd ? currentPeriodEnd : null,
    trial: state === 'trialing' && !cancelAtPeriodEnd ? trialEndsAt : null,
    grace: graceEndsAt,
    mayChange,
    mayCancel: mayChange && runs && !cancelAtPeriodEnd,
    mayResume: mayChange && runs && cancelAtPeriodEnd,
    usage: standings.filter(({ kind }) => kind !== 'credit').map(standing => usageOf(locale, standing)),
    credits: balances.map(({ key, name, unit, balance, nextExpiry }) => ({
      name: name ?? key,
      balance: quantity(locale, balance, unit),
      expiring: nextExpiry && {
        amount: quantity(locale, nextExpiry.amount, unit),
        all: nextExpiry.amount === balance,
        at: nextExpiry.expiresAt,
      },
    })),
    plans: catalogue.plans.map(one => offerOf(facts, one)),
  }
}

function usageOf(locale: string, { key, name, kind, unit, limit, used, period }: ShownStanding) {
  const flag = kind === 'flag'
  return {
    name: name ?? key,
    flag,
    on: limit !== 0,
    used: quantity(locale, used, unit),
    limit: quantity(locale, limit, unit),
    over: !flag && limit >= 0 && used > limit,
    period: period && EACH[period],
  }
}

function offerOf(facts: Facts, one: Plan) {
  const { locale, subscription, plan, catalogue, defaultPlan, mayChange, trialUsed } = facts
  const current = one.key === plan.key
  const { state } = subscription
  const buys = state === 'free' || state === 'canceled'
  const sold = mayChange && !current && one.key !== defaultPlan && (buys || state === 'active')
  return {
    key: one.key,
    name: one.name,
    description: one.description ?? null,
    price: money(locale, one.price, one.currency),
    interval: one.price === 0 ? null : EACH[one.interval],
    trialDays: buys && !trialUsed && one.trialDays > 0 ? one.trialDays : null,
    current,
    action: sold ? (buys ? BUY.first : BUY.other) : null,
    brings: [...catalogue.entitlements.values()].flatMap(entitlement => bringsOf(locale, one, entitlement)),
  }
}

function bringsOf(
  locale: string,
  plan: Plan,
  { key, name, kind, unit }: { key: string; name?: string; kind: string; unit?: string },
) {
  const amount = kind === 'credit' ? plan.credits[key] : plan.entitlements[key]
  if (!amount) return []
  return [{ name: name ?? key, amount: kind === 'flag' ? null : quantity(locale, amount, unit) }]
}
