/** The kernel's own addresses: health, metrics, documents, files. */

import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import type { RequestHandler } from 'express'
import { common, etag, isHeld, once } from 'larder/kernel'
import type { SecondDoor } from './express-adapter.ts'
import { docsPolicy } from './headers.ts'
import { createHealth, createMetricsRoute } from './health.ts'
import { docsPage, docsScript, problemsShown } from './html.ts'
import type { Metrics } from './metrics.ts'
import type { Pages } from './pages.ts'
import type { Serve } from './pipeline.ts'
import { http } from './problems.ts'
import type { Answers } from './response-writer.ts'
import { JSON_TYPE } from './response-writer.ts'
import type { HttpOptions } from './types.ts'

export interface OwnDeps {
  readonly options: HttpOptions
  readonly answers: Answers
  readonly metrics: Metrics
  readonly door: SecondDoor
  readonly draining: () => boolean
  readonly openapi: () => Readonly<Record<string, unknown>>
  readonly pages: Pages
}

const HTML = 'text/html; charset=utf-8'

/** Path → what serves its GET. All of it is open to anybody; metrics look at the caller themselves. */
export function ownAddresses(deps: OwnDeps): ReadonlyMap<string, Serve> {
  const { options, answers, metrics, draining, door, pages } = deps
  const { live, ready } = createHealth({ answers, checks: options.checks, draining, log: options.log })
  const handled =
    (handler: RequestHandler): Serve =>
    async (x, params) =>
      door(x, params, handler, error => pages.fail(x, error ?? http.no_such_address()))
  return new Map<string, Serve>([
    ['/healthz', live],
    ['/v1/health', live],
    ['/v1/health/readiness', ready],
    ['/metrics', createMetricsRoute(answers, metrics, options.settings.metricsToken)],
    ['/assets/*', handled(options.theme.assets)],
    ['/problems', problems(deps)],
    ...(options.docs === false ? [] : docs(deps, handled)),
  ])
}

function problems({ options: { modules }, pages }: OwnDeps): Serve {
  const lists = [{ module: 'every route', problems: { ...common, ...http } }]
  const all = [...lists, ...modules.map(({ name, problems }) => ({ module: name, problems }))]
  const data = { problems: problemsShown(all) }
  return async x => {
    try {
      await pages.show(x, { name: 'problems', title: 'Problems' }, { data })
    } catch (error) {
      await pages.fail(x, error)
    }
  }
}

function docs({ options, answers, openapi }: OwnDeps, handled: (handler: RequestHandler) => Serve): [string, Serve][] {
  // As bytes: to count those of so long a text takes half a millisecond, at each answer.
  const bytes = once(() => Buffer.from(JSON.stringify(openapi())))
  const tag = once(() => etag(createHash('sha256').update(bytes()).digest('base64url')))
  const page = docsPage(options.product.name)
  const own = { 'content-security-policy': docsPolicy, 'cache-control': 'no-cache' }
  const file = (name: string): [string, Serve] => [`/docs/${name}`, handled(swaggerFile(name))]
  return [
    ['/docs', async x => answers.send(x, 200, HTML, page, own)],
    ['/docs/start.js', async x => answers.send(x, 200, 'text/javascript; charset=utf-8', docsScript, own)],
    file('swagger-ui.css'),
    file('swagger-ui-bundle.js'),
    [
      '/v1/platform/openapi.json',
      async x => {
        const headers = { etag: tag(), 'cache-control': 'no-cache' }
        if (isHeld(x.req.headers, tag())) return answers.send(x, 304, '', undefined, headers)
        answers.send(x, 200, JSON_TYPE, bytes(), headers)
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
