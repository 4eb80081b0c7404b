/** The operator's view of the plan and usage of a workspace, and in a product of people of a member. */
import { common, named, route, Type } from '@larder-dev/larder/kernel'
import { nameOf } from '../domain/plans.ts'
import type { Subject } from '../domain/subject.ts'
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

type RouteDeps = Pick<
  BillingServices,
  'catalog' | 'entitlementService' | 'subjects' | 'subscriptions' | 'tenants' | 'translator'
>

export const tenantRoutes = (deps: RouteDeps) => [
  overview(deps, {
    path: '/billing/admin/tenants/:id',
    operationId: 'getTenantBilling',
    summary: 'Returns the subscription of any workspace, and its entitlements with their limits and usage.',
    find: deps.tenants.workspace,
  }),
  ...(deps.subjects.arePeople
    ? [
        overview(deps, {
          path: '/billing/admin/members/:id',
          operationId: 'getMemberBilling',
          summary: 'Returns the subscription of any member, and its entitlements with their limits and usage.',
          find: deps.tenants.member,
        }),
      ]
    : []),
]

interface Overview {
  readonly path: `/${string}/:id`
  readonly operationId: string
  readonly summary: string
  find(id: string): Promise<Subject>
}

const overview = (
  { catalog, entitlementService, subscriptions, translator }: RouteDeps,
  { find, ...documented }: Overview,
) =>
  route({
    method: 'get',
    ...documented,
    allow: 'billing.tenant.read_all',
    replies: { 200: TenantBilling },
    problems: [common.not_found],
    async handle({ params: { id }, request }) {
      const subject = await find(id)
      const translate = translator.forRequest(request)
      const [subscription, all] = await Promise.all([subscriptions.get(subject), entitlementService.list(subject)])
      const plan = await catalog.planFor(subject, subscription.planKey)
      return {
        subscription,
        planName: translate(plan.name),
        entitlements: all.map(one => ({ ...one, name: translate(nameOf(one)) })),
      }
    },
  })
