/** Plans and entitlements of the recipe, and the rules of their limits. */
import type { LocalText } from '@larder-dev/larder/kernel'
import { DEFAULT_PLAN } from '../options.ts'
import type { RecipeEntitlement, RecipePlan, Sections } from '../recipe/sections.ts'

export const UNLIMITED = -1

export interface Plan extends RecipePlan {
  readonly key: string
  readonly currency: string
  readonly interval: 'month' | 'year'
  readonly trialDays: number
  readonly entitlements: Readonly<Record<string, number>>
  readonly credits: Readonly<Record<string, number>>
  /** No longer in the recipe: subscribers keep it, and it can't be bought. */
  readonly retired: boolean
}
export interface Entitlement extends RecipeEntitlement {
  readonly key: string
}

interface Named {
  readonly key: string
  readonly name?: LocalText | null | undefined
}

/** What people read. Without a name, the last part of the key: `courses.enrollments` → `Enrollments`. */
export function nameOf({ key, name }: Named): LocalText {
  const words = (key.split('.').at(-1) ?? key).replaceAll(/[_-]/g, ' ')
  return name ?? words.charAt(0).toUpperCase() + words.slice(1)
}

/** The currency of a product without prices. */
const DEFAULT_CURRENCY = 'EUR'

/** A plan that costs nothing needs no currency in the recipe. It then has that of the other plans. */
const currencyOf = (plans: Readonly<Record<string, RecipePlan>>): string =>
  Object.values(plans).find(({ currency }) => currency !== undefined)?.currency ?? DEFAULT_CURRENCY

export const toPlan = (key: string, definition: RecipePlan, retired = false, currency = DEFAULT_CURRENCY): Plan => ({
  currency,
  interval: 'month',
  trialDays: 0,
  entitlements: {},
  credits: {},
  ...definition,
  key,
  retired,
})

/** The plans of the recipe; without any, one that is free of charge and has no limits. */
export const declaredPlans = ({ plans, entitlements = {} }: Partial<Sections>): Sections['plans'] =>
  plans ?? {
    [DEFAULT_PLAN]: {
      name: 'Free',
      price: 0,
      entitlements: Object.fromEntries(
        Object.entries(entitlements)
          .filter(([, { kind }]) => kind !== 'credit')
          .map(([key]) => [key, UNLIMITED]),
      ),
    },
  }

/** Cheapest first by monthly price; plans of equal price keep the order of the recipe. */
export function plansFromRecipe(sections: Partial<Sections>): Plan[] {
  const plans = declaredPlans(sections)
  const monthly = ({ price, interval }: Plan) => (interval === 'year' ? price / 12 : price)
  const currency = currencyOf(plans)
  return Object.entries(plans)
    .map(([key, definition]) => toPlan(key, definition, false, currency))
    .sort((a, b) => monthly(a) - monthly(b))
}

export const entitlementsFromRecipe = ({ entitlements = {} }: Partial<Sections>): Entitlement[] =>
  Object.entries(entitlements).map(([key, definition]) => ({ ...definition, key }))

export const limitOf = (plan: Pick<Plan, 'entitlements'>, key: string): number => plan.entitlements[key] ?? 0

/** Whether `requested` more fits the limit. A flag is on or off regardless of the amount. */
export function isWithinLimit(
  kind: RecipeEntitlement['kind'],
  limit: number,
  used: number,
  requested: number,
): boolean {
  if (limit === UNLIMITED) return true
  return kind === 'flag' ? limit > 0 : used + requested <= limit
}

/** Keys of the plans that would allow the request, in order. A plan's credits add to the remaining ones. */
export function plansAllowing(
  plans: readonly Plan[],
  { key, kind }: Pick<Entitlement, 'key' | 'kind'>,
  { used, requested }: { used: number; requested: number },
): string[] {
  const allows = (plan: Plan) =>
    kind === 'credit' ? (plan.credits[key] ?? 0) >= requested : isWithinLimit(kind, limitOf(plan, key), used, requested)
  return plans.filter(plan => !plan.retired && allows(plan)).map(plan => plan.key)
}
