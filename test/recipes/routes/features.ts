import { api, defineRequests } from './request.ts'
import type { World } from './world.ts'

const flag = (key: string) => ({
  key,
  name: 'A flag',
  default: false,
  bucketBy: 'userId',
  rules: [
    { when: { plan: 'pro' }, value: true },
    { rollout: 20, value: true },
  ],
})
async function create({ owner, call }: Pick<World, 'owner' | 'call'>, key: string): Promise<string> {
  await call(owner, 'POST', '/v1/features', flag(key))
  return key
}
const CONTEXT = { context: { targetingKey: 'usr_test', country: 'de' } }

export const features = defineRequests(
  async world => {
    for (let n = 0; n < 20; n++) await create(world, `flag-${n}`)
    await world.call(world.owner, 'PUT', '/v1/features/flag-1/override', { value: true })
    return { run: `${process.pid}-${Date.now()}` }
  },
  {
    'GET /v1/features': ({ owner }) => api(owner, '/v1/features?limit=20'),
    // A workspace can have 1,000.
    'POST /v1/features': async ({ owner, run }, n) => api(owner, '/v1/features', flag(`new-${run}-${n}`)),
    'GET /v1/features/:key': ({ owner }) => api(owner, '/v1/features/flag-0'),
    'GET /v1/features/:key/history': ({ owner }) => api(owner, '/v1/features/flag-0/history?limit=20'),
    'PATCH /v1/features/:key': ({ owner }, n) => api(owner, '/v1/features/flag-0', { name: `Flag ${n}` }),
    'DELETE /v1/features/:key': async (context, n) =>
      api(context.owner, `/v1/features/${await create(context, `old-${context.run}-${n}`)}`),
    'PUT /v1/features/:key/override': ({ owner }, n) =>
      api(owner, '/v1/features/flag-2/override', { value: n % 2 === 0 }),
    'DELETE /v1/features/:key/override': async (context, n) => {
      const { owner, call, run } = context
      const at = `/v1/features/${await create(context, `overridden-${run}-${n}`)}/override`
      await call(owner, 'PUT', at, { value: true })
      return api(owner, at)
    },
    'POST /v1/features/:key/evaluate': ({ owner }) => api(owner, '/v1/features/flag-0/evaluate', CONTEXT),
    'GET /v1/features/:key/evaluate': ({ owner }) => api(owner, '/v1/features/flag-0/evaluate'),
    'POST /v1/features/evaluate': ({ owner }) => api(owner, '/v1/features/evaluate', CONTEXT),
    'POST /v1/features/explain': ({ owner }) => api(owner, '/v1/features/explain', { userId: owner.userId }),
    'POST /v1/features/admin/tenants/:id/explain': ({ operator, owner }) =>
      api(operator, `/v1/features/admin/tenants/${owner.tenantId}/explain`, { userId: owner.userId }),
    'POST /v1/features/ofrep/v1/evaluate/flags/:key': ({ owner }) =>
      api(owner, '/v1/features/ofrep/v1/evaluate/flags/flag-0', CONTEXT),
    'POST /v1/features/ofrep/v1/evaluate/flags': ({ owner }) =>
      api(owner, '/v1/features/ofrep/v1/evaluate/flags', CONTEXT),
  },
)
