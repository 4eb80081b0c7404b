/** Private services of billing. */
import type { ServicesOf } from '@larder-dev/larder/kernel'
import { type BillingOptions, resolveSettings } from './options.ts'
import { createCheckoutService } from './services/checkout-service.ts'
import { createCreditHistory } from './services/credit-history.ts'
import { createCreditService } from './services/credit-service.ts'
import { createEntitlementService } from './services/entitlement-service.ts'
import { createPlanCatalog } from './services/plan-catalog.ts'
import { createProviderEventService } from './services/provider-event-service.ts'
import { selectProvider } from './services/providers/select-provider.ts'
import { createRevenueDays } from './services/revenue-days.ts'
import { createRevenueService } from './services/revenue-service.ts'
import { createRowScan } from './services/row-scan.ts'
import { createRowStorage } from './services/row-storage.ts'
import { createSubjects } from './services/subjects.ts'
import { createSubscriptionRepository } from './services/subscription-repository.ts'
import { createSubscriptionScheduler } from './services/subscription-scheduler.ts'
import { createSubscriptionService } from './services/subscription-service.ts'
import { createTenantLookup } from './services/tenant-lookup.ts'
import { createTranslator } from './services/translator.ts'

export const services = {
  billingSettings: (_: unknown, options: BillingOptions) => resolveSettings(options),
  catalog: createPlanCatalog,
  checkout: createCheckoutService,
  creditHistory: createCreditHistory,
  credits: createCreditService,
  entitlementService: createEntitlementService,
  provider: selectProvider,
  providerEvents: createProviderEventService,
  revenue: createRevenueService,
  revenueDays: createRevenueDays,
  rowScan: createRowScan,
  rowStorage: createRowStorage,
  subjects: createSubjects,
  scheduler: createSubscriptionScheduler,
  subscriptionRows: createSubscriptionRepository,
  subscriptions: createSubscriptionService,
  tenants: createTenantLookup,
  translator: createTranslator,
}
export type BillingServices = ServicesOf<typeof services>
