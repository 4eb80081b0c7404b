/** The services of billing, made once. */
import type { Deps, RecipeView } from 'larder/kernel'
import { type BillingOptions, billingSettings } from '../options.ts'
import { pickProvider } from './providers/select-provider.ts'
import type { Sections } from '../recipe/sections.ts'
import { createCatalogue } from './plan-catalog.ts'
import { createOrders } from './checkout-service.ts'
import { createTimekeeper } from './subscription-scheduler.ts'
import { createCredits } from './credit-service.ts'
import { createEntitlements } from './entitlement-service.ts'
import { createIntake } from './provider-event-service.ts'
import { createSubscriptionRows } from './subscription-repository.ts'
import { createStatement } from './credit-history.ts'
import { createSubscriptions } from './subscription-service.ts'
import { createWorkspaces } from './tenant-lookup.ts'

export const NEEDS = [
  'database',
  'clock',
  'events',
  'jobs',
  'bus',
  'product',
  'operator',
  'log',
  'secrets',
  'usage',
] as const
export type BillingNeeds = (typeof NEEDS)[number]

export function createBilling(deps: Deps<BillingNeeds>, options: BillingOptions, recipe: RecipeView<Sections>) {
  const settings = billingSettings(options)
  const rows = createSubscriptionRows(deps)
  const catalogue = createCatalogue(deps, settings, recipe)
  const provider = pickProvider(deps, options, settings, catalogue)
  const entitlements = createEntitlements(deps, { catalogue, rows })
  const credits = createCredits(deps, catalogue)
  const subscriptions = createSubscriptions(deps, { settings, catalogue, rows, credits })
  const intake = createIntake(deps, { settings, subscriptions })
  const orders = createOrders(deps, { settings, catalogue, rows, provider, intake })
  const timekeeper = createTimekeeper(deps, { catalogue, rows, subscriptions, credits, provider })
  const statement = createStatement(deps, { catalogue, timekeeper })
  return {
    settings,
    rows,
    catalogue,
    provider,
    entitlements,
    credits,
    subscriptions,
    intake,
    orders,
    timekeeper,
    statement,
    workspaces: createWorkspaces(deps),
  }
}
export type Billing = ReturnType<typeof createBilling>
