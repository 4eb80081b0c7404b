import { documented, idPattern, named, reply, route, Type } from '@larder-dev/larder/kernel'
import { problems } from '../problems.ts'
import { FlagValue } from '../records/flag.ts'
import type { FeatureServices } from '../services.ts'
import { MAX_FLAG_SIZE } from './flags.ts'

const OverrideInput = Type.Object(
  {
    value: FlagValue,
    tenantId: Type.Optional(
      Type.String({ pattern: idPattern('ten'), description: 'Another tenant; requires features.override.grant' }),
    ),
  },
  { examples: [{ value: true }] },
)

const Override = named(
  'OverriddenFlag',
  Type.Object({ key: Type.String(), value: documented(FlagValue, Type.Unknown()), tenantId: Type.String() }),
)

/** A unit of the caller's tenant can't hold one of another tenant, so these routes open their own. */
const unit = 'own'

export function overrideRoutes({ overrides }: Pick<FeatureServices, 'overrides'>) {
  const put = route({
    method: 'put',
    path: '/features/:key/override',
    operationId: 'setFlagOverride',
    summary: "Sets the tenant's override of a feature.",
    description:
      'Features with an entitlement, features that are not overridable, and other tenants require features.override.grant.',
    allow: 'features.feature.update',
    body: OverrideInput,
    bodyLimit: MAX_FLAG_SIZE,
    problems: [problems.features_too_large],
    replies: { 200: Override },
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
    operationId: 'deleteFlagOverride',
    summary: "Removes the tenant's override of a feature.",
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
