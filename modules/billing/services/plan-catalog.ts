/** Every plan that some tenant may have: those of the recipe, and those that were taken out of it. */
import type { Deps, RecipeView } from 'larder/kernel'
import { type Entitlement, entitlementsOf, type Plan, planOf, plansOf } from '../domain/plans.ts'
import type { BillingSettings } from '../options.ts'
import type { RecipePlan, Sections } from '../recipe/sections.ts'

export interface Catalogue {
  /** Of the recipe, cheapest first. */
  readonly plans: readonly Plan[]
  readonly entitlements: ReadonlyMap<string, Entitlement>
  /** One that may be bought; undefined for any other. */
  onSale(key: string): Plan | undefined
  /** Of this recipe, or of another that somebody has a plan of. */
  known(key: string): Promise<Plan | undefined>
  /** The plan that a tenant has whose subscription names this one; null is none. */
  planOf(tenantId: string, key: string | null): Promise<Plan>
}

export function createCatalogue(
  { database, operator, log }: Deps<'database' | 'operator' | 'log'>,
  settings: BillingSettings,
  { sections }: RecipeView<Sections>,
): Catalogue {
  const plans = plansOf(sections)
  const byKey = new Map(plans.map(plan => [plan.key, plan]))
  const standard = byKey.get(settings.defaultPlan) as Plan
  const unbought = (tenantId: string) =>
    tenantId === operator.tenantId ? (byKey.get(settings.operatorPlan) as Plan) : standard

  /** Of another recipe, before or after ours. */
  async function foreign(key: string): Promise<Plan | undefined> {
    const { rows } = await database
      .system("plans are the recipe's and belong to no tenant")
      .query<{ says: RecipePlan }>('select says from billing_plans where key = $1', [key])
    return rows[0] && planOf(key, rows[0].says, true)
  }

  const known = async (key: string) => byKey.get(key) ?? (await foreign(key))

  return {
    plans,
    entitlements: new Map(entitlementsOf(sections).map(entitlement => [entitlement.key, entitlement])),
    onSale: key => byKey.get(key),
    known,
    async planOf(tenantId, key) {
      if (key === null) return unbought(tenantId)
      const plan = await known(key)
      if (plan) return plan
      log.error({ tenantId, plan: key }, 'nobody knows the plan of this tenant: the default plan counts')
      return unbought(tenantId)
    },
  }
}
