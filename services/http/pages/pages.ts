/** Pages: authorized like routes, rendered by the theme. */

import { randomBytes } from 'node:crypto'
import {
  type AnyPage,
  checkText,
  common,
  type Guard,
  guardOf,
  KIB,
  type LayoutData,
  MIB,
  milliseconds,
  type PageInput,
  type PageResult,
  Problem,
  type Product,
  together,
  withContext,
} from '@larder-dev/larder/kernel/internal'
import { isRecent, reauthenticationRequired } from '../access/authorization-decision.ts'
import type { Authorizer } from '../access/authorizer.ts'
import { isSameOriginForm, type Site } from '../access/csrf.ts'
import type { Limits, RouteLimits } from '../access/rate-limiter.ts'
import { readForm } from '../api/body.ts'
import type { Serve } from '../api/pipeline.ts'
import { singleValues } from '../api/query.ts'
import type { Params } from '../api/request-reader.ts'
import { sendRendered } from '../documents/encoded-response.ts'
import { pagePolicy } from '../headers.ts'
import { localeCookie, requestedLocale, resolveLocale } from '../locale.ts'
import { changeContext, inShareOf, type RequestContext } from '../request-context.ts'
import type { HeaderMap, ResponseWriter } from '../response-writer.ts'
import type { PageContext, ThemePage } from '../theme.ts'
import type { HttpOptions } from '../types.ts'
import { templatePage } from './html.ts'
import { type LayoutDataLoader, mergeLayoutData, visitOf } from './layout-data.ts'
import { linkedTenant, redirectIntoTenant } from './workspace-link.ts'

const MAX_FORM_BYTES = 64 * KIB

export interface Pages {
  serve(page: AnyPage, templates: URL | undefined, method: 'GET' | 'POST'): Serve
  /** Renders the page and sends it. */
  show(ctx: RequestContext, page: Shown, filled: Filled): Promise<void>
  /** Renders the page with the given layout data, without sending it. */
  render(
    ctx: RequestContext,
    page: Shown,
    filled: Filled,
    layoutData: readonly LayoutData[],
  ): Promise<Rendered & { readonly nonce: string }>
  /** Sends an error: an HTML page to browsers, a problem document to other clients. */
  fail(ctx: RequestContext, error: unknown): Promise<void>
}

type Filled = Extract<PageResult, { data: unknown }>
/** `locale` and `path` describe the content, if they differ from the reader's. */
/** Rendering adds the texts that are missing. */
type Context = PageContext & Required<Pick<PageContext, 'markdown'>>
type Shown = ThemePage & { readonly locale?: string; readonly path?: string }
export interface Rendered {
  readonly html: string
  readonly headers: HeaderMap
}

export interface PagesDeps
  extends Pick<HttpOptions, 'theme' | 'product' | 'clock' | 'renderMarkdown' | 'authenticator'> {
  readonly authorize: Authorizer
  readonly writer: ResponseWriter
  readonly limits: Limits
  readonly site: Site
  readonly layoutData: LayoutDataLoader
  /** Path of the sign-in page; undefined if this recipe has none. */
  readonly signInPath: () => string | undefined
  /** Path of the page on which a signed-in person proves who they are. */
  readonly reauthenticationPath: () => string | undefined
}

export const HTML = 'text/html; charset=utf-8'
/** Texts of public pages are rendered in the name of one tenant, which no real one has. */
const PUBLIC_PAGES = 'public'
/** Characters of HTML on one page. Further texts are shown as they were written. */
const MAX_MARKDOWN_LENGTH = MIB
/** A text that is too costly to render. */
const asWritten = (error: unknown): undefined => {
  if (!Problem.is(error)) throw error
}

