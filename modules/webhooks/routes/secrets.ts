import { HOUR, Nullable, named, route, Timestamp, Type } from '@larder-dev/larder/kernel'
import { problems } from '../problems.ts'
import type { SecretOwner } from '../services/secret-store.ts'
import type { WebhookServices } from '../services.ts'

const Secret = named(
  'WebhookSecret',
  Type.Object({ secret: Type.String({ description: 'whsec_ and 32 bytes in base64' }) }),
)
const RotatedSecret = named(
  'RotatedWebhookSecret',
  Type.Object({
    secret: Type.String(),
    previous_expires_at: Nullable(
      Type.Unsafe<string>({
        ...Timestamp,
        description: 'Both secrets sign until then; null if the previous one could not be decrypted',
      }),
    ),
  }),
)
/**
 * The requirements of routes that reveal or make a secret, or send events to a new place. Neither a stranger at an open
 * browser nor an operator who acts as a user takes them.
 */
export const SENSITIVE = { recentAuth: '10m', impersonation: false } as const
const ROTATION_LIMIT = { name: 'webhooks.rotate', points: 20, window: HOUR, by: 'principal' } as const

export function secretRoutes({ endpoints, secretStore }: Pick<WebhookServices, 'endpoints' | 'secretStore'>) {
  const workspace = (tenantId: string): SecretOwner => ({ tenantId, endpointId: null })
  const endpoint = async (tenantId: string, id: string): Promise<SecretOwner> => ({
    tenantId,
    endpointId: (await endpoints.get(tenantId, id)).id,
  })
  const current = async (owner: SecretOwner, exists?: Promise<unknown>) => ({
    secret: await secretStore.getCurrent(owner, exists),
  })

  return [
    route({
      ...SENSITIVE,
      method: 'get',
      path: '/webhooks/secret',
      operationId: 'getWebhookSecret',
      allow: 'webhooks.secret.read',
      summary: 'Returns the secret that signs webhooks to the URLs of sessions (Standard Webhooks 1.0.0).',
      replies: { 200: Secret },
      problems: [problems.secret_unreadable],
      handle: ({ tenantId }) => current(workspace(tenantId)),
    }),
    route({
      ...SENSITIVE,
      method: 'post',
      path: '/webhooks/secret/rotate',
      operationId: 'rotateWebhookSecret',
      allow: 'webhooks.secret.rotate',
      summary: 'Replaces the signing secret. Both secrets sign for 24 hours.',
      replies: { 200: RotatedSecret },
      limits: [ROTATION_LIMIT],
      handle: ({ tenantId }) => secretStore.rotate(workspace(tenantId)),
    }),
    route({
      ...SENSITIVE,
      method: 'get',
      path: '/webhooks/endpoints/:id/secret',
      operationId: 'getWebhookEndpointSecret',
      allow: 'webhooks.secret.read',
      summary: 'Returns the signing secret of an endpoint (Standard Webhooks 1.0.0).',
      replies: { 200: Secret },
      problems: [problems.secret_unreadable],
      handle: ({ tenantId, params: { id } }) => current({ tenantId, endpointId: id }, endpoints.get(tenantId, id)),
    }),
    route({
      ...SENSITIVE,
      method: 'post',
      path: '/webhooks/endpoints/:id/secret/rotate',
      operationId: 'rotateWebhookEndpointSecret',
      allow: 'webhooks.secret.rotate',
      summary: 'Replaces the signing secret of an endpoint. Both secrets sign for 24 hours.',
      replies: { 200: RotatedSecret },
      limits: [ROTATION_LIMIT],
      handle: async ({ tenantId, params }) => secretStore.rotate(await endpoint(tenantId, params.id)),
    }),
  ]
}
