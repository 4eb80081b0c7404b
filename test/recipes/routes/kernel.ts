import { api, defineRequests, page } from './request.ts'

/** Endpoints of the HTTP service itself. */
export const kernel = defineRequests(async () => ({}), {
  'GET /healthz': () => api(undefined, '/healthz'),
  'GET /v1/health': () => api(undefined, '/v1/health'),
  'GET /v1/health/readiness': () => api(undefined, '/v1/health/readiness'),
  'GET /metrics': () => api(undefined, '/metrics'),
  'GET /assets/*': async ({ url }) => {
    const html = await (await fetch(new URL('/sign-in', url))).text()
    return api(undefined, /"(\/assets\/[^"]+)"/.exec(html)?.[1] ?? '/assets/')
  },
  'GET /robots.txt': () => page(undefined, '/robots.txt'),
  'GET /favicon.ico': () => page(undefined, '/favicon.ico'),
  'GET /problems': () => page(undefined, '/problems'),
  'GET /docs': () => page(undefined, '/docs'),
  'GET /v1/platform/openapi.json': () => api(undefined, '/v1/platform/openapi.json'),
  'GET /v1/platform/asyncapi.json': () => api(undefined, '/v1/platform/asyncapi.json'),
})
