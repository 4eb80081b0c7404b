import { api, defineRequests, page } from './request.ts'
import type { World } from './world.ts'

const AT = '/v1/content/pages'
const BODY = { title: 'A page', body: 'A paragraph of a page. '.repeat(40) }
const ITEMS = {
  items: [
    { label: 'Home', path: '/' },
    { label: 'Pricing', path: '/pricing' },
  ],
}
type Context = Pick<World, 'owner' | 'call'>

const create = async ({ owner, call }: Context, slug: string): Promise<string> =>
  (await call<{ id: string }>(owner, 'POST', AT, { slug, ...BODY })).id
const redirect = async ({ owner, call }: Context, from: string): Promise<string> =>
  (await call<{ id: string }>(owner, 'POST', '/v1/content/redirects', { from, to: '/new' })).id

export const content = defineRequests(
  async world => {
    const { owner, call } = world
    const ids: string[] = []
    for (let n = 0; n < 25; n++) ids.push(await create(world, `page-${n}`))
    const id = ids[0] as string
    for (let n = 0; n < 20; n++) await call(owner, 'PATCH', `${AT}/${id}`, { title: `Title ${n}` })
    const redirects: string[] = []
    for (let n = 0; n < 25; n++) redirects.push(await redirect(world, `/from-${n}`))
    for (const key of ['side', 'below']) await call(owner, 'PUT', `/v1/content/navigation/${key}`, ITEMS)
    return {
      at: `${AT}/${id}`,
      unchanged: `${AT}/${ids[1]}`,
      moved: `/v1/content/redirects/${redirects[0]}`,
      run: `${process.pid}-${Date.now()}`,
    }
  },
  {
    'GET /v1/content/pages': ({ owner }) => api(owner, `${AT}?limit=20`),
    'POST /v1/content/pages': ({ owner, run }, n) => api(owner, AT, { slug: `new-${run}-${n}`, ...BODY }),
    'GET /v1/content/pages/:id': ({ owner, at }) => api(owner, at),
    'PATCH /v1/content/pages/:id': ({ owner, at }, n) => api(owner, at, { title: `Title ${n}` }),
    'DELETE /v1/content/pages/:id': async (context, n) =>
      api(context.owner, `${AT}/${await create(context, `deleted-${context.run}-${n}`)}`),
    'POST /v1/content/pages/:id/publish': async (context, n) =>
      api(context.owner, `${AT}/${await create(context, `published-${context.run}-${n}`)}/publish`, {}),
    'POST /v1/content/pages/:id/unpublish': async (context, n) => {
      const { owner, call, run } = context
      const at = `${AT}/${await create(context, `unpublished-${run}-${n}`)}`
      await call(owner, 'POST', `${at}/publish`, {})
      return api(owner, `${at}/unpublish`)
    },
    'GET /v1/content/pages/:id/versions': ({ owner, at }) => api(owner, `${at}/versions?limit=20`),
    'GET /v1/content/pages/:id/versions/:version': ({ owner, unchanged }) => api(owner, `${unchanged}/versions/1`),
    'POST /v1/content/pages/:id/versions/:version/restore': async (context, n) => {
      const { owner, call, run } = context
      const at = `${AT}/${await create(context, `restored-${run}-${n}`)}`
      await call(owner, 'PATCH', at, { title: 'Another title' })
      return api(owner, `${at}/versions/1/restore`)
    },
    'POST /v1/content/pages/:id/reset': async ({ operator, call }) => {
      const { data } = await call<{ data: { id: string; managedBy: string | null }[] }>(operator, 'GET', AT)
      return api(operator, `${AT}/${data.find(({ managedBy }) => managedBy !== null)?.id}/reset`)
    },
    'GET /v1/content/choices': ({ owner }) => api(owner, '/v1/content/choices'),
    'POST /v1/content/render': ({ owner }) => api(owner, '/v1/content/render', { body: BODY.body }),
    'GET /content/preview/page': ({ owner }) => page(owner, '/content/preview/page'),
    'GET /content/preview/landing': ({ owner }) => page(owner, '/content/preview/landing'),
    'GET /content/preview/start': ({ owner }) => page(owner, '/content/preview/start'),
    'GET /v1/content/navigation': ({ owner }) => api(owner, '/v1/content/navigation'),
    'GET /v1/content/navigation/:key': ({ owner }) => api(owner, '/v1/content/navigation/side'),
    'PUT /v1/content/navigation/:key': ({ owner }) => api(owner, '/v1/content/navigation/side', ITEMS),
    'POST /v1/content/navigation/:key/reset': ({ operator }) => api(operator, '/v1/content/navigation/main/reset'),
    'GET /v1/content/redirects': ({ owner }) => api(owner, '/v1/content/redirects?limit=20'),
    'GET /v1/content/redirects/resolve': ({ owner }) => api(owner, '/v1/content/redirects/resolve?path=/from-1'),
    'POST /v1/content/redirects': ({ owner, run }, n) =>
      api(owner, '/v1/content/redirects', { from: `/moved-${run}-${n}`, to: '/new' }),
    'GET /v1/content/redirects/:id': ({ owner, moved }) => api(owner, moved),
    'PATCH /v1/content/redirects/:id': ({ owner, moved }, n) => api(owner, moved, { to: `/new-${n}` }),
    'DELETE /v1/content/redirects/:id': async (context, n) =>
      api(context.owner, `/v1/content/redirects/${await redirect(context, `/old-${context.run}-${n}`)}`),
  },
)
