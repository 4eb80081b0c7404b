/** Puts recorded changes of the revenue together to a report by period. Pure. */
import { type ReportPeriods, shiftPeriod } from '@larder-dev/larder/kernel'
import type { ChangeKind } from './revenue.ts'

export type RevenuePeriods = ReportPeriods<'day' | 'month'>

/** The sum of changes of one kind, of one plan and currency, in one period. */
export interface ChangeSum {
  /** First day of the period; empty for all that was before the first one. */
  readonly start: string
  readonly kind: ChangeKind
  readonly planKey: string
  readonly currency: string
  /** Minor units per year. */
  readonly annual: number
  readonly subscriptions: number
  readonly changes: number
}
export interface PeopleCount {
  readonly start: string
  readonly signUps: number
  /** Null where nobody counted. */
  readonly activePeople: number | null
}

export interface PlanRevenue {
  readonly planKey: string
  readonly recurring: number
  readonly subscriptions: number
}
/** Amounts are minor units per month. `contraction` and `lost` are negative. */
export interface CurrencyRevenue {
  readonly currency: string
  readonly recurring: number
  readonly new: number
  readonly expansion: number
  readonly contraction: number
  readonly lost: number
  readonly subscriptions: number
  readonly newSubscriptions: number
  readonly lostSubscriptions: number
  readonly plans: readonly PlanRevenue[]
}
export interface RevenuePeriod {
  readonly start: string
  readonly currencies: readonly CurrencyRevenue[]
  readonly trials: { readonly started: number; readonly converted: number; readonly lost: number }
  /** Share of the trials that ended which led to a payment, 0 to 1; null if none ended. */
  readonly trialConversion: number | null
  readonly signUps: number | null
  readonly activePeople: number | null
  /** Subscriptions that began to pay for each sign-up; null without sign-ups. */
  readonly signUpConversion: number | null
}

const MONTHS = 12
const perMonth = (annual: number): number => Math.round(annual / MONTHS) + 0

interface Balance {
  annual: number
  subscriptions: number
}

/** @param since the day from which changes are recorded: periods that ended before are left out. */
export function reportOf(
  periods: RevenuePeriods,
  since: string,
  sums: readonly ChangeSum[],
  people: readonly PeopleCount[] | undefined,
): RevenuePeriod[] {
  const changesOf = byStart(sums)
  const changesIn = (period: string) => changesOf.get(period) ?? []
  const countOf = new Map(people?.map(count => [count.start, count]))
  /** Currency → plan → what is paid at the end of the period. */
  const balances = new Map<string, Map<string, Balance>>()
  add(balances, changesIn(''))
  return periods.starts.flatMap(start => {
    const changes = changesIn(start)
    add(balances, changes)
    if (shiftPeriod(periods.by, start, 1) <= since) return []
    const currencies = [...balances].map(([currency, plans]) =>
      currencyRevenue(
        currency,
        plans,
        changes.filter(change => change.currency === currency),
      ),
    )
    const trials = {
      started: countOfKind(changes, 'trial_started'),
      converted: countOfKind(changes, 'trial_converted'),
      lost: countOfKind(changes, 'trial_lost'),
    }
    const count = countOf.get(start)
    const began = countOfKind(changes, 'new')
    return [
      {
        start,
        currencies: currencies.toSorted((a, b) => (a.currency < b.currency ? -1 : 1)),
        trials,
        trialConversion: ratio(trials.converted, trials.converted + trials.lost),
        signUps: people ? (count?.signUps ?? 0) : null,
        activePeople: count?.activePeople ?? null,
        signUpConversion: ratio(began, count?.signUps ?? 0),
      },
    ]
  })
}

/** In one pass: a year of days has tens of thousands of sums. */
function byStart(sums: readonly ChangeSum[]): ReadonlyMap<string, readonly ChangeSum[]> {
  const found = new Map<string, ChangeSum[]>()
  for (const sum of sums) {
    const others = found.get(sum.start)
    if (others) others.push(sum)
    else found.set(sum.start, [sum])
  }
  return found
}

const ratio = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000

const countOfKind = (changes: readonly ChangeSum[], kind: ChangeKind): number =>
  changes.reduce((sum, change) => (change.kind === kind ? sum + change.changes : sum), 0)

function add(balances: Map<string, Map<string, Balance>>, changes: readonly ChangeSum[]): void {
  for (const { currency, planKey, annual, subscriptions } of changes) {
    // Nothing is paid during a trial.
    if (annual === 0 && subscriptions === 0) continue
    const plans = balances.get(currency) ?? new Map<string, Balance>()
    const { annual: paid, subscriptions: count } = plans.get(planKey) ?? { annual: 0, subscriptions: 0 }
    balances.set(currency, plans.set(planKey, { annual: paid + annual, subscriptions: count + subscriptions }))
  }
}

function currencyRevenue(
  currency: string,
  balances: ReadonlyMap<string, Balance>,
  changes: readonly ChangeSum[],
): CurrencyRevenue {
  const amountOf = (kind: ChangeKind) =>
    perMonth(changes.reduce((sum, change) => (change.kind === kind ? sum + change.annual : sum), 0))
  const all = [...balances.values()]
  return {
    currency,
    recurring: perMonth(all.reduce((sum, { annual }) => sum + annual, 0)),
    new: amountOf('new'),
    expansion: amountOf('expansion'),
    contraction: amountOf('contraction'),
    lost: amountOf('lost'),
    subscriptions: all.reduce((sum, { subscriptions }) => sum + subscriptions, 0),
    newSubscriptions: countOfKind(changes, 'new'),
    lostSubscriptions: countOfKind(changes, 'lost'),
    plans: [...balances]
      .filter(([, { annual, subscriptions }]) => annual !== 0 || subscriptions !== 0)
      .map(([planKey, { annual, subscriptions }]) => ({ planKey, recurring: perMonth(annual), subscriptions }))
      .toSorted((a, b) => b.recurring - a.recurring),
  }
}
