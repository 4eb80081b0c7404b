/** Pages: loaded like a route, shown by the theme. */

import { randomBytes } from 'node:crypto'
import {
  type AnyPage,
  checkText,
  common,
  type Frame,
  type Guard,
  guardOf,
  KIB,
  type PageInput,
  type PageResult,
  type Product,
  withContext,
} from 'larder/kernel'
import { placesOf } from '../templates/engine.ts'
import type { Gate } from './authorizer.ts'
import { readForm } from './body.ts'
import { passesForm, type Site } from './csrf.ts'
import { pagePolicy } from './headers.ts'
import { templatePage } from './html.ts'
import { type Frames, merged, visitOf } from './layout-data.ts'
import { askedLocale, localeCookie, readerLocale } from './locale.ts'
import type { Params, Serve } from './pipeline.ts'
import { singleValues } from './query.ts'
import type { Limits, RouteLimits } from './rate-limiter.ts'
import type { Exchange } from './request-context.ts'
import type { Answers, HeaderMap } from './response-writer.ts'
import type { PageContext, PageTheme, ShownPage } from './types.ts'

const FORM_LIMIT = 64 * KIB
const SIGN_IN = '/sign-in'

export interface Pages {
  serve(page: AnyPage, templates: URL | undefined, method: 'GET' | 'POST'): Serve
  /** Fills the page's template and sends it. */
  show(x: Exchange, page: Shown, filled: Filled): Promise<void>
  /** The same without sending it: what strangers see, with the frames that its layout was given. */
  render(x: Exchange, page: Shown, filled: Filled, frames: readonly Frame[]): Rendered
  /** As a page for a browser that asked for one, as a problem document for everybody else. */
  fail(x: Exchange, error: unknown): Promise<void>
}

type Filled = Extract<PageResult, { data: unknown }>
/** `locale` and `path` are of what is shown, where they are not the reader's. */
type Shown = ShownPage & { readonly locale?: string; readonly path?: string }
export interface Rendered {
  readonly html: string
  readonly headers: HeaderMap
}

export interface PagesDeps {
  readonly gate: Gate
  readonly answers: Answers
  readonly limits: Limits
  readonly theme: PageTheme
  readonly product: Product
  readonly site: Site
  readonly frames: Frames
  readonly hasSignIn: () => boolean
}

export const HTML = 'text/html; charset=utf-8'

export function createPages(deps: PagesDeps): Pages {
  const { gate, answers, limits, theme, product, site, frames, hasSignIn } = deps

  const contextOf = (x: Exchange, given: readonly Frame[]): PageContext => ({
    locale: readerLocale(x, product.locales),
    path: x.path,
    search: x.method === 'POST' ? '' : x.search,
    nonce: newNonce(),
    site: merged(given),
    ...(x.caller && { caller: { userId: x.caller.userId } }),
  })

  async function fail(x: Exchange, error: unknown): Promise<void> {
    if (!wantsPage(x)) return answers.fail(x, error)
    const problem = answers.problem(x, error)
    if (problem.status === 401 && x.method !== 'POST' && hasSignIn()) return toSignIn(answers, x)
    const places = product.production ? undefined : placesOf(error)
    if (places) return sendPage(answers, x, problem.status, templatePage(places, newNonce(), theme.live))
    try {
      // What is broken may be what the frames ask, too.
      const context = contextOf(x, problem.status < 500 ? await frames(visitOf(x, product)) : [])
      const html = theme.problemPage(answers.document(x, problem), context)
      sendPage(answers, x, problem.status, { html, headers: { ...policy(context.nonce), ...problem.headers } })
    } catch (broken) {
      answers.fail(x, broken)
    }
  }

  async function inputOf(x: Exchange, guard: Guard, counted: RouteLimits, params: Params): Promise<PageInput> {
    const { caller, tenantId } = await gate(x, guard, counted, 'page')
    const query = singleValues(x.search)
    checkText(params, 'params')
    checkText(query, 'query')
    const locale = readerLocale(x, product.locales)
    return { params, query, caller, tenantId, locale, request: x } as PageInput
  }

  function render(x: Exchange, page: Shown, { data, headers, origins }: Filled, given: readonly Frame[]): Rendered {
    const asked = contextOf(x, given)
    const { locale = asked.locale, path = asked.path } = page
    const context = { ...asked, locale, path, ...(page.path !== undefined && { search: '' }) }
    return { html: theme.render(page, data, context), headers: { ...policy(context.nonce, origins), ...headers } }
  }

  async function show(x: Exchange, page: Shown, filled: Filled): Promise<void> {
    const made = render(x, page, filled, await frames(visitOf(x, product)))
    sendPage(answers, x, filled.status ?? 200, { ...made, headers: withChoice(x, product, made.headers) })
  }

  return {
    fail,
    show,
    render,
    serve(page, templates, method) {
      // Pages are for people: a key must not do by a form what its route refuses it.
      const guard = guardOf(page.allow, false)
      const counted = limits.of(method === 'POST' ? page.limits : undefined)
      return async (x, params) => {
        try {
          if (method === 'POST' && !passesForm(site, x.req.headers)) throw common.cross_site()
          const input = await inputOf(x, guard, counted, params)
          const result = method === 'GET' ? await page.load(input as never) : await post(x, page, counted, input)
          if ('redirect' in result)
            answers.send(x, 303, '', undefined, { ...result.headers, location: result.redirect })
          else
            await show(
              x,
              { name: page.name, title: result.title ?? page.title, ...(templates && { templates }) },
              result,
            )
        } catch (error) {
          await fail(x, error)
        }
      }
    },
  }
}

const newNonce = (): string => randomBytes(16).toString('base64')
const policy = (nonce: string, origins: readonly string[] = []): HeaderMap => ({
  'content-security-policy': pagePolicy(nonce, origins),
})

/** A language that the address asks for is remembered. */
export function withChoice(x: Exchange, { locales, publicUrl }: Product, headers: HeaderMap): HeaderMap {
  const chosen = askedLocale(x, locales)
  if (chosen === undefined) return headers
  const others = headers['set-cookie'] ?? []
  const choice = localeCookie(chosen, publicUrl.startsWith('https:'))
  return { ...headers, 'set-cookie': [...(typeof others === 'string' ? [others] : others), choice] }
}

async function post(x: Exchange, page: AnyPage, counted: RouteLimits, input: PageInput): Promise<PageResult> {
  if (!page.post) throw common.method_not_allowed({ method: 'POST', allowed: 'GET' })
  const form = await readForm(x.req, FORM_LIMIT)
  checkText(form, 'body')
  for (const consume of counted.body) await consume(x, form, input.params)
  const { caller } = x
  const actor = caller && { actor: { kind: caller.kind, id: caller.principalId } }
  return withContext(
    { correlationId: x.id, ...actor },
    async () => page.post?.({ ...input, form } as never) as Promise<PageResult>,
  )
}

const wantsPage = (x: Exchange): boolean =>
  (x.req.headers.accept ?? '').includes('text/html') && !x.path.startsWith('/v1/')

function toSignIn(answers: Answers, x: Exchange): void {
  const next = encodeURIComponent(x.search === '' ? x.path : `${x.path}?${x.search}`)
  answers.send(x, 303, '', undefined, { location: `${SIGN_IN}?next=${next}` })
}

function sendPage(answers: Answers, x: Exchange, status: number, { html, headers }: Rendered): void {
  answers.send(x, status, HTML, html, headers)
}
