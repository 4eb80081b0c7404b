/** Adds the endpoints of all modules and the built-in ones to the router. */

import { allowValues } from '@larder-dev/larder/kernel/internal'
import { createMountHandlers, type ExpressMountDeps, mountPath } from './api/express-mounts.ts'
import { createPipeline, type PipelineDeps, type Serve } from './api/pipeline.ts'
import { createRawHandler, type RawHandlerDeps } from './api/raw-routes.ts'
import type { Params } from './api/request-reader.ts'
import { type BuiltInDeps, builtInEndpoints, wellKnownFiles } from './built-in-routes.ts'
import { assertUniqueNames } from './documents/openapi/names.ts'
import { contextOf } from './express-adapter.ts'
import { http } from './problems.ts'
import type { Router } from './router.ts'
import type { Endpoint, MountedHandler, MountedModule } from './types.ts'

export interface MountDeps extends BuiltInDeps, PipelineDeps, RawHandlerDeps, ExpressMountDeps {
  readonly router: Router
}

/** Throws an Error if two endpoints, operations or schemas have the same name. */
export function mountAll(deps: MountDeps): void {
  const { modules, router, theme, writer } = deps
  const pipeline = createPipeline(deps)
  const addBuiltIn = (path: string, serve: Serve) =>
    router.add({ kind: 'kernel', module: 'kernel', method: 'GET', path, allow: ['public'], apiKeys: true }, serve)
  for (const [path, serve] of builtInEndpoints(deps)) addBuiltIn(path, serve)
  const mount = mountExpress(deps)
  for (const module of modules) {
    if (module.express) mount(module.name, module.express)
    for (const route of module.routes)
      router.add(endpointOf('route', module.name, `/v1${route.path}`, route), pipeline(route))
    mountRaw(deps, module)
    mountPages(deps, module)
    for (const name of module.siteTemplates)
      theme.prepare({ name, title: name, ...(module.templates && { templates: module.templates }) })
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

function mountRaw(deps: MountDeps, { name, rawRoutes }: MountedModule): void {
  const { router, express } = deps
  const handlerOf = createRawHandler(deps)
  for (const route of rawRoutes) {
    const endpoint = endpointOf(route.from ?? 'raw', name, route.path, route)
    router.add(endpoint, express.route(endpoint, handlerOf(route)))
  }
}

function mountExpress(deps: MountDeps): (module: string, app: MountedHandler) => void {
  const { router, express } = deps
  const handlersOf = createMountHandlers(deps)
  return (module, app) => {
    const path = mountPath(module)
    const endpoint = { kind: 'express', module, method: '*', path, allow: ['public'], apiKeys: true } as const
    router.mount(endpoint, express.mount(path, handlersOf(app)))
  }
}

function mountPages({ theme, router, express, pages }: MountDeps, module: MountedModule): void {
  const add = (endpoint: Endpoint, serve: Serve) =>
    router.add(
      endpoint,
      express.route(endpoint, request => serve(contextOf(request), request.params as Params)),
    )
  for (const { page, templates } of module.pages) {
    theme.prepare({ name: page.name, title: page.title, ...(templates && { templates }) })
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