export function createPages(deps: PagesDeps): Pages {
  const {
    authorize,
    writer,
    limits,
    theme,
    product,
    site,
    layoutData,
    signInPath,
    reauthenticationPath,
    renderMarkdown,
    clock,
    authenticator,
  } = deps

  const secure = product.publicUrl.startsWith('https:')

  const contextOf = (ctx: RequestContext, given: readonly LayoutData[]): Context => ({
    locale: resolveLocale(ctx, product.locales),
    path: ctx.path,
    search: ctx.method === 'POST' ? '' : ctx.search,
    nonce: newNonce(),
    markdown: new Map(),
    site: mergeLayoutData(given),
    ...(ctx.caller && { caller: { userId: ctx.caller.userId } }),
  })

  async function fail(ctx: RequestContext, error: unknown): Promise<void> {
    if (!wantsPage(ctx)) return writer.fail(ctx, error)
    const problem = writer.problem(ctx, error)
    if (problem.status === 401 && ctx.method !== 'POST') {
      const path = signInPath()
      if (path !== undefined) return redirectWithNext(writer, ctx, path)
    }
    if (problem.code === common.reauthentication_required.code) {
      const path = reauthenticationPath()
      // The page that asks gets the form, too, and leads back with it: nobody types it twice.
      if (path !== undefined) return redirectWithNext(writer, ctx, path, ctx.method === 'POST' ? 307 : 303)
    }
    const places = product.production ? undefined : theme.errorPlaces(error)
    if (places) return await sendPage(writer, ctx, problem.status, templatePage(places, newNonce(), theme.live))
    try {
      // Loading layout data may be what failed.
      const context = contextOf(ctx, problem.status < 500 ? await layoutData(visitOf(ctx, product)) : [])
      const html = theme.problemPage(writer.document(ctx, problem, context.locale), context)
      await sendPage(writer, ctx, problem.status, {
        html,
        headers: { ...policy(context.nonce), ...problem.headers },
      })
    } catch (broken) {
      writer.fail(ctx, broken)
    }
  }

  async function inputOf(
    ctx: RequestContext,
    guard: Guard,
    counted: RouteLimits,
    params: Params,
    recentAuth: number | undefined,
  ): Promise<PageInput> {
    const { caller, tenantId } = await authorize(ctx, guard, counted, 'page', { recentAuth })
    const query = singleValues(ctx.search)
    checkText(params, 'params')
    checkText(query, 'query')
    const locale = resolveLocale(ctx, product.locales)
    return { params, query, caller, tenantId, locale, request: ctx } as PageInput
  }

  /** Renders the page once more if its template has inserted Markdown that only a module can render. */
  async function renderWithMarkdown(
    tenantId: string | null | undefined,
    page: Shown,
    data: Filled['data'],
    context: Context,
  ): Promise<string> {
    const html = theme.render(page, data, context)
    const texts = [...context.markdown.keys()]
    if (texts.length === 0 || !renderMarkdown) return html
    let length = 0
    for (const text of texts) {
      if (length > MAX_MARKDOWN_LENGTH) break
      const rendered = await renderMarkdown(tenantId ?? PUBLIC_PAGES, text).catch(asWritten)
      context.markdown.set(text, rendered)
      length += rendered?.length ?? 0
    }
    return theme.render(page, data, context)
  }

  async function render(
    ctx: RequestContext,
    page: Shown,
    { data, headers, ...framing }: Filled,
    given: readonly LayoutData[],
  ): Promise<Rendered & { readonly nonce: string }> {
    const asked = contextOf(ctx, given)
    const { locale = asked.locale, path = asked.path } = page
    const context = { ...asked, locale, path, ...(page.path !== undefined && { search: '' }) }
    const { nonce } = context
    const html = await renderWithMarkdown(ctx.caller?.tenantId, page, data, context)
    return { html, nonce, headers: { ...policy(nonce, framing), ...headers } }
  }

  async function show(ctx: RequestContext, page: Shown, filled: Filled, given?: readonly LayoutData[]): Promise<void> {
    const made = await render(ctx, page, filled, given ?? (await layoutData(visitOf(ctx, product, page.locale))))
    await sendPage(writer, ctx, filled.status ?? 200, {
      ...made,
      headers: withLocaleCookie(ctx, product, made.headers),
    })
  }

  return {
    fail,
    show,
    render,
    serve(page, templates, method) {
      // API keys can't use pages: a form must not allow what the route refuses.
      const guard = guardOf(page.allow, false)
      const counted = limits.of(method === 'POST' ? page.limits : undefined)
      const recent = recentAuthOf(page)
      return async (ctx, params) => {
        try {
          if (method === 'POST' && !isSameOriginForm(site, ctx.req.headers)) throw common.cross_site()
          const input = await inputOf(ctx, guard, counted, params, recent?.forms ? undefined : recent?.within)
          if (linkedTenant(ctx) !== undefined && input.caller && input.tenantId !== undefined) {
            await authenticator?.keepTenant?.(input.caller, input.tenantId)
            return writer.send(ctx, 303, '', undefined, redirectIntoTenant(ctx, input.tenantId, secure))
          }
          // The statements of both share a round trip. A form can change what the layout shows.
          const { result, given } =
            method === 'GET'
              ? await inShareOf(input.caller, () =>
                  together({
                    result: page.load(input as never),
                    given: layoutData(visitOf(ctx, product)),
                  }),
                )
              : {
                  result: await post(ctx, page, counted, input, { recent, now: clock.now() }),
                  given: undefined,
                }
          if ('redirect' in result)
            writer.send(ctx, 303, '', undefined, { ...result.headers, location: result.redirect })
          else
            await show(
              ctx,
              { name: page.name, title: result.title ?? page.title, ...(templates && { templates }) },
              result,
              given,
            )
        } catch (error) {
          await fail(ctx, error)
        }
      }
    },
  }
}

