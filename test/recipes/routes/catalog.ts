/** One valid request for every endpoint of the running product. */

import { createSecrets } from '../../../kernel/base/index.ts'
import { SEEN_REQUEST_PATH, seenRequestHeaders } from '../../../services/http/monitoring/seen-request.ts'
import type { Endpoint } from '../../../services/http/types.ts'
import { automations } from './automations.ts'
import { billing } from './billing.ts'
import { collections } from './collections.ts'
import { comms } from './comms.ts'
import { consoleRequests } from './console.ts'
import { content } from './content.ts'
import { features } from './features.ts'
import { forms } from './forms.ts'
import { identity } from './identity.ts'
import { media } from './media.ts'
import { messaging } from './messaging.ts'
import { platform } from './platform.ts'
import type { ModuleRequests, RouteRequest } from './request.ts'
import { api, defineRequests, page } from './request.ts'
import { sessions } from './sessions.ts'
import { streams } from './streams.ts'
import { webhooks } from './webhooks.ts'
import { ROUTE_ENV, type World } from './world.ts'

/** Endpoints of the HTTP service itself. */
const kernel = defineRequests(async () => ({ secrets: createSecrets([ROUTE_ENV.LARDER_SECRET]) }), {
  'GET /healthz': () => api(undefined, '/healthz'),
  'GET /v1/health': () => api(undefined, '/v1/health'),
  'GET /v1/health/readiness': () => api(undefined, '/v1/health/readiness'),
  'GET /v1/health/request': ({ secrets }) =>
    api(undefined, SEEN_REQUEST_PATH, undefined, { headers: seenRequestHeaders(secrets, Date.now()) }),
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

const MODULES: Readonly<Record<string, ModuleRequests>> = {
  kernel,
  identity,
  comms,
  billing,
  content,
  media,
  forms,
  features,
  messaging,
  webhooks,
  sessions,
  streams,
  platform,
  collections,
  automations,
  console: consoleRequests,
}
const requests = Object.assign(
  {},
  ...Object.values(MODULES).map(module => module.requests),
) as ModuleRequests['requests']

/** The parts of an endpoint that can be sent to another process. */
export interface RouteInfo {
  /** `GET /v1/forms/:id` */
  readonly key: string
  readonly kind: Endpoint['kind']
  readonly method: string
  readonly module: string
  /** Statuses below 400 that the route declares; empty for endpoints that declare none. */
  readonly statuses: readonly number[]
}

/** All endpoints but sockets. */
export const routesOf = (endpoints: readonly Endpoint[]): RouteInfo[] =>
  endpoints
    .filter(({ kind }) => kind !== 'socket')
    .map(({ kind, module, method, path, route, docs }) => ({
      key: `${method} ${path}`,
      kind,
      method,
      module,
      statuses: Object.keys(route?.replies ?? docs?.replies ?? {})
        .map(Number)
        .filter(status => status < 400),
    }))

/** Endpoints without a request, and requests without an endpoint. */
export function uncovered(routes: readonly RouteInfo[]): { missing: string[]; unknown: string[] } {
  const keys = new Set(routes.map(({ key }) => key))
  return {
    missing: [...keys].filter(key => !(key in requests)),
    unknown: Object.keys(requests).filter(key => !keys.has(key)),
  }
}

export async function seed(world: World): Promise<void> {
  for (const [name, module] of Object.entries(MODULES))
    await module.seed(world).catch(error => {
      throw new Error(`seeding ${name} failed`, { cause: error })
    })
}

export function makeRequest(world: World, { key }: RouteInfo, n: number): RouteRequest | Promise<RouteRequest> {
  const make = requests[key]
  if (!make) throw new Error(`${key} has no request: add one in test/recipes/routes`)
  return make(world, n)
}

/** The status that a request must have. */
export const expectedStatus = ({ kind, method, statuses }: RouteInfo, { status }: RouteRequest): number =>
  status ?? statuses[0] ?? (kind === 'page' && method === 'POST' ? 303 : 200)
