import { common, type Deps, KIB, listOf, listQuery, reply, route } from 'larder/kernel'
import { problems } from '../problems.ts'
import { Flag, FlagPatch, NewFlag } from './flag-schemas.ts'

/** Of a flag with all its rules: every process holds it in memory. */
export const LARGEST_FLAG = 128 * KIB
const CHANGES = [common.managed_by_recipe, problems.feature_required, common.precondition_failed]

export function flagRoutes({ features: { flags, listing } }: Deps<'features'>) {
  const shown = async (status: number, tenantId: string, key: string, headers: Record<string, string> = {}) => {
    const { flag, tag } = await listing.get(tenantId, key)
    return reply(status, flag, { etag: tag, ...headers })
  }

  const list = route({
    method: 'get',
    path: '/features',
    summary: 'Features of the recipe and of this tenant, by key.',
    allow: 'features.feature.read',
    query: listQuery(),
    replies: { 200: listOf(Flag) },
    handle: ({ tenantId, query }) => listing.list(tenantId, query),
  })

  const create = route({
    method: 'post',
    path: '/features',
    summary: 'Adds a feature of this tenant; its type is that of its default.',
    allow: 'features.feature.create',
    body: NewFlag,
    bodyLimit: LARGEST_FLAG,
    replies: { 201: Flag },
    problems: [problems.feature_exists, problems.too_many_features, problems.features_too_large],
    async handle({ tenantId, body }) {
      await flags.create(tenantId, body)
      return shown(201, tenantId, body.key, { location: `/v1/features/${body.key}` })
    },
  })

  const get = route({
    method: 'get',
    path: '/features/:key',
    summary: 'A feature, with what this tenant has instead of its value.',
    allow: 'features.feature.read',
    replies: { 200: Flag },
    handle: ({ tenantId, params }) => shown(200, tenantId, params.key),
  })

  const update = route({
    method: 'patch',
    path: '/features/:key',
    summary: 'Changes a feature, in every process at once; with If-Match if unchanged. Lists are replaced as a whole.',
    allow: 'features.feature.update',
    body: FlagPatch,
    bodyLimit: LARGEST_FLAG,
    replies: { 200: Flag },
    problems: [...CHANGES, problems.features_too_large],
    async handle({ tenantId, params, body, request }) {
      await flags.update(tenantId, params.key, body, request.headers)
      return shown(200, tenantId, params.key)
    },
  })

  const remove = route({
    method: 'delete',
    path: '/features/:key',
    summary: 'Deletes a feature that no other one requires.',
    allow: 'features.feature.delete',
    replies: { 204: null },
    problems: CHANGES,
    handle: ({ tenantId, params, request }) => flags.remove(tenantId, params.key, request.headers),
  })

  return [list, create, get, update, remove]
}
