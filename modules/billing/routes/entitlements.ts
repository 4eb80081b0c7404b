import { type Deps, listOf, route } from 'larder/kernel'
import { problems } from '../problems.ts'
import { EntitlementCheck, EntitlementStanding, StandingSchema } from '../schemas.ts'

export function entitlementRoutes({ billing: { entitlements, catalogue } }: Deps<'billing'>) {
  const list = route({
    method: 'get',
    path: '/billing/entitlements',
    summary: 'What the plan allows, and what is used of it.',
    allow: 'billing.entitlement.read',
    replies: { 200: listOf(EntitlementStanding) },
    handle: async ({ tenantId }) => ({ data: await entitlements.all(tenantId), nextCursor: null }),
  })

  const check = route({
    method: 'post',
    path: '/billing/entitlements/:key/check',
    summary: 'Whether so much more would be allowed; nothing is used up. Plans that would allow it stand in upgrade.',
    allow: 'billing.entitlement.read',
    body: EntitlementCheck,
    replies: { 200: StandingSchema },
    problems: [problems.unknown_entitlement],
    handle({ tenantId, params, body }) {
      if (!catalogue.entitlements.has(params.key)) throw problems.unknown_entitlement({ key: params.key })
      return entitlements.standing(tenantId, params.key, body.amount)
    },
  })

  return [list, check]
}
