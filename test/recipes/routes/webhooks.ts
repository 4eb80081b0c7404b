import { api, defineRequests } from './request.ts'
import type { World } from './world.ts'

const AT = '/v1/webhooks/endpoints'
/** Nothing listens there: the worker fails to deliver. */
const URL = 'http://127.0.0.1:9/hooks'
interface Delivery {
  readonly id: string
}
/** A workspace has a limited number of endpoints, so each endpoint is created in a new workspace. */
async function inNewWorkspace({ register, call }: Pick<World, 'register' | 'call'>) {
  const account = await register()
  const { id } = await call<{ id: string }>(account, 'POST', AT, { url: URL, events: ['sessions.*'] })
  return { account, at: `${AT}/${id}` }
}

export const webhooks = defineRequests(
  async ({ owner, call }) => {
    const { id } = await call<{ id: string }>(owner, 'POST', AT, { url: URL, events: ['sessions.*'] })
    for (let n = 0; n < 25; n++) await call(owner, 'POST', `${AT}/${id}/test`)
    const { data } = await call<{ data: Delivery[] }>(owner, 'GET', '/v1/webhooks/deliveries')
    return { at: `${AT}/${id}`, delivery: `/v1/webhooks/deliveries/${data[0]?.id}` }
  },
  {
    'GET /v1/webhooks/endpoints': ({ owner }) => api(owner, AT),
    'POST /v1/webhooks/endpoints': async ({ register }) =>
      api(await register(), AT, { url: URL, events: ['sessions.*'] }),
    'GET /v1/webhooks/endpoints/:id': ({ owner, at }) => api(owner, at),
    'PATCH /v1/webhooks/endpoints/:id': ({ owner, at }, n) => api(owner, at, { description: `Endpoint ${n}` }),
    'DELETE /v1/webhooks/endpoints/:id': async world => {
      const { account, at } = await inNewWorkspace(world)
      return api(account, at)
    },
    'POST /v1/webhooks/endpoints/:id/pause': async world => {
      const { account, at } = await inNewWorkspace(world)
      return api(account, `${at}/pause`)
    },
    'POST /v1/webhooks/endpoints/:id/resume': async world => {
      const { account, at } = await inNewWorkspace(world)
      await world.call(account, 'POST', `${at}/pause`)
      return api(account, `${at}/resume`)
    },
    'POST /v1/webhooks/endpoints/:id/test': ({ owner, at }) => api(owner, `${at}/test`),
    'POST /v1/webhooks/endpoints/:id/redeliver': ({ owner, at }) =>
      api(owner, `${at}/redeliver`, { since: new Date(Date.now() - 3_600_000).toISOString() }),
    'GET /v1/webhooks/event-types': ({ owner }) => api(owner, '/v1/webhooks/event-types'),
    'GET /v1/webhooks/secret': ({ owner }) => api(owner, '/v1/webhooks/secret'),
    'POST /v1/webhooks/secret/rotate': ({ owner }) => api(owner, '/v1/webhooks/secret/rotate'),
    'GET /v1/webhooks/endpoints/:id/secret': ({ owner, at }) => api(owner, `${at}/secret`),
    'POST /v1/webhooks/endpoints/:id/secret/rotate': ({ owner, at }) => api(owner, `${at}/secret/rotate`),
    'GET /v1/webhooks/deliveries': ({ owner }) => api(owner, '/v1/webhooks/deliveries?limit=20'),
    'GET /v1/webhooks/endpoints/:id/deliveries': ({ owner, at }) => api(owner, `${at}/deliveries?limit=20`),
    'GET /v1/webhooks/deliveries/:id': ({ owner, delivery }) => api(owner, delivery),
    'POST /v1/webhooks/deliveries/:id/retry': ({ owner, delivery }) => api(owner, `${delivery}/retry`),
  },
)
