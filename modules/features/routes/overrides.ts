import { type Deps, idPattern, reply, route, Type } from 'larder/kernel'
import { problems } from '../problems.ts'
import { Override } from './flag-schemas.ts'
import { LARGEST_FLAG } from './flags.ts'

/** Another tenant's unit of work has no place in the caller's: these make their own. */
const unit = 'own'

export function overrideRoutes({ features: { overrides } }: Deps<'features'>) {
  const put = route({
    method: 'put',
    path: '/features/:key/override',
    summary: 'Sets what this tenant has instead of what the feature says to everybody.',
    description: 'Of a feature that hangs on an entitlement, or of another tenant, only with features.override.grant.',
    allow: 'features.feature.update',
    body: Override,
    bodyLimit: LARGEST_FLAG,
    problems: [problems.features_too_large],
    replies: { 200: Type.Object({ key: Type.String(), value: Type.Unknown(), tenantId: Type.String() }) },
    unit,
    async handle({ tenantId, params, body, caller }) {
      const { value, tenantId: target = tenantId } = body
      await overrides.set(caller, tenantId, { key: params.key, tenantId: target }, value)
      return { key: params.key, value, tenantId: target }
    },
  })

  const remove = route({
    method: 'delete',
    path: '/features/:key/override',
    summary: 'Takes an override back: the feature says again what it says to everybody.',
    allow: 'features.feature.update',
    query: Type.Object({ tenantId: Type.Optional(Type.String({ pattern: idPattern('ten') })) }),
    replies: { 204: null },
    unit,
    async handle({ tenantId, params, query, caller }) {
      await overrides.remove(caller, tenantId, { key: params.key, tenantId: query.tenantId })
      return reply(204)
    },
  })

  return [put, remove]
}
