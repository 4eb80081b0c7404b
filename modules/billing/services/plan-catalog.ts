/** Every plan that a subject may have: those of the recipe, and those that were removed from it. */
import type { Deps, RecipeView } from '@larder-dev/larder/kernel'
import {
  type Entitlement,
  entitlementsFromRecipe,
  type Plan,
  plansFromRecipe,
  toPlan,
  UNLIMITED,
} from '../domain/plans.ts'
import { type Subject, subjectId } from '../domain/subject.ts'
import type { BillingSettings } from '../options.ts'
import type { RecipePlan, Sections } from '../recipe/sections.ts'

export interface PlanCatalog {
  /** Plans of the recipe, cheapest first. */
  readonly plans: readonly Plan[]
  readonly entitlements: ReadonlyMap<string, Entitlement>
  /** A plan that can be bought. */
  findOnSale(key: string): Plan | undefined
  /** A plan of this recipe, or of an earlier or later one that somebody subscribes to. */
  find(key: string): Promise<Plan | undefined>
  /** The plan of a subject whose subscription names `key`; null for none. */
  planFor(subject: Subject, key: string | null): Promise<Plan>
}

type CatalogDeps = Deps<'systemDatabase' | 'operator' | 'product' | 'log'> & {
  readonly billingSettings: BillingSettings
}

export function createPlanCatalog(
  { systemDatabase, operator, product, log, billingSettings }: CatalogDeps,
  _options: unknown,
  { sections }: RecipeView<Sections>,
): PlanCatalog {
  const plans = plansFromRecipe(sections)
  const byKey = new Map(plans.map(plan => [plan.key, plan]))
  const defaultPlan = byKey.get(billingSettings.defaultPlan) as Plan
  const entitlements = new Map(entitlementsFromRecipe(sections).map(entitlement => [entitlement.key, entitlement]))
  const operatorPlan = byKey.get(billingSettings.operatorPlan ?? billingSettings.defaultPlan) as Plan
  // In a product of people, the plans are those of customers: without one of its own, the operator has no limits.
  const operatorsPlan =
    product.audience === 'people' && billingSettings.operatorPlan === undefined
      ? { ...operatorPlan, entitlements: Object.fromEntries([...entitlements.keys()].map(key => [key, UNLIMITED])) }
      : operatorPlan
  const defaultFor = (subject: Subject) => (subjectId(subject) === operator.tenantId ? operatorsPlan : defaultPlan)

  async function findStored(key: string): Promise<Plan | undefined> {
    const { rows } = await systemDatabase
      .acrossTenants('plans come from the recipe and belong to no tenant')
      .query<{ definition: RecipePlan }>('select definition from billing_plans where key = $1', [key])
    return rows[0] && toPlan(key, rows[0].definition, true)
  }

  const find = async (key: string) => byKey.get(key) ?? (await findStored(key))

  return {
    plans,
    entitlements,
    findOnSale: key => byKey.get(key),
    find,
    async planFor(subject, key) {
      if (key === null) return defaultFor(subject)
      const plan = await find(key)
      if (plan) return plan
      log.error({ subject, plan: key }, 'unknown plan in a subscription: using the default plan')
      return defaultFor(subject)
    },
  }
}
