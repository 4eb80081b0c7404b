import { type Deps, listOf, listQuery, Nullable, reply, route, Timestamp, Type } from 'larder/kernel'
import { ApiKey, Name, Permissions } from '../schemas.ts'

/** No key makes or changes keys. */
const bySession = { apiKeys: false } as const
const Limits = {
  permissions: Type.Optional(Nullable(Permissions)),
  expiresAt: Type.Optional(Nullable(Timestamp)),
}

export function apiKeyRoutes({ identity }: Deps<'identity'>) {
  const { apiKeys } = identity

  const list = route({
    ...bySession,
    method: 'get',
    path: '/identity/api-keys',
    summary: 'The API keys of the workspace; the keys themselves were shown once.',
    allow: 'identity.api_key.read',
    query: listQuery(),
    replies: { 200: listOf(ApiKey) },
    handle: ({ tenantId, query }) => apiKeys.list(tenantId, query),
  })

  const create = route({
    ...bySession,
    method: 'post',
    path: '/identity/api-keys',
    summary: 'Makes a key and shows it this once. It never may more than its creator.',
    allow: 'identity.api_key.create',
    body: Type.Object({ name: Name, ...Limits }),
    replies: { 201: ApiKey },
    async handle({ tenantId, body, caller }) {
      const key = await apiKeys.create(tenantId, body, caller)
      return reply(201, key, { location: `/v1/identity/api-keys/${key.id}` })
    },
  })

  const update = route({
    ...bySession,
    method: 'patch',
    path: '/identity/api-keys/:id',
    summary: 'Changes name, permissions and expiry of a key.',
    allow: 'identity.api_key.update',
    body: Type.Object({ name: Type.Optional(Name), ...Limits }),
    replies: { 200: ApiKey },
    handle: ({ tenantId, params, body, caller }) => apiKeys.update(tenantId, params.id, body, caller),
  })

  const remove = route({
    ...bySession,
    method: 'delete',
    path: '/identity/api-keys/:id',
    summary: 'Deletes a key: it opens nothing from the next request on.',
    allow: 'identity.api_key.delete',
    replies: { 204: null },
    handle: ({ tenantId, params, caller }) => apiKeys.remove(tenantId, params.id, caller),
  })

  return [list, create, update, remove]
}
