import { type Deps, listOf, route } from 'larder/kernel'
import type { Plan as PlanOnSale } from '../domain/plans.ts'
import { Plan } from '../schemas.ts'

export const planRoutes = ({ billing: { catalogue } }: Deps<'billing'>) => [
  route({
    method: 'get',
    path: '/billing/plans',
    summary: 'The plans on sale, cheapest first.',
    allow: 'billing.plan.read',
    replies: { 200: listOf(Plan) },
    handle: async () => ({ data: catalogue.plans.map(shownPlan), nextCursor: null }),
  }),
]

export const shownPlan = ({ description, currency, ...plan }: PlanOnSale) => ({
  ...plan,
  description: description ?? null,
  currency: currency ?? null,
})
