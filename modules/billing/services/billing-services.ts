/** Creates the services of billing and connects them. */
import type { Deps, RecipeView } from '@larder-dev/larder/kernel'
import { type BillingOptions, type BillingSettings, resolveSettings } from '../options.ts'
import type { Sections } from '../recipe/sections.ts'
import { type CheckoutService, createCheckoutService } from './checkout-service.ts'
import { type CreditHistory, createCreditHistory } from './credit-history.ts'
import { type CreditService, createCreditService } from './credit-service.ts'
import { createEntitlementService, type EntitlementService } from './entitlement-service.ts'
import { createPlanCatalog, type PlanCatalog } from './plan-catalog.ts'
import { createProviderEventService, type ProviderEventService } from './provider-event-service.ts'
import type { PaymentProvider } from './providers/provider.ts'
import { selectProvider } from './providers/select-provider.ts'
import { createRowScan, type RowScan } from './row-scan.ts'
import { createRowStorage, type RowStorage } from './row-storage.ts'
import { createSubscriptionRepository, type SubscriptionRepository } from './subscription-repository.ts'
import { createSubscriptionScheduler, type SubscriptionScheduler } from './subscription-scheduler.ts'
import { createSubscriptionService, type SubscriptionService } from './subscription-service.ts'
import { createTenantLookup, type TenantLookup } from './tenant-lookup.ts'
import { createTranslator, type Translator } from './translator.ts'

export interface BillingServices {
  readonly settings: BillingSettings
  readonly catalog: PlanCatalog
  readonly provider: PaymentProvider
  readonly subscriptionRows: SubscriptionRepository
  readonly subscriptions: SubscriptionService
  readonly scheduler: SubscriptionScheduler
  readonly entitlements: EntitlementService
  readonly credits: CreditService
  readonly creditHistory: CreditHistory
  readonly providerEvents: ProviderEventService
  readonly checkout: CheckoutService
  readonly rowScan: RowScan
  readonly rowStorage: RowStorage
  readonly tenants: TenantLookup
  readonly translator: Translator
}

/** What billing's own routes, pages, jobs and listeners get in addition to ports. */
export interface BillingDeps {
  readonly billing: BillingServices
}

type Dependencies = Deps<
  | 'database'
  | 'systemDatabase'
  | 'clock'
  | 'events'
  | 'jobs'
  | 'product'
  | 'operator'
  | 'log'
  | 'secrets'
  | 'usage'
  | 'providerInbox'
  | 'caches'
>

export function createBillingServices(
  deps: Dependencies,
  options: BillingOptions,
  recipe: RecipeView<Sections>,
): BillingServices {
  const settings = resolveSettings(options)
  const subscriptionRows = createSubscriptionRepository(deps)
  const catalog = createPlanCatalog(deps, settings, recipe)
  const translator = createTranslator(deps)
  const provider = selectProvider(deps, options, settings, catalog)
  const rowStorage = createRowStorage(deps)
  const entitlements = createEntitlementService(deps, { catalog, subscriptionRows, rowStorage })
  const credits = createCreditService(deps, catalog)
  const subscriptions = createSubscriptionService(deps, { settings, catalog, subscriptionRows, credits })
  const providerEvents = createProviderEventService(deps, { settings, subscriptions })
  const checkout = createCheckoutService(deps, {
    settings,
    catalog,
    subscriptionRows,
    provider,
    providerEvents,
    translator,
  })
  const scheduler = createSubscriptionScheduler(deps, { catalog, subscriptionRows, subscriptions, credits, provider })
  const creditHistory = createCreditHistory(deps, { catalog, scheduler })
  const tenants = createTenantLookup(deps)
  return {
    settings,
    catalog,
    provider,
    subscriptionRows,
    subscriptions,
    scheduler,
    entitlements,
    credits,
    creditHistory,
    providerEvents,
    checkout,
    rowScan: createRowScan(deps),
    rowStorage,
    tenants,
    translator,
  }
}
