/** The port `http`: a server with the endpoints of all running definitions. */

import { milliseconds, type RecipeView, type Static } from '@larder-dev/larder/kernel'
import { mounted, readinessOf } from './mounted-module.ts'
import { type HttpDeps, onlyNeeds } from './needs.ts'
import type { sections } from './recipe/sections.ts'
import { createHttp } from './server.ts'
import type { Http, MetricSource, MountedHandler, OpenApiPart, PageData, RenderMarkdown } from './types.ts'

type Sections = { readonly [Name in keyof typeof sections]: Static<(typeof sections)[Name]> }

export function createServer(deps: HttpDeps, _options: unknown, { sections }: RecipeView<Sections>): Http {
  const { registry, process } = deps
  const apps = new Map(registry.collect<MountedHandler>('express').map(({ key, value }) => [key, value]))
  return createHttp({
    ...onlyNeeds(deps),
    pageData: registry.collect<PageData>('pageData')[0]?.value,
    renderMarkdown: registry.collect<RenderMarkdown>('renderMarkdown')[0]?.value,
    modules: registry.running().map(module => mounted(module, apps.get(module.key))),
    checks: readinessOf(registry.running()),
    version: process.version,
    docs: sections.docs ?? true,
    openapiParts: registry.collect<OpenApiPart>('openapi').map(({ value }) => value),
    metrics: [buildInfo(deps), ...registry.collect<readonly MetricSource[]>('metrics').flatMap(({ value }) => value)],
    rateLimits: Object.fromEntries(
      Object.entries(sections.rateLimits ?? {}).map(([name, { points, window }]) => [
        name,
        { points, window: milliseconds(window) },
      ]),
    ),
  })
}

/** The value is 1; the labels are what a dashboard joins or counts. */
function buildInfo({ product, process: { version, role } }: Pick<HttpDeps, 'product' | 'process'>): MetricSource {
  const labels = { version, recipe: product.key, role, node: process.versions.node }
  return {
    name: 'larder_build_info',
    help: 'Version of Larder, key of the product, role of the process and version of Node.js; the value is 1',
    type: 'gauge',
    perProcess: true,
    read: async () => [{ labels, value: 1 }],
  }
}
