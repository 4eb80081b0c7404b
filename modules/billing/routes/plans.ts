import { listOf, Nullable, named, OneOf, route, Type } from '@larder-dev/larder/kernel'
import type { Plan as CatalogPlan } from '../domain/plans.ts'
import { INTERVALS } from '../recipe/sections.ts'
import type { Translate } from '../services/translator.ts'
import type { BillingServices } from '../services.ts'

/** Key → amount. */
const Amounts = Type.Unsafe<Record<string, number>>({
  type: 'object',
  additionalProperties: { type: 'number' },
})

const Plan = named(
  'Plan',
  Type.Object({
    key: Type.String(),
    name: Type.String(),
    description: Nullable(Type.String()),
    price: Type.Integer({ description: 'In minor units' }),
    currency: Type.String({ description: 'ISO 4217' }),
    interval: OneOf(INTERVALS),
    trialDays: Type.Integer(),
    entitlements: Amounts,
    credits: Amounts,
  }),
  { leavesOut: ['retired'] },
)

export const planRoutes = ({ catalog, translator }: Pick<BillingServices, 'catalog' | 'translator'>) => [
  route({
    method: 'get',
    path: '/billing/plans',
    operationId: 'listPlans',
    summary: 'Lists the available plans, cheapest first. Names are in the language of Accept-Language.',
    allow: 'billing.plan.read',
    replies: { 200: listOf(Plan) },
    handle: async ({ request }) => {
      const translate = translator.forRequest(request)
      return { data: catalog.plans.map(plan => toPlanBody(plan, translate)), nextCursor: null }
    },
  }),
]

const toPlanBody = ({ name, description, recommended: _, ...plan }: CatalogPlan, translate: Translate) => ({
  ...plan,
  name: translate(name),
  description: translate(description) ?? null,
})
