import { api, defineRequests, page } from './request.ts'
import { EDGE_SECRET, type World } from './world.ts'

interface Created {
  readonly id: string
  readonly join_token: string
  readonly media_path: string
}
const create = ({ owner, call }: Pick<World, 'owner' | 'call'>, n: number) =>
  call<Created>(owner, 'POST', '/v1/streams', { title: `Stream ${n}`, visibility: 'public' })
const SOURCE = { kind: 'camera', label: 'Camera', width: 1280, height: 720, fps: 30 }
const EDGE = `?secret=${encodeURIComponent(EDGE_SECRET)}`

export const streams = defineRequests(
  async world => {
    const { owner, call } = world
    const all = await Promise.all(Array.from({ length: 40 }, (_, n) => create(world, n)))
    const stream = all[0] as Created
    for (const source_id of ['camera', 'screen'])
      await call(owner, 'POST', `/v1/streams/${stream.id}/sources`, { source_id, ...SOURCE })
    for (let n = 0; n < 20; n++) await call(owner, 'POST', `/v1/streams/${stream.id}/tokens`, { role: 'viewer' })
    for (const { media_path: path } of all)
      await call(undefined, 'POST', `/v1/media/edge/events${EDGE}`, { event: 'ready', path })
    for (let n = 0; n < 20; n++) await call(owner, 'POST', `/v1/streams/${stream.id}/chat`, { body: `Message ${n}` })
    return { stream, at: `/v1/streams/${stream.id}`, grown: all[1] as Created }
  },
  {
    'POST /v1/streams': ({ owner }, n) => api(owner, '/v1/streams', { title: `Stream ${n}`, visibility: 'public' }),
    'GET /v1/streams': ({ owner }) => api(owner, '/v1/streams?limit=20'),
    'POST /v1/streams/public/:id/tokens': ({ stream }) => api(undefined, `/v1/streams/public/${stream.id}/tokens`),
    'GET /v1/streams/public': () => api(undefined, '/v1/streams/public?limit=20'),
    'GET /v1/streams/:id': ({ owner, at }) => api(owner, at),
    'POST /v1/streams/:id/sources': async (context, n) => {
      const { id } = await create(context, n)
      return api(context.owner, `/v1/streams/${id}/sources`, { source_id: 'camera', ...SOURCE }, { status: 201 })
    },
    'GET /v1/streams/:id/sources': ({ owner, at }) => api(owner, `${at}/sources`),
    'DELETE /v1/streams/:id/sources/:source_id': async (context, n) => {
      const { owner, call } = context
      const { id } = await create(context, n)
      await call(owner, 'POST', `/v1/streams/${id}/sources`, { source_id: 'camera', ...SOURCE })
      return api(owner, `/v1/streams/${id}/sources/camera`)
    },
    'POST /v1/streams/:id/layout': ({ owner, at }) =>
      api(owner, `${at}/layout`, {
        kind: 'horizontal',
        slots: ['camera', 'screen'].map((source_id, order) => ({ source_id, order })),
      }),
    'GET /v1/streams/:id/layout': ({ owner, at }) => api(owner, `${at}/layout`),
    'POST /v1/streams/:id/tokens': async (context, n) => {
      const { id } = await create(context, n)
      return api(context.owner, `/v1/streams/${id}/tokens`, { role: 'viewer' })
    },
    'GET /v1/streams/:id/tokens': ({ owner, at }) => api(owner, `${at}/tokens?limit=20`),
    'DELETE /v1/streams/:id/tokens/:token_id': async (context, n) => {
      const { owner, call } = context
      const at = `/v1/streams/${(await create(context, n)).id}/tokens`
      const { id } = await call<{ id: string }>(owner, 'POST', at, { role: 'viewer' })
      return api(owner, `${at}/${id}`)
    },
    'GET /v1/streams/:id/media': ({ owner, at }) => api(owner, `${at}/media`),
    'GET /v1/streams/:id/chat': ({ owner, at }) => api(owner, `${at}/chat?limit=20`),
    'POST /v1/streams/:id/chat': ({ owner, grown }, n) =>
      api(owner, `/v1/streams/${grown.id}/chat`, { body: `Message ${n}` }),
    'DELETE /v1/streams/:id/chat/:message_id': async ({ owner, call, grown }) => {
      const at = `/v1/streams/${grown.id}/chat`
      const { id } = await call<{ id: string }>(owner, 'POST', at, { body: 'Message' })
      return api(owner, `${at}/${id}`)
    },
    'GET /v1/media/edge': () => api(undefined, '/v1/media/edge'),
    'POST /v1/media/edge/auth': ({ stream }, n) =>
      api(undefined, `/v1/media/edge/auth${EDGE}`, {
        action: 'publish',
        path: stream.media_path,
        protocol: 'webrtc',
        token: stream.join_token,
        id: String(n),
      }),
    'POST /v1/media/edge/events': async (context, n) =>
      api(undefined, `/v1/media/edge/events${EDGE}`, {
        event: 'ready',
        path: (await create(context, n)).media_path,
      }),
    'GET /streams': () => page(undefined, '/streams'),
    'GET /watch/:id': ({ stream }) => page(undefined, `/watch/${stream.id}`),
    'GET /embed/:id': ({ stream }) => page(undefined, `/embed/${stream.id}`),
    'GET /broadcast/:id': ({ stream }) => page(undefined, `/broadcast/${stream.id}`),
  },
)
