import { defineRequests, page } from './request.ts'

export const consoleRequests = defineRequests(
  async ({ url, owner }) => {
    const response = await fetch(`${url}/console`, { headers: owner.browser })
    return { script: /src="([^"]+\.js)"/.exec(await response.text())?.[1] ?? '' }
  },
  {
    'GET /console': ({ owner }) => page(owner, '/console'),
    'GET /console/*': ({ owner }) => page(owner, '/console/content/pages'),
    'GET /console/assets/:file': ({ owner, script }) => page(owner, script),
  },
)
