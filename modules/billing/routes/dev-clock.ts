import { common, type Deps, idPattern, OneOf, route, Type, together } from '@larder-dev/larder/kernel'
import { problems } from '../problems.ts'
import type { BillingServices } from '../services.ts'
import { Subscription } from './subscription.ts'

const AdvanceBody = Type.Object(
  {
    days: Type.Integer({ minimum: 0, maximum: 3660 }),
    payments: Type.Optional(
      OneOf(['succeed', 'fail'], { description: 'Result of all later payments; succeed by default' }),
    ),
    tenantId: Type.Optional(Type.String({ pattern: idPattern('ten'), description: "Defaults to the caller's tenant" })),
  },
  { examples: [{ days: 14 }] },
)

type RouteDeps = Deps<'database'> & Pick<BillingServices, 'provider' | 'scheduler' | 'subscriptions' | 'tenants'>

export const devClockRoutes = ({ database, provider, scheduler, subscriptions, tenants }: RouteDeps) => [
  route({
    method: 'post',
    path: '/billing/dev/advance',
    operationId: 'advanceTime',
    summary:
      'Advances the time of a workspace, and applies due trials, renewals and grace periods. Development provider only.',
    allow: 'billing.clock.advance',
    body: AdvanceBody,
    replies: { 200: Subscription },
    problems: [common.not_found, problems.not_in_development],
    // The workspace may differ from that of the request.
    unit: 'own',
    idempotent: false,
    async handle({ tenantId: ownTenantId, body }) {
      if (provider.managesSchedule) throw problems.not_in_development()
      const { tenantId = ownTenantId, days, payments = 'succeed' } = body
      await database.tenant(tenantId).transaction(() =>
        together({
          tenant: tenantId === ownTenantId ? undefined : tenants.assertExists(tenantId),
          advanced: scheduler.advanceTime(tenantId, days, payments === 'succeed'),
        }),
      )
      return subscriptions.get(tenantId)
    },
  }),
]
