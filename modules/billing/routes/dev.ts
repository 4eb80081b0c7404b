import { common, type Deps, route } from 'larder/kernel'
import { problems } from '../problems.ts'
import { Subscription, Walk } from '../schemas.ts'

export const devRoutes = ({ billing }: Deps<'billing'>) => [
  route({
    method: 'post',
    path: '/billing/dev/advance',
    summary: 'With the development provider: as if days had passed for a workspace. Trials, renewals and grace follow.',
    allow: 'billing.clock.advance',
    body: Walk,
    replies: { 200: Subscription },
    problems: [common.not_found, problems.not_in_development],
    unit: 'own',
    idempotent: false,
    async handle({ tenantId: own, body }) {
      if (billing.provider.keepsTime) throw problems.not_in_development()
      const { tenantId = own, days, payments = 'succeed' } = body
      if (tenantId !== own) await billing.workspaces.mustExist(tenantId)
      await billing.timekeeper.walk(tenantId, days, payments === 'succeed')
      return billing.subscriptions.view(tenantId)
    },
  }),
]
