/** Built-in endpoints: health, metrics, API documentation and assets. */

import { checkText, common, DAY, SECOND } from '@larder-dev/larder/kernel/internal'
import type { Serve } from './api/pipeline.ts'
import { singleValues } from './api/query.ts'
import { createFixedBody, type FixedBody } from './documents/content-encoding.ts'
import { createDocs, type Docs, type DocsDeps, IMMUTABLE } from './documents/docs.ts'
import { sendFixed } from './documents/encoded-response.ts'
import { contextOf, type ExpressAdapter } from './express-adapter.ts'
import { resolveLocale } from './locale.ts'
import type { MonitoringEndpoints } from './monitoring/endpoints.ts'
import { problemRows, problemsWith } from './pages/html.ts'
import type { Pages } from './pages/pages.ts'
import { http, unknownAddress } from './problems.ts'
import type { ResponseWriter } from './response-writer.ts'
import type { ThemeAsset } from './theme.ts'
import type { HttpOptions } from './types.ts'

export interface BuiltInDeps extends DocsDeps, Pick<HttpOptions, 'modules' | 'docs'> {
  readonly writer: ResponseWriter
  readonly monitoring: MonitoringEndpoints
  readonly express: ExpressAdapter
  readonly pages: Pages
}

/** Path → handler of its GET. All are public. */
export function builtInEndpoints(deps: BuiltInDeps): ReadonlyMap<string, Serve> {
  const docs = deps.docs === false ? undefined : createDocs(deps)
  return new Map<string, Serve>([
    ...deps.monitoring.onPublicPort,
    ['/assets/*', assets(deps, docs)],
    ['/problems', problems(deps)],
    ...(docs?.endpoints ?? []),
  ])
}

/** Files that browsers and crawlers request without a link. A module can serve its own at these paths. */
export function wellKnownFiles({ theme, writer }: BuiltInDeps): ReadonlyMap<string, Serve> {
  const icon = theme.icon()
  return new Map<string, Serve>([
    ['/robots.txt', fixedFile(writer, { type: 'text/plain; charset=utf-8', bytes: Buffer.from(ROBOTS) })],
    ...(icon ? [['/favicon.ico', fixedFile(writer, icon)] as const] : []),
  ])
}

/** Pages may be indexed; responses of the API are not for readers. */
const ROBOTS = 'User-agent: *\nDisallow: /v1/\n'

function fixedFile(writer: ResponseWriter, { type, bytes }: ThemeAsset): Serve {
  const body = createFixedBody(bytes, type)
  return ctx => sendFixed(writer, ctx, { type, body, headers: { 'cache-control': ONE_DAY } })
}
const ONE_DAY = `public, max-age=${DAY / SECOND}`

/** The table of all errors. `?q=` finds those that have every word, in the language of the reader. */
function problems({ modules, pages, product, theme }: BuiltInDeps): Serve {
  const general = { module: 'every route', problems: { ...common, ...http } }
  const others = modules.filter(each => each.problems !== http)
  const rows = problemRows(
    general,
    others.map(({ name, problems }) => ({ module: name, problems })),
  )
  return async ctx => {
    try {
      const { q = '' } = singleValues(ctx.search)
      checkText({ q }, 'query')
      const locale = resolveLocale(ctx, product.locales)
      const found = problemsWith(rows, q, text => theme.text(locale, text))
      await pages.show(ctx, { name: 'problems', title: 'Errors' }, { data: { problems: found, q, total: rows.length } })
    } catch (error) {
      await pages.fail(ctx, error)
    }
  }
}

/** Files of the theme and of the documentation, at paths with a hash of their content. */
function assets({ theme, writer, pages, express }: BuiltInDeps, docs: Docs | undefined): Serve {
  const bodies = new WeakMap<Buffer, FixedBody>()
  return express.route({ module: 'kernel', method: 'GET', path: '/assets/*' }, async request => {
    const ctx = contextOf(request)
    const asset = theme.assetAt(ctx.path)
    if (!asset) return docs?.asset(ctx) ?? pages.fail(ctx, unknownAddress())
    const { type, bytes } = asset
    const body = bodies.get(bytes) ?? createFixedBody(bytes, type)
    bodies.set(bytes, body)
    await sendFixed(writer, ctx, { type, body, headers: { 'cache-control': IMMUTABLE } })
  })
}
