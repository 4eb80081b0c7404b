import { api, defineRequests, page } from './request.ts'

export const consoleRequests = defineRequests(
  async ({ url, owner }) => {
    const response = await fetch(`${url}/console`, { headers: owner.browser })
    return { script: /src="([^"]+\.js)"/.exec(await response.text())?.[1] ?? '' }
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
    'GET /v1/console/screens': ({ owner }) => api(owner, '/v1/console/screens'),
    'GET /console/assets/:file': ({ owner, script }) => page(owner, script),
  },
)
