/** The operator's view of the plan and usage of a workspace. */
import { common, named, route, Type } from '@larder-dev/larder/kernel'
import { nameOf } from '../domain/plans.ts'
import type { BillingServices } from '../services.ts'
import { Entitlement } from './entitlements.ts'
import { Subscription } from './subscription.ts'

const TenantBilling = named(
  'TenantBilling',
  Type.Object({
    subscription: Subscription,
    planName: Type.String(),
    entitlements: Type.Array(Entitlement),
  }),
)

type RouteDeps = Pick<BillingServices, 'catalog' | 'entitlementService' | 'subscriptions' | 'tenants' | 'translator'>

export const tenantRoutes = ({ catalog, entitlementService, subscriptions, tenants, translator }: RouteDeps) => [
  route({
    method: 'get',
    path: '/billing/admin/tenants/:id',
    operationId: 'getTenantBilling',
    summary: 'Returns the subscription of any workspace, and its entitlements with their limits and usage.',
    allow: 'billing.tenant.read_all',
    replies: { 200: TenantBilling },
    problems: [common.not_found],
    async handle({ params: { id }, request }) {
      await tenants.assertExists(id)
      const translate = translator.forRequest(request)
      const [subscription, all] = await Promise.all([subscriptions.get(id), entitlementService.list(id)])
      const plan = await catalog.planFor(id, subscription.planKey)
      return {
        subscription,
        planName: translate(plan.name),
        entitlements: all.map(one => ({ ...one, name: translate(nameOf(one)) })),
      }
    },
  }),
]
