import { defineModule } from '@larder-dev/larder/kernel'
import { actions } from './actions.ts'
import { auditActions } from './domain/audit-actions.ts'
import { entitlementsFromRecipe, plansFromRecipe } from './domain/plans.ts'
import { events } from './events.ts'
import { jobs } from './jobs.ts'
import { listeners } from './listeners.ts'
import { BillingOptions, resolveSettings } from './options.ts'
import { pages } from './pages/billing-page.ts'
import { offersByLocale } from './pages/plan-offers.ts'
import type {} from './ports.ts'
import { problems } from './problems.ts'
import { adaptKeys } from './recipe/keys.ts'
import { plan, reconcile } from './recipe/reconcile.ts'
import { sections } from './recipe/sections.ts'
import { validate } from './recipe/validate.ts'
import { resources } from './resources.ts'
import { creditRoutes } from './routes/credits.ts'
import { devClockRoutes } from './routes/dev-clock.ts'
import { entitlementRoutes } from './routes/entitlements.ts'
import { operatorRoutes } from './routes/operator.ts'
import { planRoutes } from './routes/plans.ts'
import { revenueRoutes } from './routes/revenue.ts'
import { subscriptionRoutes } from './routes/subscription.ts'
import { tenantRoutes } from './routes/tenants.ts'
import { webhookRoutes } from './routes/webhook.ts'
import { personalData } from './services/personal-data.ts'
import { ROW_STORAGE } from './services/row-storage.ts'

/** Customers of a product of people read and change the plan that is their own. */
const OWN_PLAN = [
  'billing.plan.read',
  'billing.subscription.read',
  'billing.subscription.update',
  'billing.entitlement.read',
  'billing.credit.read',
]

/** Without plans in the recipe there is nothing to choose. */
const NO_OFFERS = { plans: [] }

export default defineModule({
  name: 'billing',
  summary: 'Plans, subscriptions, entitlements and credits.',
  needs: [
    'database',
    'systemDatabase',
    'schemaOwner',
    'migrations',
    'clock',
    'events',
    'jobs',
    'product',
    'operator',
    'registry',
    'log',
    'secrets',
    'usage',
    'providerInbox',
    'caches',
  ],
  options: BillingOptions,
  diagnose: async options => (await import('./services/providers/stripe-diagnosis.ts')).diagnoseStripe(options),
  packages: options => (resolveSettings(options).provider === 'stripe' ? ['stripe'] : []),
  sections,
  validate,
  permissions: {
    'billing.plan.read': { title: 'View available plans', customers: true },
    'billing.subscription.read': { title: "View the workspace's subscription", customers: true },
    'billing.subscription.update': {
      title: "Buy, change, cancel and resume the workspace's subscription",
      customers: true,
    },
    'billing.entitlement.read': { title: "View the plan's limits and usage", customers: true },
    'billing.credit.read': { title: 'View credit balances and history', customers: true },
    'billing.credit.consume': 'Consume credits',
    'billing.credit.grant': { title: 'Grant, refund and adjust credits of any workspace', scope: 'platform' },
    'billing.subscription.update_all': { title: 'Change the plan of every workspace', scope: 'platform' },
    'billing.tenant.read_all': { title: 'View the plan and usage of every workspace', scope: 'platform' },
    'billing.revenue.read': { title: 'View revenue and other numbers of the business', scope: 'platform' },
    'billing.clock.advance': { title: 'Advance time for the development provider', scope: 'platform' },
  },
  roles: {
    'tenant.billing': { name: 'Billing', description: 'Chooses and pays the plan', permissions: ['billing.*'] },
  },
  declare: ({ audience }) => (audience === 'people' ? { grants: { 'tenant.customer': OWN_PLAN } } : {}),
  problems,
  limits: ['billing.page', 'billing.webhook'],
  events,
  actions,
  usage: { [ROW_STORAGE]: ({ rowStorage }, tenantId) => rowStorage.used(tenantId) },
  services: async () => (await import('./services.ts')).services,
  provides: { entitlements: ({ entitlementService }) => entitlementService },
  routes: deps => [
    ...planRoutes(deps),
    ...subscriptionRoutes(deps),
    ...creditRoutes(deps),
    ...entitlementRoutes(deps),
    ...devClockRoutes(deps),
    ...tenantRoutes(deps),
    ...operatorRoutes(deps),
    ...revenueRoutes(deps),
  ],
  resources: (_deps, _options, { sections }) => resources(entitlementsFromRecipe(sections)),
  names: () => [
    { prefix: 'sub', title: 'Subscription' },
    { prefix: 'crd', title: 'Credit transaction' },
  ],
  words: (_deps, _options, { sections }) => ({
    planKey: Object.fromEntries(plansFromRecipe(sections).map(({ key, name }) => [key, name])),
  }),
  rawRoutes: webhookRoutes,
  pages,
  site({ catalog, translator }, _options, { sections }) {
    const offers = offersByLocale(catalog, translator.into)
    return { layoutData: async ({ locale }) => (sections.plans ? offers(locale) : NO_OFFERS) }
  },
  listeners,
  personalData,
  jobs,
  reconcile,
  start: adaptKeys,
  plan,
  auditActions: () => auditActions,
  migrations: new URL('./migrations/', import.meta.url),
  templates: new URL('./templates/', import.meta.url),
  locales: new URL('./locales/', import.meta.url),
})
