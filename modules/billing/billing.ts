/** The services of billing, made once. */
import type { Deps, RecipeView } from 'larder/kernel'
import { type BillingOptions, billingSettings } from './options.ts'
import { pickProvider } from './providers/pick.ts'
import type { Sections } from './recipe/sections.ts'
import { createCatalogue } from './services/catalogue.ts'
import { createOrders } from './services/checkout.ts'
import { createTimekeeper } from './services/clock.ts'
import { createCredits } from './services/credits.ts'
import { createEntitlements } from './services/entitlements.ts'
import { createIntake } from './services/intake.ts'
import { createSubscriptionRows } from './services/rows.ts'
import { createStatement } from './services/statement.ts'
import { createSubscriptions } from './services/subscriptions.ts'
import { createWorkspaces } from './services/workspaces.ts'

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
