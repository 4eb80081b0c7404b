import { listOf, listQuery, reply, route } from '@larder-dev/larder/kernel'
import { RECENT_AUTH } from '../../domain/recent-proof.ts'
import type { WorkspaceServices } from '../services.ts'
import { ApiKey, ApiKeyPatch, NewApiKey } from './records.ts'

/** API keys can't manage API keys. */
const loginOnly = { apiKeys: false } as const

export function apiKeyRoutes({ apiKeys }: WorkspaceServices) {
  const list = route({
    ...loginOnly,
    method: 'get',
    path: '/identity/api-keys',
    operationId: 'listApiKeys',
    summary: 'Lists the API keys of the workspace, without their secrets.',
    allow: 'identity.api_key.read',
    query: listQuery(),
    replies: { 200: listOf(ApiKey) },
    handle: ({ tenantId, query }) => apiKeys.list(tenantId, query),
  })

  const create = route({
    ...loginOnly,
    method: 'post',
    path: '/identity/api-keys',
    operationId: 'createApiKey',
    summary: 'Creates an API key and returns its secret once. A key never exceeds the permissions of its creator.',
    allow: 'identity.api_key.create',
    verifiedEmail: true,
    recentAuth: RECENT_AUTH,
    body: NewApiKey,
    replies: { 201: ApiKey },
    async handle({ tenantId, body, caller }) {
      const key = await apiKeys.create(tenantId, body, caller)
      return reply(201, key, { location: `/v1/identity/api-keys/${key.id}` })
    },
  })

  const update = route({
    ...loginOnly,
    method: 'patch',
    path: '/identity/api-keys/:id',
    operationId: 'updateApiKey',
    summary: 'Updates the name, permissions or expiry of an API key.',
    allow: 'identity.api_key.update',
    recentAuth: RECENT_AUTH,
    body: ApiKeyPatch,
    replies: { 200: ApiKey },
    handle: ({ tenantId, params, body, caller }) => apiKeys.update(tenantId, params.id, body, caller),
  })

  const remove = route({
    ...loginOnly,
    method: 'delete',
    path: '/identity/api-keys/:id',
    operationId: 'deleteApiKey',
    summary: 'Deletes an API key. It stops working immediately.',
    allow: 'identity.api_key.delete',
    replies: { 204: null },
    handle: ({ tenantId, params, caller }) => apiKeys.remove(tenantId, params.id, caller),
  })

  return [list, create, update, remove]
}
