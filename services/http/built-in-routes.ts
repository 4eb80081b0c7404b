/** Built-in endpoints: health, metrics, API documentation and assets. */

import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import type { RequestHandler } from 'express'
import { common, etag, isNotModified, once } from 'larder/kernel'
import { contextOf, type ExpressAdapter } from './express-adapter.ts'
import { docsPolicy } from './headers.ts'
import { createHealth, createMetricsRoute } from './health.ts'
import { docsPage, docsScript, problemRows } from './html.ts'
import type { Metrics } from './metrics.ts'
import type { Pages } from './pages.ts'
import type { Serve } from './pipeline.ts'
import { http } from './problems.ts'
import type { RequestContext } from './request-context.ts'
import type { ResponseWriter } from './response-writer.ts'
import { JSON_TYPE } from './response-writer.ts'
import type { HttpOptions } from './types.ts'

export interface BuiltInDeps {
  readonly options: HttpOptions
  readonly writer: ResponseWriter
  readonly metrics: Metrics
  readonly express: ExpressAdapter
  readonly prepare: (ctx: RequestContext) => void
  readonly draining: () => boolean
  readonly openapi: () => Readonly<Record<string, unknown>>
  readonly pages: Pages
}

type WithExpress = (path: string, handler: RequestHandler) => [path: string, serve: Serve]

const HTML = 'text/html; charset=utf-8'

/** Path → handler of its GET. All are public; the metrics endpoint checks its caller itself. */
export function builtInEndpoints(deps: BuiltInDeps): ReadonlyMap<string, Serve> {
  const { options, writer, metrics, draining, express, prepare } = deps
  const { live, ready } = createHealth({ writer, checks: options.checks, draining, log: options.log })
  const withExpress: WithExpress = (path, handler) => [
    path,
    express.route({ module: 'kernel', method: 'GET', path }, (request, response, next) => {
      prepare(contextOf(request))
      return handler(request, response, next)
    }),
  ]
  return new Map<string, Serve>([
    ['/healthz', live],
    ['/v1/health', live],
    ['/v1/health/readiness', ready],
    ['/metrics', createMetricsRoute(writer, metrics, options.settings)],
    withExpress('/assets/*', options.theme.assets),
    ['/problems', problems(deps)],
    ...(options.docs === false ? [] : docs(deps, withExpress)),
  ])
}

function problems({ options: { modules }, pages }: BuiltInDeps): Serve {
  const lists = [{ module: 'every route', problems: { ...common, ...http } }]
  const all = [...lists, ...modules.map(({ name, problems }) => ({ module: name, problems }))]
  const data = { problems: problemRows(all) }
  return async ctx => {
    try {
      await pages.show(ctx, { name: 'problems', title: 'Problems' }, { data })
    } catch (error) {
      await pages.fail(ctx, error)
    }
  }
}

function docs({ options, writer, openapi }: BuiltInDeps, withExpress: WithExpress): [string, Serve][] {
  // Encoded once: measuring a text of this length takes 0.5 ms per response.
  const bytes = once(() => Buffer.from(JSON.stringify(openapi())))
  const tag = once(() => etag(createHash('sha256').update(bytes()).digest('base64url')))
  const page = docsPage(options.product.name)
  const own = { 'content-security-policy': docsPolicy, 'cache-control': 'no-cache' }
  const file = (name: string) => withExpress(`/docs/${name}`, swaggerFile(name))
  return [
    ['/docs', async ctx => writer.send(ctx, 200, HTML, page, own)],
    ['/docs/start.js', async ctx => writer.send(ctx, 200, 'text/javascript; charset=utf-8', docsScript, own)],
    file('swagger-ui.css'),
    file('swagger-ui-bundle.js'),
    [
      '/v1/platform/openapi.json',
      async ctx => {
        const headers = { etag: tag(), 'cache-control': 'no-cache' }
        if (isNotModified(ctx.req.headers, tag())) return writer.send(ctx, 304, '', undefined, headers)
        writer.send(ctx, 200, JSON_TYPE, bytes(), headers)
      },
    ],
  ]
}

function swaggerFile(name: string): RequestHandler {
  const root = once(() => dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json')))
  return (_request, response, next) =>
    response.sendFile(name, { root: root(), maxAge: '1d' }, error => {
      if (error) next(error)
    })
}
