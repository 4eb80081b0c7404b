/** Serves paths that no endpoint declares: asks the sites of the modules in order. */

import { createHash } from 'node:crypto'
import {
  common,
  createShownTokens,
  etag,
  guardOf,
  type LayoutData,
  type Site,
  type SiteAnswer,
} from '@larder-dev/larder/kernel/internal'
import type { Authorizer } from '../access/authorizer.ts'
import { isSameOriginForm, type Site as Origin } from '../access/csrf.ts'
import type { Limits } from '../access/rate-limiter.ts'
import { isForm } from '../api/body.ts'
import type { Idempotency } from '../api/idempotency.ts'
import type { Serve } from '../api/pipeline.ts'
import { createFixedBody, type FixedBody } from '../documents/content-encoding.ts'
import { sendFixed } from '../documents/encoded-response.ts'
import { unknownAddress } from '../problems.ts'
import { inShareOf, type RequestContext } from '../request-context.ts'
import type { ResponseWriter } from '../response-writer.ts'
import { addressOf } from '../router.ts'
import type { ThemePage } from '../theme.ts'
import type { DataVisit, HttpOptions, PageData } from '../types.ts'
import { FORM_LIMIT, GUEST_FORM_LIMIT } from './form-limits.ts'
import { replaceNonce } from './inline-hashes.ts'
import { type LayoutDataLoader, visitOf } from './layout-data.ts'
import { HTML, type Pages, type Rendered, withLocaleCookie } from './pages.ts'
import {
  challengesOf,
  isFromProgram,
  pageAfter,
  type RefusedForm,
  readSubmission,
  shownForms,
  submitOnce,
} from './site-forms.ts'

export interface SitesDeps
  extends Pick<HttpOptions, 'modules' | 'product' | 'theme' | 'pageData' | 'clock' | 'secrets'> {
  readonly authorize: Authorizer
  readonly limits: Limits
  readonly writer: ResponseWriter
  readonly pages: Pages
  readonly layoutData: LayoutDataLoader
  readonly site: Origin
  readonly idempotency: Idempotency
  /** Path of the sign-in page; undefined if this recipe has none. */
  readonly signInPath: () => string | undefined
}
interface Part {
  readonly find: NonNullable<Site['find']>
  readonly templates: URL | undefined
}
type Found = Extract<SiteAnswer, { data: unknown }>
type Results = Readonly<Record<string, unknown>>

/** A page, and what its template requests. */
interface RequestedPage {
  readonly found: Found
  readonly shown: Found & ThemePage
  readonly visit: DataVisit
  readonly queries: Readonly<Record<string, unknown>>
  readonly forms: Readonly<Record<string, unknown>>
  /** Whether it requests anything. */
  readonly requests: boolean
  /** Whether other sites may show it in a frame. Its visitors are never signed in. */
  readonly isEmbedded: boolean
}

/** The results of the template's queries, and the data of the rows that the site shows. */
async function readQueries(pageData: PageData, { queries, visit, found: { rows } }: RequestedPage): Promise<Results> {
  const load = async (asked: Results): Promise<Results> => {
    const read = Object.entries(asked).map(async ([name, query]) => [name, await pageData.load(query, visit)] as const)
    return Object.fromEntries(await Promise.all(read))
  }
  if (!rows) return load(queries)
  const [own, shown] = await Promise.all([load(queries), load(rows.queries)])
  return { ...rows.toData(shown), ...own }
}

/** A page as rendered for anonymous visitors. Valid while its data and layout data are the same objects. */
interface CachedPage extends Omit<Rendered, 'html'> {
  readonly layoutData: readonly LayoutData[]
  readonly body: FixedBody
  readonly tag: string
}

const API_PATH = /^\/v1(\/|$)/
/** Caches must revalidate, and must not share pages between languages or logins. */
const REVALIDATE_HEADERS = { 'cache-control': 'no-cache', vary: 'accept-language, cookie' }

