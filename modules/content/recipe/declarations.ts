/** Turns the pages and redirects of a recipe into rows, one per translation, and reports errors. */
import {
  fingerprint,
  inEnglish,
  type LocalText,
  type Product,
  pickText,
  type RecipeDiagnostic,
  type RecipeView,
} from '@larder-dev/larder/kernel'
import { createReadBudget, FileReadError, readText, resolveInside, textError } from '@larder-dev/larder/kernel/internal'
import { pagePattern } from '../domain/paths.ts'
import { createsLoop, parseRedirect, type RedirectRule } from '../domain/redirect-rules.ts'
import { type ContentOptions, templatesOf } from '../options.ts'
import { MAX_BODY_LENGTH, type RenderedText } from '../records/page.ts'
import type { PageSection } from '../records/page-section.ts'
import { localesOfSections } from './page-sections.ts'
import type { RecipePage, Sections } from './sections.ts'

export interface DeclaredPage {
  readonly slug: string
  /** The slug under which the page was declared before. */
  readonly was?: string | undefined
  readonly locale: string
  readonly path: string
  readonly text: Omit<RenderedText, 'html'>
  readonly published: boolean
  readonly editable: boolean
  readonly sections?: readonly PageSection[]
  /** Fingerprint of all other fields but `was`. */
  readonly hash: string
}
export interface DeclarationContext {
  readonly folder: string
  readonly locales: Product['locales']
  readonly publicUrl: string
  readonly options: ContentOptions
}
export interface Declarations<T> {
  readonly declared: readonly T[]
  readonly faults: readonly RecipeDiagnostic[]
}

type Report = (
  field: readonly (string | number)[],
  message: string,
  hint?: string,
  more?: Pick<RecipeDiagnostic, 'ownFilesOnly'>,
) => undefined

/** Reads the files that bodies name. */
export function declarePages(pages: Sections['pages'], context: DeclarationContext): Declarations<DeclaredPage> {
  const faults: RecipeDiagnostic[] = []
  const taken = new Map<string, string>()
  const declared = Object.entries(pages).flatMap(([slug, page]) => {
    const report: Report = (field, message, hint, more) =>
      void faults.push({ path: ['pages', slug, ...field], message, ...(hint && { hint }), ...more })
    if (page.was !== undefined && Object.hasOwn(pages, page.was))
      report(['was'], `Page "${page.was}" is still declared`, 'Remove that page, or remove was')
    const pagesOfSlug = declareTranslations(slug, page, context, report)
    for (const { path, locale } of pagesOfSlug) {
      // Whatever its parameters are called, only one page matches.
      const matched = `${locale} ${path.replace(/:\w+/g, ':')}`
      const other = taken.get(matched)
      if (other) report(['path'], `'${path}' is already the path of page '${other}'`)
      taken.set(matched, slug)
    }
    return pagesOfSlug
  })
  return { declared, faults }
}

function declareTranslations(
  slug: string,
  page: RecipePage,
  context: DeclarationContext,
  report: Report,
): DeclaredPage[] {
  const { locales, options } = context
  const path = pagePattern(page.path ?? `/${slug}`)
  const { template = 'page', seo = {} } = page
  const templates = templatesOf(options)
  if (path === undefined)
    report(
      ['path'],
      `'${page.path}' can't be the path of a page`,
      'use a path like /about that is not below /v1 or /assets',
    )
  if (!templates.includes(template))
    report(
      ['template'],
      `unknown page template '${template}'`,
      `templates are ${templates.join(', ')}; list others in modules.content.templates`,
    )
  const bodies = bodiesOf(page.body ?? '', context.folder, report)
  const state = {
    published: page.status !== 'draft',
    editable: page.editable ?? options.editable,
    ...(page.sections && { sections: page.sections }),
  }
  const pageLocales = localesOf(page, locales, report)
  if (path === undefined) return []
  return pageLocales.map(locale => {
    const [title, body] = [page.title, bodies].map(text => pickText(text, locale, locales.default)) as [string, string]
    const fields = { slug, locale, path, text: { title, body, template, seo }, ...state }
    return { ...fields, was: page.was, hash: fingerprint(fields) }
  })
}

