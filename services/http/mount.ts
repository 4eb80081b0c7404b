/** Adds the endpoints of all modules and the built-in ones to the router. */

import { allowValues, createValidator } from '@larder-dev/larder/kernel/internal'
import type { Authorizer } from './access/authorizer.ts'
import type { Site } from './access/csrf.ts'
import type { Limits } from './access/rate-limiter.ts'
import { createMountHandlers, mountPath } from './api/express-mounts.ts'
import type { Idempotency } from './api/idempotency.ts'
import { createPipeline, type Serve } from './api/pipeline.ts'
import { createRawHandler } from './api/raw-routes.ts'
import type { Params } from './api/request-reader.ts'
import type { UndeclaredFields } from './api/undeclared-fields.ts'
import { builtInEndpoints, wellKnownFiles } from './built-in-routes.ts'
import { assertUniqueNames } from './documents/openapi/names.ts'
import { contextOf, type ExpressAdapter } from './express-adapter.ts'
import type { RawHeaders } from './headers.ts'
import type { Metrics } from './monitoring/metrics.ts'
import type { Pages } from './pages/pages.ts'
import { http } from './problems.ts'
import type { RequestContext } from './request-context.ts'
import type { ResponseWriter } from './response-writer.ts'
import type { Router } from './router.ts'
import type { Endpoint, HttpOptions, MountedHandler, MountedModule } from './types.ts'

export interface MountDeps {
  readonly options: HttpOptions
  readonly router: Router
  readonly authorize: Authorizer
  readonly limits: Limits
  readonly writer: ResponseWriter
  readonly pages: Pages
  readonly site: Site
  readonly express: ExpressAdapter
  readonly prepare: (ctx: RequestContext) => void
  readonly base: RawHeaders
  readonly idempotency: Idempotency
  readonly metrics: Metrics
  readonly undeclaredFields: UndeclaredFields | undefined
  readonly stopping: () => boolean
  readonly draining: () => boolean
  readonly openapi: () => Readonly<Record<string, unknown>>
  readonly asyncapi: () => Readonly<Record<string, unknown>>
  readonly signInPath: () => string | undefined
}

/** Throws an Error if two endpoints, operations or schemas have the same name. */
export function mountAll(deps: MountDeps): void {
  const { options, router, writer } = deps
  const pipeline = createPipeline({ ...deps, database: options.database, validator: createValidator() })
  const addBuiltIn = (path: string, serve: Serve) =>
    router.add({ kind: 'kernel', module: 'kernel', method: 'GET', path, allow: ['public'], apiKeys: true }, serve)
  for (const [path, serve] of builtInEndpoints(deps)) addBuiltIn(path, serve)
  const mount = mountExpress(deps)
  for (const module of options.modules) {
    if (module.express) mount(module.name, module.express)
    for (const route of module.routes)
      router.add(endpointOf('route', module.name, `/v1${route.path}`, route), pipeline(route))
    mountRaw(deps, module)
    mountPages(deps, module)
    for (const name of module.siteTemplates)
      options.theme.prepare?.({ name, title: name, ...(module.templates && { templates: module.templates }) })
    for (const socket of module.sockets) {
      const { path, allow, summary } = socket
      const endpoint = {
        kind: 'socket',
        module: module.name,
        path: `/v1${path}`,
        allow: allowValues(allow),
        apiKeys: true,
        socket,
        ...(summary !== undefined && { summary }),
      } as const
      router.add({ ...endpoint, method: 'GET' }, async ctx => writer.fail(ctx, http.upgrade_required()))
    }
  }
  for (const [path, serve] of wellKnownFiles(deps)) if (!router.has('GET', path)) addBuiltIn(path, serve)
  assertUniqueNames(router.endpoints())
}

function mountRaw(
  { router, authorize, limits, express, site, prepare }: MountDeps,
  { name, rawRoutes }: MountedModule,
): void {
  const handlerOf = createRawHandler({ authorize, limits, site, prepare })
  for (const route of rawRoutes) {
    const endpoint = endpointOf(route.from ?? 'raw', name, route.path, route)
    router.add(endpoint, express.route(endpoint, handlerOf(route)))
  }
}

function mountExpress({ router, express, ...deps }: MountDeps): (module: string, app: MountedHandler) => void {
  const handlersOf = createMountHandlers(deps)
  return (module, app) => {
    const path = mountPath(module)
    const endpoint = { kind: 'express', module, method: '*', path, allow: ['public'], apiKeys: true } as const
    router.mount(endpoint, express.mount(path, handlersOf(app)))
  }
}

function mountPages({ options, router, express, pages }: MountDeps, module: MountedModule): void {
  const add = (endpoint: Endpoint, serve: Serve) =>
    router.add(
      endpoint,
      express.route(endpoint, request => serve(contextOf(request), request.params as Params)),
    )
  for (const { page, templates } of module.pages) {
    options.theme.prepare?.({ name: page.name, title: page.title, ...(templates && { templates }) })
    const endpoint = endpointOf('page', module.name, page.path, { ...page, method: 'get', apiKeys: false })
    add(endpoint, pages.serve(page, templates, 'GET'))
    if (page.post) add({ ...endpoint, method: 'POST' }, pages.serve(page, templates, 'POST'))
  }
}

type Declared = Pick<
  MountedModule['rawRoutes'][number],
  'method' | 'allow' | 'apiKeys' | 'docs' | 'summary' | 'operationId'
>
function endpointOf(kind: 'route' | 'raw' | 'page', module: string, path: string, route: Declared): Endpoint {
  const { method, allow, apiKeys = true, docs, summary, operationId } = route
  const endpoint: Endpoint = { kind, module, method: method.toUpperCase(), path, allow: allowValues(allow), apiKeys }
  if (kind === 'route') return { ...endpoint, route: route as MountedModule['routes'][number] }
  const described = { ...(summary !== undefined && { summary }), ...(operationId !== undefined && { operationId }) }
  return { ...endpoint, ...(docs && { docs }), ...described }
}