export function createSites(deps: SitesDeps): Serve {
  const { authorize, limits, writer, pages, layoutData, site, idempotency, signInPath } = deps
  const { modules, product, theme, pageData, clock } = deps
  const tokens = createShownTokens(deps.secrets, 'pages.form')
  const parts: Part[] = modules.flatMap(({ site, templates }) => (site?.find ? [{ find: site.find, templates }] : []))
  const guard = guardOf('public')
  // API keys can't use forms: a form must not allow what the route refuses.
  const formGuard = guardOf('public', false)
  const noLimits = limits.of(undefined)
  const formLimits = limits.of([FORM_LIMIT])
  const guestLimits = limits.of([GUEST_FORM_LIMIT]).body
  /** Pages that need a nonce for each response. */
  const uncacheable = new WeakSet<object>()
  const cachedPages = new WeakMap<object, CachedPage>()

  async function showCached(ctx: RequestContext, found: Found, templates: URL | undefined): Promise<void> {
    const given = await layoutData(visitOf(ctx, product, found.locale))
    let shown = cachedPages.get(found)
    if (!shown || shown.layoutData.some((frame, at) => frame !== given[at])) {
      const page = { ...found, ...(templates && { templates }) }
      const rendered = replaceNonce(await pages.render(ctx, page, found, given))
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
      const page = requestOf(ctx, found, templates)
      if (pageData && page.requests) await showRequested(ctx, page, await readQueries(pageData, page))
      // Under `larder dev` the theme is read again for each page.
      else if (found.cacheable && !page.isEmbedded && !ctx.caller && !theme.reload && !uncacheable.has(found))
        await showCached(ctx, found, templates)
      else await pages.show(ctx, page.shown, page.shown)
    }
    return true
  }

  function requestOf(ctx: RequestContext, found: Found, templates: URL | undefined): RequestedPage {
    const page = { ...found, ...(templates && { templates }) }
    const given = visitOf(ctx, product, found.locale)
    const embed = theme.embed(page, given.locale)
    const isEmbedded = embed.length > 0
    // In a frame, others could make people who are signed in click. So everybody is a visitor there.
    if (isEmbedded) ctx.caller = undefined
    const shown = { ...page, ...(isEmbedded && { frameAncestors: ["'self'", ...embed] }) }
    const visit = { ...given, caller: ctx.caller, params: found.params ?? {} }
    const queries = theme.queries(shown, visit.locale)
    const forms = theme.forms(shown, visit.locale)
    const requests = found.rows !== undefined || Object.keys(queries).length + Object.keys(forms).length > 0
    return { found, shown, isEmbedded, visit, queries, forms, requests }
  }

  async function showRequested(ctx: RequestContext, page: RequestedPage, read: Results, refused?: RefusedForm) {
    const { found, shown, visit } = page
    const hasForms = pageData && Object.keys(page.forms).length > 0
    const challenges = hasForms ? await challengesOf(page.forms, { pageData, visit, data: read }) : {}
    const forms =
      hasForms &&
      (await shownForms(page.forms, {
        pageData,
        visit,
        signInPath: signInPath(),
        tokens,
        clock,
        refused,
        challenges,
        data: read,
      }))
    const status = refused?.refusal.status ?? found.status
    const data = { ...found.data, ...read, ...(forms && { forms }) }
    await pages.show(ctx, shown, { ...shown, ...(status !== undefined && { status }), data })
  }

  /** A submission of a form in the template of a page. */
  async function posted(ctx: RequestContext, { find, templates }: Part): Promise<boolean> {
    const found = await find(visitOf(ctx, product))
    if (!found || 'redirect' in found || !pageData) return false
    const page = requestOf(ctx, found, templates)
    if (Object.keys(page.forms).length === 0) return false
    if (!isSameOriginForm(site, ctx.req.headers)) throw common.cross_site()
    const submitted = await readSubmission(ctx, page.forms)
    const { visit } = page
    const after = pageAfter(submitted, visit)
    const { mayCreate, isOpen } = await pageData.form(submitted.form, visit, {
      ...submitted,
      input: undefined,
      refusal: undefined,
      data: undefined,
    })
    const isGuest = !ctx.caller && mayCreate
    if (isGuest) {
      for (const count of guestLimits) await count(ctx, undefined, {})
      if (isFromProgram({ tokens, clock }, submitted, visit)) {
        writer.send(ctx, 303, '', undefined, { location: after })
        return true
      }
    } else if (!ctx.caller) {
      const path = signInPath()
      if (path === undefined) throw common.unauthenticated()
      const { path: back, search } = visit
      const next = encodeURIComponent(search === '' ? back : `${back}?${search}`)
      writer.send(ctx, 303, '', undefined, { location: `${path}?next=${next}` })
      return true
    }
    const data = await readQueries(pageData, page)
    const refusal = await submitOnce({ pageData, idempotency }, ctx, {
      ...submitted,
      visit,
      data,
      isOpen: isOpen === true,
    })
    if (refusal) await showRequested(ctx, page, data, { ...submitted, refusal })
    else writer.send(ctx, 303, '', undefined, { location: after })
    return true
  }

  return async ctx => {
    try {
      if (ctx.method === 'POST' && !API_PATH.test(ctx.path) && isForm(ctx.req)) {
        await authorize(ctx, formGuard, formLimits, 'page')
        for (const part of parts) if (await posted(ctx, part)) return
      }
      const asked = (ctx.method === 'GET' || ctx.method === 'HEAD') && !API_PATH.test(ctx.path)
      if (asked) {
        await authorize(ctx, guard, noLimits, 'page')
        for (const part of parts) if (await inShareOf(ctx.caller, () => shown(ctx, part))) return
        if (ctx.path === '/') {
          return await pages.show(ctx, { name: 'home', title: product.name }, { data: {} })
        }
      }
      const address = ctx.path.includes('//') && !API_PATH.test(ctx.path) ? addressOf(ctx) : undefined
      if (address === undefined) throw unknownAddress()
      writer.send(ctx, 301, '', undefined, { location: address })
    } catch (error) {
      await pages.fail(ctx, error)
    }
  }
}
