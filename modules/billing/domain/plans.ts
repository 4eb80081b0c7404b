/** Plans and entitlements as the recipe has them, and what a limit allows. Pure. */
import type { RecipeEntitlement, RecipePlan, Sections } from '../recipe/sections.ts'

export const UNLIMITED = -1

export interface Plan extends RecipePlan {
  readonly key: string
  readonly interval: 'month' | 'year'
  readonly trialDays: number
  readonly entitlements: Readonly<Record<string, number>>
  readonly credits: Readonly<Record<string, number>>
  /** No longer in the recipe: whoever has it keeps it, nobody buys it. */
  readonly retired: boolean
}
export interface Entitlement extends RecipeEntitlement {
  readonly key: string
}

export const planOf = (key: string, said: RecipePlan, retired = false): Plan => ({
  interval: 'month',
  trialDays: 0,
  entitlements: {},
  credits: {},
  ...said,
  key,
  retired,
})

/** Cheapest first; of one price in the order of the recipe. A year's price counts by the month. */
export function plansOf({ plans = {} }: Partial<Sections>): Plan[] {
  const monthly = ({ price, interval }: Plan) => (interval === 'year' ? price / 12 : price)
  return Object.entries(plans)
    .map(([key, said]) => planOf(key, said))
    .sort((a, b) => monthly(a) - monthly(b))
}

export const entitlementsOf = ({ entitlements = {} }: Partial<Sections>): Entitlement[] =>
  Object.entries(entitlements).map(([key, said]) => ({ ...said, key }))

export const limitOf = (plan: Pick<Plan, 'entitlements'>, key: string): number => plan.entitlements[key] ?? 0

/** Whether `requested` more fits. A flag is on or off, whatever is asked for. */
export function fits(kind: RecipeEntitlement['kind'], limit: number, used: number, requested: number): boolean {
  if (limit === UNLIMITED) return true
  return kind === 'flag' ? limit > 0 : used + requested <= limit
}

/** Plans that would allow it, in their order. What credits a plan brings come on top of those that are left. */
export function upgradesOf(
  plans: readonly Plan[],
  { key, kind }: Pick<Entitlement, 'key' | 'kind'>,
  { used, requested }: { used: number; requested: number },
): string[] {
  const allows = (plan: Plan) =>
    kind === 'credit' ? (plan.credits[key] ?? 0) >= requested : fits(kind, limitOf(plan, key), used, requested)
  return plans.filter(plan => !plan.retired && allows(plan)).map(plan => plan.key)
}
