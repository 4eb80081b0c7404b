import { newId } from '../../../kernel/base/index.ts'
import { api, defineRequests } from './request.ts'
import type { World } from './world.ts'

/** Inserts a delivery that failed for good. */
async function deadDelivery({ owner, sql }: Pick<World, 'owner' | 'sql'>): Promise<string> {
  const id = newId('dlv')
  await sql(
    `insert into larder_deliveries (id, event_id, handler, tenant_id, state, attempts, last_error)
     select $1, id, 'test.' || $1, tenant_id, 'dead', 10, 'the handler failed' from larder_events
     where tenant_id = $2 and type <> 'webhooks.endpoint.test' order by id limit 1`,
    [id, owner.tenantId],
  )
  return id
}

export const platform = defineRequests(
  async world => {
    for (let n = 0; n < 20; n++) await deadDelivery(world)
    return {}
  },
  {
    'GET /v1/platform': ({ operator }) => api(operator, '/v1/platform'),
    'GET /v1/platform/modules': ({ operator }) => api(operator, '/v1/platform/modules'),
    'GET /v1/platform/modules/:key': ({ operator }) => api(operator, '/v1/platform/modules/identity'),
    'GET /v1/platform/resources': ({ owner }) => api(owner, '/v1/platform/resources'),
    'GET /v1/platform/names': ({ owner }) => api(owner, `/v1/platform/names?ids=${owner.tenantId},${owner.userId}`),
    'GET /v1/platform/activity': ({ owner }) => api(owner, '/v1/platform/activity?limit=20'),
    'GET /v1/platform/recipe': ({ operator }) => api(operator, '/v1/platform/recipe'),
    'GET /v1/platform/recipe/file': ({ operator }) => api(operator, '/v1/platform/recipe/file'),
    'GET /v1/platform/queue': ({ operator }) => api(operator, '/v1/platform/queue'),
    'GET /v1/platform/events': ({ owner }) => api(owner, '/v1/platform/events?limit=20'),
    'GET /v1/platform/events/:id': async world => api(world.owner, `/v1/platform/events/${await eventOf(world)}`),
    'POST /v1/platform/events/:id/replay': async world =>
      api(world.owner, `/v1/platform/events/${await eventOf(world)}/replay?force=true`),
    'GET /v1/platform/dead-letters': ({ owner }) => api(owner, '/v1/platform/dead-letters?limit=20'),
    'POST /v1/platform/dead-letters/:id/retry': async world =>
      api(world.owner, `/v1/platform/dead-letters/${await deadDelivery(world)}/retry`),
    'POST /v1/platform/dead-letters/retry': async world =>
      api(world.owner, '/v1/platform/dead-letters/retry', { ids: [await deadDelivery(world)] }, { status: 202 }),
    'GET /v1/platform/jobs': ({ operator }) => api(operator, '/v1/platform/jobs?limit=20'),
    'GET /v1/platform/job-types': ({ operator }) => api(operator, '/v1/platform/job-types'),
    'GET /v1/platform/statistics': ({ owner }) => api(owner, '/v1/platform/statistics'),
    'GET /v1/platform/logs': ({ operator }) => api(operator, '/v1/platform/logs'),
    'GET /v1/platform/settings': ({ operator }) => api(operator, '/v1/platform/settings'),
    'GET /v1/platform/problems': ({ operator }) => api(operator, '/v1/platform/problems'),
    'GET /v1/platform/search': ({ operator }) => api(operator, '/v1/platform/search?q=test'),
    'GET /v1/platform/audit': ({ owner }) => api(owner, '/v1/platform/audit?limit=20'),
  },
)

async function eventOf({ owner, sql }: World): Promise<string> {
  const [row] = await sql<{ id: string }>(
    `select id from larder_events where tenant_id = $1 and type <> 'webhooks.endpoint.test' order by id limit 1`,
    [owner.tenantId],
  )
  return String(row?.id)
}
