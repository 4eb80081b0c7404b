/** Matches requests to endpoints. */

import {
  CAUSE_HEADER,
  common,
  depthOfCause,
  guardOf,
  type Secrets,
  withContext,
  withHeaders,
} from '@larder-dev/larder/kernel/internal'
import findMyWay from 'find-my-way'
import type { Serve } from './api/pipeline.ts'
import type { Params } from './api/request-reader.ts'
import { hostProblem, preflight } from './headers.ts'
import { traceRequest } from './phases.ts'
import { malformedRequest } from './problems.ts'
import type { RequestContext } from './request-context.ts'
import type { ResponseWriter } from './response-writer.ts'
import type { Endpoint } from './types.ts'

export interface Router {
  /** Throws an Error that names both modules if two endpoints have the same method and path. */
  add(endpoint: Endpoint, serve: Serve): void
  /** Mounts a handler at a path prefix, for all methods; exact routes win. */
  mount(endpoint: Endpoint, serve: Serve): void
  dispatch(ctx: RequestContext): void
  endpoints(): readonly Endpoint[]
  has(method: string, path: string): boolean
}

interface MountedEndpoint {
  readonly endpoint: Endpoint
  readonly serve: Serve
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
type HttpMethod = (typeof METHODS)[number]
const isMethod = (method: string): method is HttpMethod => METHODS.some(known => known === method)

/** Anyone may call an open endpoint, so its handler may serve a tenant that the caller doesn't belong to. */
const refusingSuspended =
  (serve: Serve): Serve =>
  (ctx, params) =>
    withContext({ refusesSuspended: true }, () => serve(ctx, params))

const mountedEndpoint = (endpoint: Endpoint, serve: Serve): MountedEndpoint => ({
  endpoint,
  serve: guardOf(endpoint.allow).open.length > 0 ? refusingSuspended(serve) : serve,
})

/** What a request of the product itself causes has the cause of that request. */
const caused =
  (secrets: Secrets) =>
  (serve: Serve): Serve =>
  (ctx, params) => {
    const cause = ctx.headers[CAUSE_HEADER]
    const depth = cause === undefined ? 0 : depthOfCause(secrets, cause)
    return depth === 0 ? serve(ctx, params) : withContext({ depth }, () => serve(ctx, params))
  }

export function createRouter(writer: ResponseWriter, serveUndeclared: Serve, secrets: Secrets): Router {
  const routes = findMyWay({ ignoreTrailingSlash: true, maxParamLength: 512, onBadUrl: () => undefined })
  const mounted: MountedEndpoint[] = []
  /** Keyed by method and shape. */
  const mounts: MountedEndpoint[] = []
  const byShape = new Map<string, Endpoint>()
  const causing = caused(secrets)
  const notFound = causing(refusingSuspended(serveUndeclared))

  const failed = (ctx: RequestContext) => (error: unknown) => writer.fail(ctx, error)

  function dispatch(ctx: RequestContext): void {
    const problem = hostProblem(ctx.req)
    if (problem) {
      writer.fail(ctx, problem)
      return
    }
    const method = ctx.method === 'HEAD' ? 'GET' : ctx.method
    const match = isMethod(method) ? routes.find(method, ctx.path) : null
    const found = match?.store as MountedEndpoint | null | undefined
    if (found) {
      ctx.endpoint = found.endpoint
      ctx.pattern = found.endpoint.path
      const address = isOnePage(found.endpoint) ? addressOf(ctx) : undefined
      if (address === undefined) traceRequest(ctx, () => found.serve(ctx, match?.params as Params), failed(ctx))
      else writer.send(ctx, 301, '', undefined, { location: address })
    } else if (match) {
      // find-my-way returns a match without a store only for an invalid escape sequence.
      writer.fail(ctx, malformedRequest.path_not_utf8())
    } else handleUnmatched(ctx)
  }

  function handleUnmatched(ctx: RequestContext): void {
    const mount = mounts.find(({ endpoint: { path } }) => ctx.path === path || ctx.path.startsWith(`${path}/`))
    if (mount) {
      ctx.pattern = mount.endpoint.path
      traceRequest(ctx, () => mount.serve(ctx, {}), failed(ctx))
      return
    }
    const allowed = METHODS.filter(method => routes.find(method, ctx.path) !== null)
    if (allowed.length === 0) {
      traceRequest(ctx, () => notFound(ctx, {}), failed(ctx))
      return
    }
    const own = ofMostSpecificPath(allowed, method => routes.find(method, ctx.path)?.store as MountedEndpoint | null)
    const allow = [...own, ...(own.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
    if (ctx.method === 'OPTIONS') writer.send(ctx, 204, '', undefined, { allow, ...preflight(allowed) })
    else writer.fail(ctx, withHeaders(common.method_not_allowed({ method: ctx.method, allowed: allow }), { allow }))
  }

  return {
    dispatch,
    endpoints: () => [...mounted, ...mounts].map(({ endpoint }) => endpoint),
    has: (method, path) => byShape.has(shape(method, path)),
    mount: (endpoint, serve) => void mounts.push(mountedEndpoint(endpoint, causing(serve))),
    add(endpoint, serve) {
      const key = shape(endpoint.method, endpoint.path)
      const other = byShape.get(key)
      if (other)
        throw new Error(`${endpoint.method} ${endpoint.path} is declared by ${other.module} and by ${endpoint.module}`)
      const found = mountedEndpoint(endpoint, causing(serve))
      mounted.push(found)
      byShape.set(key, endpoint)
      routes.on(endpoint.method as HttpMethod, endpoint.path, () => undefined, found)
    },
  }
}

/** An application that handles all paths below its own writes them as it likes. */
const isOnePage = ({ kind, path }: Endpoint): boolean => kind === 'page' && !path.includes('*')

/**
 * The address of a page that was requested with slashes too many: search engines would count `/about` and `/about/` as two
 * pages. A form that was sent there is served. Never leads to another host.
 */
export function addressOf({ method, path, search }: RequestContext): string | undefined {
  if (method !== 'GET' && method !== 'HEAD') return undefined
  const single = path.replace(/[\\/]+/g, '/').replace(/(.)\/$/, '$1')
  if (single === path) return undefined
  return search === '' ? single : `${single}?${search}`
}

/** `/rows/batch` has the methods of `/rows/batch`, and not those of `/rows/:id` too. */
function ofMostSpecificPath<M>(methods: readonly M[], find: (method: M) => MountedEndpoint | null): M[] {
  const ranked = methods.map(method => ({ method, rank: rankOf(find(method)?.endpoint.path ?? '') }))
  const [best] = ranked.map(({ rank }) => rank).sort()
  return ranked.filter(({ rank }) => rank === best).map(({ method }) => method)
}

/** Sorts fixed segments before parameters, and those before wildcards, as the router prefers them. */
const rankOf = (path: string): string =>
  path
    .split('/')
    .map(segment => (segment.includes('*') ? 2 : segment.includes(':') ? 1 : 0))
    .join('')

/** Paths that differ only in parameter names have the same shape. */
const shape = (method: string, path: string): string => `${method} ${path.replace(/:\w+/g, ':')}`
