import { api, defineRequests, page } from './request.ts'

const VIEWS = '/v1/console/views'
const viewOf = (name: string) => ({ list: 'content.pages', name, state: { filters: { status: 'draft' } } })

export const consoleRequests = defineRequests(
  async ({ url, owner, call }) => {
    const response = await fetch(`${url}/console`, { headers: owner.browser })
    const { id } = await call<{ id: string }>(owner, 'POST', VIEWS, viewOf('Kept'))
    return { view: id, script: /src="([^"]+\.js)"/.exec(await response.text())?.[1] ?? '' }
  },
  {
    'GET /console': ({ owner }) => page(owner, '/console', { status: 302 }),
    'GET /console/*': async ({ url, owner }) => {
      // Requests of other routes may have deleted the workspace that was the current one.
      const { headers } = await fetch(`${url}/console`, { headers: owner.browser, redirect: 'manual' })
      return page(owner, `${headers.get('location')}content/pages`)
    },
    // No module of this recipe has a screen.
    'GET /console/screens/:workspace/:module/:name': ({ owner }) =>
      page(owner, `/console/screens/${owner.tenantId}/shop/stock`, { status: 404 }),
    // The languages of this recipe are those in which the console is written.
    'GET /console/texts/:locale': ({ owner }) => page(owner, '/console/texts/fr', { status: 404 }),
    'GET /v1/console/home': ({ owner }) => api(owner, '/v1/console/home'),
    'GET /v1/console/screens': ({ owner }) => api(owner, '/v1/console/screens'),
    'GET /v1/console/views': ({ owner }) => api(owner, `${VIEWS}?list=content.pages`),
    // A person can have 50 of a list, so they are few.
    'POST /v1/console/views': ({ owner }, n) => api(owner, VIEWS, viewOf(`View ${n}`)),
    'PATCH /v1/console/views/:id': ({ owner, view }, n) => api(owner, `${VIEWS}/${view}`, { name: `Kept ${n}` }),
    'DELETE /v1/console/views/:id': async ({ owner, call }, n) => {
      const { id } = await call<{ id: string }>(owner, 'POST', VIEWS, viewOf(`Gone ${n}`))
      return api(owner, `${VIEWS}/${id}`)
    },
    'GET /console/assets/:file': ({ owner, script }) => page(owner, script),
  },
)