const newNonce = (): string => randomBytes(16).toString('base64')
const policy = (nonce: string, framing: Pick<Filled, 'origins' | 'frameAncestors'> = {}): HeaderMap => ({
  'content-security-policy': pagePolicy(nonce, framing),
})

/** Stores the language that the query selects. */
export function withLocaleCookie(ctx: RequestContext, { locales, publicUrl }: Product, headers: HeaderMap): HeaderMap {
  const chosen = requestedLocale(ctx, locales)
  if (chosen === undefined) return headers
  const others = headers['set-cookie'] ?? []
  const choice = localeCookie(chosen, publicUrl.startsWith('https:'))
  return { ...headers, 'set-cookie': [...(typeof others === 'string' ? [others] : others), choice] }
}

interface RecentAuth {
  /** Milliseconds. */
  readonly within: number
  /** Undefined: for the whole page. */
  readonly forms?: (form: Readonly<Record<string, string>>) => boolean
}
function recentAuthOf({ recentAuth }: AnyPage): RecentAuth | undefined {
  if (recentAuth === undefined) return undefined
  if (typeof recentAuth === 'string') return { within: milliseconds(recentAuth) }
  return { within: milliseconds(recentAuth.within), forms: recentAuth.forms }
}

async function post(
  ctx: RequestContext,
  page: AnyPage,
  counted: RouteLimits,
  input: PageInput,
  { recent, now }: { readonly recent: RecentAuth | undefined; readonly now: number },
): Promise<PageResult> {
  if (!page.post) throw common.method_not_allowed({ method: 'POST', allowed: 'GET' })
  const form = await readForm(ctx.req, page.formLimit ?? MAX_FORM_BYTES)
  checkText(form, 'body')
  for (const consume of counted.body) await consume(ctx, form, input.params)
  const { caller } = ctx
  if (recent?.forms?.(form) && !isRecent(caller, recent.within, now)) throw reauthenticationRequired(recent.within)
  return withContext(
    changeContext(ctx, caller),
    async () => page.post?.({ ...input, form } as never) as Promise<PageResult>,
  )
}

const wantsPage = (ctx: RequestContext): boolean =>
  (ctx.req.headers.accept ?? '').includes('text/html') && !ctx.path.startsWith('/v1/')

function redirectWithNext(writer: ResponseWriter, ctx: RequestContext, path: string, status = 303): void {
  const next = encodeURIComponent(ctx.search === '' ? ctx.path : `${ctx.path}?${ctx.search}`)
  writer.send(ctx, status, '', undefined, { location: `${path}?next=${next}` })
}

const sendPage = (writer: ResponseWriter, ctx: RequestContext, status: number, { html, headers }: Rendered) =>
  sendRendered(writer, ctx, { status, type: HTML, text: html, headers })
