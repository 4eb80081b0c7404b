import { common, KIB, listOf, listQuery, reply, route } from '@larder-dev/larder/kernel'
import { problems } from '../problems.ts'
import { Flag, FlagPatch, FlagRevision, NewFlag } from '../records/flag.ts'
import { type ListedFlag, toListedFlag } from '../services/flag-listing.ts'
import type { FeatureServices } from '../services.ts'

/** Bytes of a flag with all its rules. Every process holds it in memory. */
export const MAX_FLAG_SIZE = 128 * KIB
const CHANGE_PROBLEMS = [common.managed_by_recipe, problems.feature_in_use, common.precondition_failed]

type RouteDeps = Pick<FeatureServices, 'flags' | 'flagHistory' | 'flagListing'>

export function flagRoutes({ flags, flagHistory, flagListing }: RouteDeps) {
  const replyWith = (status: number, { flag, etag }: ListedFlag, headers: Record<string, string> = {}) =>
    reply(status, flag, { etag, ...headers })

  const list = route({
    method: 'get',
    path: '/features',
    operationId: 'listFlags',
    summary: 'Lists the features of the product and the tenant, ordered by key.',
    allow: 'features.feature.read',
    query: listQuery(),
    replies: { 200: listOf(Flag) },
    handle: ({ tenantId, query }) => flagListing.list(tenantId, query),
  })

  const create = route({
    method: 'post',
    path: '/features',
    operationId: 'createFlag',
    summary:
      'Creates a feature of the tenant, or with `scope: product` of every tenant. Its type is the type of its default.',
    allow: 'features.feature.create',
    body: NewFlag,
    bodyLimit: MAX_FLAG_SIZE,
    replies: { 201: Flag },
    problems: [problems.feature_exists, problems.too_many_features, problems.features_too_large],
    async handle({ tenantId, body, caller }) {
      const { row, override } = await flags.create(tenantId, body, caller)
      return replyWith(201, toListedFlag(row, override), { location: `/v1/features/${body.key}` })
    },
  })

  const get = route({
    method: 'get',
    path: '/features/:key',
    operationId: 'getFlag',
    summary: "Returns a feature with the tenant's override.",
    allow: 'features.feature.read',
    replies: { 200: Flag },
    handle: async ({ tenantId, params }) => replyWith(200, await flagListing.get(tenantId, params.key)),
  })

  const update = route({
    method: 'patch',
    path: '/features/:key',
    operationId: 'updateFlag',
    summary: 'Changes a feature. Lists are replaced as a whole. Supports If-Match.',
    allow: 'features.feature.update',
    body: FlagPatch,
    bodyLimit: MAX_FLAG_SIZE,
    replies: { 200: Flag },
    problems: [...CHANGE_PROBLEMS, problems.features_too_large],
    async handle({ tenantId, params, body, request: { headers }, caller }) {
      const { row, override } = await flags.update(tenantId, params.key, body, { headers, caller })
      return replyWith(200, toListedFlag(row, override))
    },
  })

  const remove = route({
    method: 'delete',
    path: '/features/:key',
    operationId: 'deleteFlag',
    summary: 'Deletes a feature that no other feature requires. Supports If-Match.',
    allow: 'features.feature.delete',
    replies: { 204: null },
    problems: CHANGE_PROBLEMS,
    handle: ({ tenantId, params, request: { headers }, caller }) =>
      flags.remove(tenantId, params.key, { headers, caller }),
  })

  const revisions = route({
    method: 'get',
    path: '/features/:key/history',
    operationId: 'listFlagRevisions',
    summary: 'Lists what a feature contained after each change, newest first.',
    description:
      "The oldest revisions of a tenant are deleted when its history exceeds 2 MiB. Flags of the recipe have a history in the operator's workspace only.",
    allow: 'features.feature.read',
    query: listQuery(),
    replies: { 200: listOf(FlagRevision) },
    handle: ({ tenantId, params, query }) => flagHistory.list(tenantId, params.key, query),
  })

  return [list, create, get, update, remove, revisions]
}
