/** The plans as pages show them: beside each other, with what they bring. */
import { defineTexts, formatMoney, scaledQuantity } from '@larder-dev/larder/kernel'
import { type Entitlement, nameOf, type Plan, UNLIMITED } from '../domain/plans.ts'
import type { PlanCatalog } from '../services/plan-catalog.ts'
import type { Translate } from '../services/translator.ts'

export const EACH = defineTexts({ day: 'per day', month: 'per month', year: 'per year' })

export interface Offer {
  readonly key: string
  readonly name: string
  readonly description: string | null
  /** Null for a plan that costs nothing. */
  readonly price: string | null
  readonly interval: string | null
  readonly trialDays: number | null
  readonly recommended: boolean
  readonly current: boolean
  /** Text of the button that buys the plan; null without one. */
  readonly action: string | null
  /** Limits and credits, without those that the plan lacks. An amount of null: included. */
  readonly brings: readonly {
    readonly name: string
    readonly amount: string | null
    readonly period: string | null
  }[]
}
interface Reader {
  readonly locale: string
  readonly translate: Translate
}

/** `100 GiB`; pages translate `Unlimited`. */
export function formatQuantity(locale: string, amount: number, unit: string | null | undefined): string {
  if (amount === UNLIMITED) return defineTexts('Unlimited')
  const scaled = scaledQuantity(amount, unit)
  const shown = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 }).format(scaled.amount)
  return scaled.unit ? `${shown} ${scaled.unit}` : shown
}

/** The plan that stands out: the recipe names it, or else it is the cheapest one that costs. */
const recommendedOf = (plans: readonly Plan[]): Plan | undefined =>
  plans.find(({ recommended }) => recommended) ?? plans.find(({ price }) => price > 0)

export function offersOf({ plans, entitlements }: PlanCatalog, reader: Reader): Offer[] {
  const { locale, translate } = reader
  const recommended = recommendedOf(plans)
  return plans.map(plan => ({
    key: plan.key,
    name: translate(plan.name),
    description: translate(plan.description) ?? null,
    price: plan.price === 0 ? null : formatMoney(locale, plan.price, plan.currency),
    interval: plan.price === 0 ? null : EACH[plan.interval],
    trialDays: plan.trialDays > 0 ? plan.trialDays : null,
    recommended: plan === recommended,
    current: false,
    action: null,
    brings: [...entitlements.values()].flatMap(entitlement => toIncluded(reader, plan, entitlement)),
  }))
}

function toIncluded({ locale, translate }: Reader, plan: Plan, { key, name, kind, unit, period }: Entitlement) {
  const amount = kind === 'credit' ? plan.credits[key] : plan.entitlements[key]
  if (!amount) return []
  return [
    {
      name: translate(nameOf({ key, name })),
      amount: kind === 'flag' ? null : formatQuantity(locale, amount, unit),
      period: kind === 'meter' && amount !== UNLIMITED ? EACH[period ?? 'month'] : null,
    },
  ]
}

/** The plans of the recipe in each language of the product, for landing pages. The same objects for every visitor. */
export function offersByLocale(catalog: PlanCatalog, into: (locale: string) => Translate) {
  const known = new Map<string, { readonly plans: readonly Offer[] }>()
  return (locale: string) => {
    const found = known.get(locale) ?? { plans: offersOf(catalog, { locale, translate: into(locale) }) }
    known.set(locale, found)
    return found
  }
}
