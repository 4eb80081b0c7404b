/** Every plan that a tenant may have: those of the recipe, and those that were removed from it. */
import type { Deps, RecipeView } from '@larder-dev/larder/kernel'
import { type Entitlement, entitlementsFromRecipe, type Plan, plansFromRecipe, toPlan } from '../domain/plans.ts'
import type { BillingSettings } from '../options.ts'
import type { RecipePlan, Sections } from '../recipe/sections.ts'

export interface PlanCatalog {
  /** Plans of the recipe, cheapest first. */
  readonly plans: readonly Plan[]
  readonly entitlements: ReadonlyMap<string, Entitlement>
  /** A plan that can be bought. */
  findOnSale(key: string): Plan | undefined
  /** A plan of this recipe, or of an earlier or later one that a tenant subscribes to. */
  find(key: string): Promise<Plan | undefined>
  /** The plan of a tenant whose subscription names `key`; null for none. */
  planFor(tenantId: string, key: string | null): Promise<Plan>
}

type CatalogDeps = Deps<'systemDatabase' | 'operator' | 'log'> & { readonly billingSettings: BillingSettings }

export function createPlanCatalog(
  { systemDatabase, operator, log, billingSettings }: CatalogDeps,
  _options: unknown,
  { sections }: RecipeView<Sections>,
): PlanCatalog {
  const plans = plansFromRecipe(sections)
  const byKey = new Map(plans.map(plan => [plan.key, plan]))
  const defaultPlan = byKey.get(billingSettings.defaultPlan) as Plan
  const defaultFor = (tenantId: string) =>
    tenantId === operator.tenantId ? (byKey.get(billingSettings.operatorPlan) as Plan) : defaultPlan

  async function findStored(key: string): Promise<Plan | undefined> {
    const { rows } = await systemDatabase
      .acrossTenants('plans come from the recipe and belong to no tenant')
      .query<{ definition: RecipePlan }>('select definition from billing_plans where key = $1', [key])
    return rows[0] && toPlan(key, rows[0].definition, true)
  }

  const find = async (key: string) => byKey.get(key) ?? (await findStored(key))

  return {
    plans,
    entitlements: new Map(entitlementsFromRecipe(sections).map(entitlement => [entitlement.key, entitlement])),
    findOnSale: key => byKey.get(key),
    find,
    async planFor(tenantId, key) {
      if (key === null) return defaultFor(tenantId)
      const plan = await find(key)
      if (plan) return plan
      log.error({ tenantId, plan: key }, "unknown plan in a tenant's subscription: using the default plan")
      return defaultFor(tenantId)
    },
  }
}
