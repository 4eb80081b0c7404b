import { defineModule } from 'larder/kernel'
import { jobs, listeners } from './background.ts'
import { createBilling, NEEDS } from './billing.ts'
import { events } from './events.ts'
import { BillingOptions } from './options.ts'
import { pages } from './pages.ts'
import { permissions } from './permissions.ts'
import type {} from './ports.ts'
import { problems } from './problems.ts'
import { plan } from './recipe/changes.ts'
import { reconcile } from './recipe/reconcile.ts'
import { sections } from './recipe/sections.ts'
import { validate } from './recipe/validate.ts'
import { creditRoutes } from './routes/credits.ts'
import { devRoutes } from './routes/dev.ts'
import { entitlementRoutes } from './routes/entitlements.ts'
import { planRoutes } from './routes/plans.ts'
import { subscriptionRoutes } from './routes/subscription.ts'
import { webhookRoutes } from './routes/webhook.ts'

export default defineModule({
  name: 'billing',
  summary: 'Plans, subscriptions, entitlements and credits.',
  needs: NEEDS,
  options: BillingOptions,
  sections,
  validate,
  permissions,
  roles: { 'tenant.billing': { name: 'Billing', permissions: ['billing.*'] } },
  problems,
  limits: ['billing.page', 'billing.webhook'],
  events,
  provides: {
    billing: createBilling,
    entitlements: ({ billing }) => billing.entitlements,
  },
  routes: deps => [
    ...planRoutes(deps),
    ...subscriptionRoutes(deps),
    ...creditRoutes(deps),
    ...entitlementRoutes(deps),
    ...devRoutes(deps),
  ],
  rawRoutes: webhookRoutes,
  pages,
  listeners: listeners,
  jobs,
  reconcile,
  plan,
  stop: async ({ billing }) => billing.entitlements.stop(),
  migrations: new URL('./migrations/', import.meta.url),
  templates: new URL('./templates/', import.meta.url),
  locales: new URL('./locales/', import.meta.url),
})
