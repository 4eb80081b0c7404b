import type { RequestHandler } from 'express'
import { type Deps, defineService, milliseconds, type RecipeView, type Static } from 'larder/kernel'
import { mounted, readinessOf } from './mounted-module.ts'
import type {} from './ports.ts'
import { limitNames, validate } from './recipe/rate-limits.ts'
import { sections } from './recipe/sections.ts'
import { createHttp } from './server.ts'
import { settings } from './settings.ts'
import { createRealtime } from './sockets/realtime/realtime.ts'
import type { Http, MetricSource, OpenApiPart } from './types.ts'

export default defineService({
  name: 'http',
  summary: 'Serves routes, pages, WebSockets, the OpenAPI document, health checks and metrics.',
  needs: [
    'settings',
    'log',
    'clock',
    'product',
    'secrets',
    'database',
    'systemDatabase',
    'bus',
    'operator',
    'access',
    'registry',
    'theme',
    'process',
  ],
  optional: ['authenticator'],
  settings,
  sections,
  validate,
  sectionKeys: modules => ({ rateLimits: limitNames(modules) }),
  services: { realtimeServers: { create: createRealtime, dispose: servers => servers.stop() } },
  provides: {
    http: { create: createServer, dispose: http => http.close(), lazy: true },
    realtime: ({ realtimeServers }) => realtimeServers,
  },
  /** Mounts all endpoints, so that mistakes fail the start. */
  start: ({ http }) => void http.endpoints(),
  serve: async ({ http, settings }) => {
    await http.listen(settings.port, settings.host)
  },
  drain: ({ http }) => http.drain(),
})

type HttpDeps = Deps<
  | 'settings'
  | 'log'
  | 'clock'
  | 'product'
  | 'secrets'
  | 'database'
  | 'systemDatabase'
  | 'bus'
  | 'operator'
  | 'access'
  | 'registry'
  | 'theme'
  | 'process',
  'authenticator'
>
type Sections = { readonly [Name in keyof typeof sections]: Static<(typeof sections)[Name]> }

function createServer(deps: HttpDeps, _options: unknown, { sections }: RecipeView<Sections>): Http {
  const { registry, process } = deps
  const apps = new Map(registry.collect<RequestHandler>('express').map(({ key, value }) => [key, value]))
  return createHttp({
    settings: deps.settings,
    log: deps.log,
    clock: deps.clock,
    product: deps.product,
    secrets: deps.secrets,
    database: deps.database,
    systemDatabase: deps.systemDatabase,
    bus: deps.bus,
    operator: deps.operator,
    authenticator: deps.authenticator,
    access: deps.access,
    theme: deps.theme,
    modules: registry.running().map(module => mounted(module, apps.get(module.key))),
    checks: readinessOf(registry.running()),
    version: process.version,
    docs: sections.docs ?? true,
    openapiParts: registry.collect<OpenApiPart>('openapi').map(({ value }) => value),
    metrics: registry.collect<readonly MetricSource[]>('metrics').flatMap(({ value }) => value),
    rateLimits: Object.fromEntries(
      Object.entries(sections.rateLimits ?? {}).map(([name, { points, window }]) => [
        name,
        { points, window: milliseconds(window) },
      ]),
    ),
  })
}
