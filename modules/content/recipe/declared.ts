/** What a recipe says of pages and redirects, each translation a page, with everything that is wrong in it. */
import {
  fingerprint,
  newBudget,
  type Product,
  type RecipeFault,
  readText,
  resolveInside,
  Unreadable,
} from 'larder/kernel'
import { type LocalText, pickText } from '../domain/locales.ts'
import { pagePath } from '../domain/paths.ts'
import { createsLoop, type RedirectRule } from '../domain/redirect-rules.ts'
import { type ContentOptions, templatesOf } from '../options.ts'
import { validateRedirect } from '../services/redirect-service.ts'
import type { PageText } from '../services/version-service.ts'
import type { RecipePage, Sections } from './sections.ts'

export interface DeclaredPage {
  readonly slug: string
  readonly locale: string
  readonly path: string
  readonly text: PageText
  readonly published: boolean
  readonly editable: boolean
  /** Of all this. */
  readonly hash: string
}
export interface DeclarationContext {
  readonly folder: string
  readonly locales: Product['locales']
  readonly publicUrl: string
  readonly options: ContentOptions
}
export interface Declarations<T> {
  readonly planned: readonly T[]
  readonly faults: readonly RecipeFault[]
}

type Report = (field: readonly (string | number)[], message: string, hint?: string) => undefined

/** Reads the files that bodies name. */
export function declarePages(pages: Sections['pages'], ground: DeclarationContext): Declarations<DeclaredPage> {
  const faults: RecipeFault[] = []
  const taken = new Map<string, string>()
  const planned = Object.entries(pages).flatMap(([slug, page]) => {
    const say: Report = (field, message, hint) =>
      void faults.push({ path: ['pages', slug, ...field], message, ...(hint && { hint }) })
    const made = translations(slug, page, ground, say)
    for (const { path, locale } of made) {
      const other = taken.get(`${locale} ${path}`)
      if (other) say(['path'], `'${path}' is the path of the page '${other}' already`)
      taken.set(`${locale} ${path}`, slug)
    }
    return made
  })
  return { planned, faults }
}

function translations(slug: string, page: RecipePage, ground: DeclarationContext, say: Report): DeclaredPage[] {
  const { locales, options } = ground
  const path = pagePath(page.path ?? `/${slug}`)
  const { template = 'page', seo = {} } = page
  const known = templatesOf(options)
  if (path === undefined)
    say(['path'], `'${page.path}' cannot be the path of a page`, 'write a path like /about, not below /v1 or /assets')
  if (!known.includes(template))
    say(
      ['template'],
      `there is no page template '${template}'`,
      `templates are ${known.join(', ')}; name more in modules.content.templates`,
    )
  const bodies = bodiesOf(page.body ?? '', ground.folder, say)
  const state = { published: page.status !== 'draft', editable: page.editable ?? options.editable }
  const named = localesOf(page, locales, say)
  if (path === undefined) return []
  return named.map(locale => {
    const [title, body] = [page.title, bodies].map(text => pickText(text, locale, locales.default)) as [string, string]
    const made = { slug, locale, path, text: { title, body, template, seo }, ...state }
    return { ...made, hash: fingerprint(made) }
  })
}

/** Every language that title or body is written in; the product's own where neither says one. */
function localesOf(
  { title, body }: RecipePage,
  { default: standard, available }: DeclarationContext['locales'],
  say: Report,
): string[] {
  const named = Object.entries({ title, body }).flatMap(([field, text]) =>
    typeof text === 'object' ? Object.keys(text).map(locale => ({ field, locale })) : [],
  )
  for (const { field, locale } of named)
    if (!available.includes(locale))
      say(
        [field, locale],
        `'${locale}' is not among the languages of this product`,
        `languages are ${available.join(', ')}`,
      )
  const found = [...new Set(named.map(({ locale }) => locale))].filter(locale => available.includes(locale))
  return found.length > 0 ? found : [standard]
}

function bodiesOf(body: LocalText, folder: string, say: Report): LocalText {
  if (typeof body === 'string') return bodyOf(body, folder, say, ['body'])
  return Object.fromEntries(
    Object.entries(body).map(([locale, text]) => [locale, bodyOf(text, folder, say, ['body', locale])]),
  )
}

/** A line that begins with `./` or `../` names a file of the recipe's folder; anything else is Markdown itself. */
function bodyOf(text: string, folder: string, say: Report, place: readonly string[]): string {
  if (!/^\.{1,2}\/\S+$/.test(text)) return text
  try {
    return readText(resolveInside(folder, folder, text), newBudget())
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    say(place, `${text}: ${error.message}`, error.hint)
    return ''
  }
}

export function declareRedirects(redirects: Sections['redirects'], { publicUrl, options }: DeclarationContext): Declarations<RedirectRule> {
  const faults: RecipeFault[] = []
  const planned: RedirectRule[] = []
  const places = { own: new URL(publicUrl).origin, allowHosts: options.redirects.allowHosts }
  for (const [index, redirect] of redirects.entries()) {
    const say = (field: string, message: string) => faults.push({ path: ['redirects', index, field], message })
    const found = validateRedirect(redirect, places)
    if ('fault' in found) {
      const [field, , detail] = found.fault
      say(field, `'${redirect[field] ?? ''}' ${detail}`)
    } else if (planned.some(({ from }) => from === found.rule.from))
      say('from', `'${redirect.from}' has a redirect already`)
    else if (createsLoop(found.rule, planned)) say('to', `'${redirect.from}' leads round in a circle`)
    else planned.push(found.rule)
  }
  return { planned, faults }
}
