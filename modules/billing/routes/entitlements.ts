import { listOf, Nullable, named, OneOf, route, Type } from '@larder-dev/larder/kernel'
import { nameOf } from '../domain/plans.ts'
import { problems } from '../problems.ts'
import { KINDS, PERIODS } from '../recipe/sections.ts'
import type { BillingServices } from '../services.ts'

const EntitlementCheck = named(
  'EntitlementCheck',
  Type.Object({
    key: Type.String(),
    limit: Type.Number({ description: '-1: unlimited' }),
    used: Type.Number(),
    requested: Type.Number(),
    allowed: Type.Boolean(),
    upgrade: Type.Array(Type.String({ description: 'Plan key' })),
  }),
)
export const Entitlement = named(
  'Entitlement',
  Type.Object({
    key: Type.String(),
    name: Nullable(Type.String()),
    kind: OneOf(KINDS),
    unit: Nullable(Type.String()),
    period: Nullable(OneOf(PERIODS)),
    limit: Type.Number({ description: '-1: unlimited. For credits, the remaining balance' }),
    used: Type.Number(),
  }),
  { leavesOut: ['requested', 'allowed', 'upgrade'] },
)
const CheckBody = Type.Object(
  { amount: Type.Optional(Type.Number({ minimum: 0, maximum: 1e15, default: 1 })) },
  { examples: [{ amount: 1 }] },
)

type RouteDeps = Pick<BillingServices, 'entitlementService' | 'catalog' | 'subjects' | 'translator'>

export function entitlementRoutes({ entitlementService: entitlements, catalog, subjects, translator }: RouteDeps) {
  const list = route({
    method: 'get',
    path: '/billing/entitlements',
    operationId: 'listEntitlements',
    summary: 'Lists the entitlements of the plan with their limits and usage.',
    allow: 'billing.entitlement.read',
    replies: { 200: listOf(Entitlement) },
    async handle({ tenantId, caller, request }) {
      const translate = translator.forRequest(request)
      const all = await entitlements.list(subjects.limiting({ tenantId, caller }))
      return { data: all.map(one => ({ ...one, name: translate(nameOf(one)) })), nextCursor: null }
    },
  })

  const check = route({
    method: 'post',
    path: '/billing/entitlements/:key/check',
    operationId: 'checkEntitlement',
    summary: 'Checks whether an amount would be allowed, without using it. `upgrade` lists plans that would allow it.',
    allow: 'billing.entitlement.read',
    body: CheckBody,
    replies: { 200: EntitlementCheck },
    problems: [problems.unknown_entitlement],
    handle({ tenantId, caller, params, body }) {
      if (!catalog.entitlements.has(params.key)) throw problems.unknown_entitlement({ key: params.key })
      return entitlements.status(subjects.limiting({ tenantId, caller }), params.key, body.amount)
    },
  })

  return [list, check]
}
