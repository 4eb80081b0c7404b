import { common, type Deps, idPattern, OneOf, route, Type, together } from '@larder-dev/larder/kernel'
import { workspaceOf } from '../domain/subject.ts'
import { problems } from '../problems.ts'
import type { BillingServices } from '../services.ts'
import { MemberId } from './credits.ts'
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

const AdvancePersonBody = Type.Object({ ...AdvanceBody.properties, memberId: MemberId })

type RouteDeps = Deps<'database'> &
  Pick<BillingServices, 'provider' | 'scheduler' | 'subjects' | 'subscriptions' | 'tenants'>

export const devClockRoutes = ({ database, provider, scheduler, subjects, subscriptions, tenants }: RouteDeps) => [
  route({
    method: 'post',
    path: '/billing/dev/advance',
    operationId: 'advanceTime',
    summary:
      'Advances the time of a workspace, and applies due trials, renewals and grace periods. Development provider only.',
    allow: 'billing.clock.advance',
    body: subjects.arePeople ? AdvancePersonBody : AdvanceBody,
    replies: { 200: Subscription },
    problems: [common.not_found, problems.not_in_development],
    // The workspace may differ from that of the request.
    unit: 'own',
    idempotent: false,
    async handle({ tenantId: ownTenantId, body }) {
      if (provider.managesSchedule) throw problems.not_in_development()
      const { tenantId = ownTenantId, days, payments = 'succeed' } = body
      const subject =
        'memberId' in body && typeof body.memberId === 'string'
          ? await tenants.member(body.memberId)
          : workspaceOf(tenantId)
      await database.tenant(subject.tenantId).transaction(() =>
        together({
          tenant: subject.tenantId === ownTenantId ? undefined : tenants.assertExists(subject.tenantId),
          advanced: scheduler.advanceTime(subject, days, payments === 'succeed'),
        }),
      )
      return subscriptions.get(subject)
    },
  }),
]
