import { type Deps, HOUR, route, Type } from 'larder/kernel'
import { createSecretStore } from '../services/secret-store.ts'

const Secret = Type.Object({ secret: Type.String({ description: 'whsec_ and 32 bytes in base64' }) })
const RotatedSecret = Type.Object({
  secret: Type.String(),
  previous_expires_at: Type.String({ format: 'date-time', description: 'Both secrets sign until then' }),
})

export function secretRoutes(deps: Deps<'database' | 'clock' | 'secrets'>) {
  const store = createSecretStore(deps)
  return [
    route({
      method: 'get',
      path: '/webhooks/secret',
      allow: 'webhooks.secret.read',
      summary: 'Returns the signing secret of the workspace (Standard Webhooks 1.0.0).',
      replies: { 200: Secret },
      handle: async ({ tenantId }) => ({ secret: await store.getCurrent(tenantId) }),
    }),
    route({
      method: 'post',
      path: '/webhooks/secret/rotate',
      allow: 'webhooks.secret.rotate',
      summary: 'Replaces the signing secret. Both secrets sign for 24 hours.',
      replies: { 200: RotatedSecret },
      limits: [{ name: 'webhooks.rotate', points: 20, window: HOUR, by: 'principal' }],
      handle: ({ tenantId }) => store.rotate(tenantId),
    }),
  ]
}
