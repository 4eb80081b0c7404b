/** Pages: loaded like a route, shown by the theme. */
import { randomBytes } from 'node:crypto'
import { withContext } from '../context.ts'
import type { Product } from '../ports.ts'
import { common } from '../problem.ts'
import type { AnyPage, PageInput, PageResult } from '../route.ts'
import { KIB } from '../units.ts'
import { type Guard, guardOf } from './allow.ts'
import type { Answers } from './answers.ts'
import { readForm } from './body.ts'
import { passesForm, type Site } from './csrf.ts'
import type { Exchange } from './exchange.ts'
import type { Gate } from './gate.ts'
import { pagePolicy } from './headers.ts'
import type { Limits, RouteLimits } from './limits.ts'
import { localeOf } from './locale.ts'
import type { Params, Serve } from './pipeline.ts'
import { singleValues } from './query.ts'
import type { PageContext, PageTheme, ShownPage } from './types.ts'
import { checkText } from './validate.ts'

const FORM_LIMIT = 64 * KIB
const SIGN_IN = '/sign-in'

export interface Pages {
  serve(page: AnyPage, templates: URL | undefined, method: 'GET' | 'POST'): Serve
  /** Fills the page's template; `locale` is of what is shown, where it is not the reader's. */
  show(x: Exchange, page: ShownPage & { readonly locale?: string }, filled: Filled): void
  /** As a page for a browser that asked for one, as a problem document for everybody else. */
  fail(x: Exchange, error: unknown): void
}

type Filled = Extract<PageResult, { data: unknown }>

export interface PagesDeps {
  readonly gate: Gate
  readonly answers: Answers
  readonly limits: Limits
  readonly theme: PageTheme
  readonly product: Product
  readonly site: Site
  readonly hasSignIn: () => boolean
}

export function createPages({ gate, answers, limits, theme, product, site, hasSignIn }: PagesDeps): Pages {
  const contextOf = (x: Exchange): PageContext => ({
    locale: localeOf(x.req.headers['accept-language'], product.locales),
    path: x.path,
    nonce: randomBytes(16).toString('base64'),
    ...(x.caller && { caller: { userId: x.caller.userId } }),
  })

  function fail(x: Exchange, error: unknown): void {
    if (!wantsPage(x)) {
      answers.fail(x, error)
      return
    }
    const problem = answers.problem(x, error)
    if (problem.status === 401 && x.method !== 'POST' && hasSignIn()) {
      toSignIn(answers, x)
      return
    }
    const context = contextOf(x)
    try {
      const html = theme.problemPage(answers.document(x, problem), context)
      sendPage(answers, x, problem.status, html, context.nonce, problem.headers)
    } catch (broken) {
      answers.fail(x, broken)
    }
  }

  async function inputOf(x: Exchange, guard: Guard, counted: RouteLimits, params: Params): Promise<PageInput> {
    const { caller, tenantId } = await gate(x, guard, counted, 'page')
    const query = singleValues(x.search)
    checkText(params, 'params')
    checkText(query, 'query')
    const { locale } = contextOf(x)
    return { params, query, caller, tenantId, locale, request: x } as PageInput
  }

  function show(x: Exchange, page: ShownPage & { readonly locale?: string }, { data, status, headers }: Filled): void {
    const context = contextOf(x)
    const html = theme.render(page, data, { ...context, locale: page.locale ?? context.locale })
    sendPage(answers, x, status ?? 200, html, context.nonce, headers)
  }

  return {
    fail,
    show,
    serve(page, templates, method) {
      const guard = guardOf(page.allow)
      const counted = limits.of(method === 'POST' ? page.limits : undefined)
      return async (x, params) => {
        try {
          if (method === 'POST' && !passesForm(site, x.req.headers)) throw common.cross_site()
          const input = await inputOf(x, guard, counted, params)
          const result = method === 'GET' ? await page.load(input as never) : await post(x, page, counted, input)
          if ('redirect' in result)
            answers.send(x, 303, '', undefined, { ...result.headers, location: result.redirect })
          else show(x, { name: page.name, title: page.title, ...(templates && { templates }) }, result)
        } catch (error) {
          fail(x, error)
        }
      }
    },
  }
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

function sendPage(
  answers: Answers,
  x: Exchange,
  status: number,
  html: string,
  nonce: string,
  headers: PageResult['headers'],
): void {
  answers.send(x, status, 'text/html; charset=utf-8', html, {
    'content-security-policy': pagePolicy(nonce),
    ...headers,
  })
}
