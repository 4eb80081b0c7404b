/** Serves paths that no endpoint declares: queries the sites of the modules in order. */

import { createHash } from 'node:crypto'
import { etag, guardOf, type LayoutData, type Site, type SiteAnswer } from '@larder-dev/larder/kernel'
import type { Authorizer } from './authorizer.ts'
import { createFixedBody, type FixedBody } from './content-encoding.ts'
import { sendFixed } from './encoded-response.ts'
import { replaceNonce } from './inline-hashes.ts'
import { type LayoutDataLoader, visitOf } from './layout-data.ts'
import { HTML, type Pages, type Rendered, withLocaleCookie } from './pages.ts'
import type { Serve } from './pipeline.ts'
import { unknownAddress } from './problems.ts'
import type { Limits } from './rate-limiter.ts'
import type { RequestContext } from './request-context.ts'
import type { ResponseWriter } from './response-writer.ts'
import type { HttpOptions, ShownPage } from './types.ts'

export interface SitesDeps {
  readonly options: Pick<HttpOptions, 'modules' | 'product' | 'theme' | 'docs' | 'pageData'>
  readonly authorize: Authorizer
  readonly limits: Limits
  readonly writer: ResponseWriter
  readonly pages: Pages
  readonly layoutData: LayoutDataLoader
}
interface Part {
  readonly find: NonNullable<Site['find']>
  readonly templates: URL | undefined
}
type Found = Extract<SiteAnswer, { data: unknown }>

/** A page as rendered for anonymous visitors. Valid while its data and layout data are the same objects. */
interface CachedPage extends Omit<Rendered, 'html'> {
  readonly layoutData: readonly LayoutData[]
  readonly body: FixedBody
  readonly tag: string
}

const API_PATH = /^\/v1(\/|$)/
/** Caches must revalidate, and must not share pages between languages or sessions. */
const REVALIDATE_HEADERS = { 'cache-control': 'no-cache', vary: 'accept-language, cookie' }

export function createSites({ options, authorize, limits, writer, pages, layoutData }: SitesDeps): Serve {
  const { product, theme, pageData } = options
  const parts: Part[] = options.modules.flatMap(({ site, templates }) =>
    site?.find ? [{ find: site.find, templates }] : [],
  )
  const guard = guardOf('public')
  const noLimits = limits.of(undefined)
  /** Pages that need a nonce for each response. */
  const uncacheable = new WeakSet<object>()
  const cachedPages = new WeakMap<object, CachedPage>()

  async function showCached(ctx: RequestContext, found: Found, templates: URL | undefined): Promise<void> {
    const given = await layoutData(visitOf(ctx, product, found.locale))
    let shown = cachedPages.get(found)
    if (!shown || shown.layoutData.some((frame, at) => frame !== given[at])) {
      const page = { ...found, ...(templates && { templates }) }
      const rendered = replaceNonce(pages.render(ctx, page, found, given))
      if (!rendered) {
        uncacheable.add(found)
        return pages.show(ctx, page, found)
      }
      const { html, headers } = rendered
      const tag = etag(createHash('sha256').update(html).digest('base64url'))
      const body = createFixedBody(Buffer.from(html), HTML)
      shown = { layoutData: given, body, tag, headers: { ...REVALIDATE_HEADERS, ...headers } }
      cachedPages.set(found, shown)
    }
    const { body, tag } = shown
    const headers = withLocaleCookie(ctx, product, shown.headers)
    await sendFixed(writer, ctx, { status: found.status, type: HTML, body, tag, headers })
  }

  async function shown(ctx: RequestContext, { find, templates }: Part): Promise<boolean> {
    const found = await find(visitOf(ctx, product))
    if (!found) return false
    if ('redirect' in found) writer.send(ctx, found.status, '', undefined, { location: found.redirect })
    else {
      const page = { ...found, ...(templates && { templates }) }
      const requested = await requestedData(ctx, page)
      if (requested) await pages.show(ctx, page, { ...found, data: { ...found.data, ...requested } })
      // Under `larder dev` the theme is read again for each page.
      else if (found.cacheable && !ctx.caller && !theme.reload && !uncacheable.has(found))
        await showCached(ctx, found, templates)
      else await pages.show(ctx, page, found)
    }
    return true
  }

  /** Runs the queries of the template; undefined if it has none. */
  async function requestedData(ctx: RequestContext, page: Found & ShownPage) {
    const visit = { ...visitOf(ctx, product, page.locale), params: page.params ?? {} }
    const queries = Object.entries(theme.queries?.(page, visit.locale) ?? {})
    if (queries.length === 0 || !pageData) return undefined
    const read = queries.map(async ([name, query]) => [name, await pageData.load(query, visit)] as const)
    return Object.fromEntries(await Promise.all(read))
  }

  return async ctx => {
    try {
      const asked = (ctx.method === 'GET' || ctx.method === 'HEAD') && !API_PATH.test(ctx.path)
      if (asked) {
        await authorize(ctx, guard, noLimits, 'page')
        for (const part of parts) if (await shown(ctx, part)) return
        if (ctx.path === '/') {
          const data = { docs: options.docs !== false }
          return await pages.show(ctx, { name: 'home', title: product.name }, { data })
        }
      }
      throw unknownAddress()
    } catch (error) {
      await pages.fail(ctx, error)
    }
  }
}