/** The locales of title, body and sections; the product's default if neither has any. */
function localesOf(
  { title, body, sections = [] }: RecipePage,
  { default: standard, available }: DeclarationContext['locales'],
  report: Report,
): string[] {
  const named = Object.entries({ title, body }).flatMap(([field, text]) =>
    typeof text === 'object' ? Object.keys(text).map(locale => ({ field, locale })) : [],
  )
  for (const { field, locale } of named)
    if (!available.includes(locale))
      report(
        [field, locale],
        `'${locale}' is not a language of this product`,
        `languages are ${available.join(', ')}`,
        {
          ownFilesOnly: true,
        },
      )
  const found = [...new Set([...named.map(({ locale }) => locale), ...localesOfSections(sections)])].filter(locale =>
    available.includes(locale),
  )
  return found.length > 0 ? found : [standard]
}

function bodiesOf(body: LocalText, folder: string, report: Report): LocalText {
  if (typeof body === 'string') return bodyOf(body, folder, report, ['body'])
  return Object.fromEntries(
    Object.entries(body).map(([locale, text]) => [locale, bodyOf(text, folder, report, ['body', locale])]),
  )
}

/** A line that begins with `./` or `../` names a file in the recipe's folder; any other text is Markdown. */
function bodyOf(text: string, folder: string, report: Report, field: readonly string[]): string {
  if (!/^\.{1,2}\/\S+$/.test(text)) return text
  try {
    const body = readText(resolveInside(folder, folder, text), createReadBudget())
    const unstorable = textError(body)
    if (unstorable !== undefined)
      report(field, `${text} ${inEnglish(unstorable)}`, 'Remove the character from the file')
    else if (body.length > MAX_BODY_LENGTH) report(field, `${text} has more than ${MAX_BODY_LENGTH} characters`)
    return body
  } catch (error) {
    if (!(error instanceof FileReadError)) throw error
    report(field, `${text}: ${error.message}`, error.hint)
    return ''
  }
}

export function declareRedirects(
  redirects: Sections['redirects'],
  { publicUrl, options }: DeclarationContext,
): Declarations<RedirectRule> {
  const faults: RecipeDiagnostic[] = []
  const declared: RedirectRule[] = []
  // The kernel reports a missing or invalid URL of the product.
  const ownOrigin = URL.canParse(publicUrl) ? new URL(publicUrl).origin : ''
  const rules = { ownOrigin, allowHosts: options.redirects.allowHosts }
  for (const [index, redirect] of redirects.entries()) {
    const report = (field: string, message: string) => faults.push({ path: ['redirects', index, field], message })
    const parsed = parseRedirect(redirect, rules)
    if ('error' in parsed) {
      const { field, detail } = parsed.error
      report(field, `'${redirect[field] ?? ''}' ${inEnglish(detail)}`)
    } else if (declared.some(({ from }) => from === parsed.rule.from))
      report('from', `'${redirect.from}' already has a redirect`)
    else if (createsLoop(parsed.rule, declared)) report('to', `'${redirect.from}' creates a loop`)
    else declared.push(parsed.rule)
  }
  return { declared, faults }
}

/** Throws for a fault: a file may be missing that existed when the recipe was checked. */
function withoutFaults<T>({ declared, faults }: Declarations<T>): readonly T[] {
  const fault = faults.find(({ ownFilesOnly }) => !ownFilesOnly)
  if (fault) throw new Error(`${fault.path.join('.')}: ${fault.message}`)
  return declared
}

const contextOf = (options: ContentOptions, { folder, product }: RecipeView<Sections>): DeclarationContext => ({
  folder,
  locales: product.locales,
  publicUrl: product.publicUrl,
  options,
})

export const pagesOf = (options: ContentOptions, recipe: RecipeView<Sections>): readonly DeclaredPage[] =>
  withoutFaults(declarePages(recipe.sections.pages ?? {}, contextOf(options, recipe)))

export const redirectsOf = (options: ContentOptions, recipe: RecipeView<Sections>): readonly RedirectRule[] =>
  withoutFaults(declareRedirects(recipe.sections.redirects ?? [], contextOf(options, recipe)))

export const declareContent = (options: ContentOptions, recipe: RecipeView<Sections>) => ({
  pages: pagesOf(options, recipe),
  menus: recipe.sections.navigation ?? {},
  redirects: redirectsOf(options, recipe),
})
