import { api, defineRequests } from './request.ts'
import type { World } from './world.ts'

const SESSION = { mode: 'screenshare', purpose: 'support', metadata: { ticket: '4711' } }

interface Created {
  readonly id: string
  readonly join_token: string
}
const create = ({ owner, call }: Pick<World, 'owner' | 'call'>) => call<Created>(owner, 'POST', '/v1/sessions', SESSION)

export const sessions = defineRequests(
  async world => {
    const all = await Promise.all(Array.from({ length: 40 }, () => create(world)))
    return { session: all[0] as Created }
  },
  {
    'POST /v1/sessions': ({ owner }) => api(owner, '/v1/sessions', SESSION),
    'GET /v1/sessions': ({ owner }) => api(owner, '/v1/sessions?limit=20'),
    'GET /v1/sessions/:id': ({ owner, session }) => api(owner, `/v1/sessions/${session.id}`),
    'POST /v1/sessions/:id/accept': async context =>
      api(context.owner, `/v1/sessions/${(await create(context)).id}/accept`, {}),
    'POST /v1/sessions/:id/end': async context => api(context.owner, `/v1/sessions/${(await create(context)).id}/end`),
    'POST /v1/sessions/:id/token/rotate': async context =>
      api(context.owner, `/v1/sessions/${(await create(context)).id}/token/rotate`),
    'POST /v1/join': ({ session }) => api(undefined, '/v1/join', { join_token: session.join_token }),
    'GET /v1/capabilities': () => api(undefined, '/v1/capabilities'),
  },
)
