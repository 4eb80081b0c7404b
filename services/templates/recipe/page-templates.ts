/** Compiles the page templates of a recipe, and checks the queries in their front matter. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type {
  DataShape,
  DeclaredModule,
  PageDataCheck,
  RecipeDiagnostic,
  SiteTemplates,
} from '@larder-dev/larder/kernel/internal'
import { type CompiledTheme, compileTheme, THEME_PAGES } from '../assemble.ts'
import { problemsOf, type TemplateProblem } from '../engine.ts'
import { findPage, type PageFile, readPage } from '../page-file.ts'
import { isShipped, THEMES } from '../shipped.ts'
import { themeChain } from '../theme-file.ts'
import { pageNameProblems } from './page-names.ts'
import { isFolder, logoFiles, themeFolder, type ValidatedTemplates } from './references.ts'

/** Names that every page has. */
const COMMON_NAMES = ['product', 'page', 'site']

interface Page {
  readonly name: string
  readonly templates?: URL
  /** The data of a page of a site; undefined for a page of a module, whose data is not declared. */
  readonly data?: readonly string[]
}

/** Shipped themes and templates are not compiled here: it takes most of the time of a start, and they are tested. */
export function pageTemplateFaults(recipe: ValidatedTemplates): RecipeDiagnostic[] {
  if (!['locales', 'theme'].every(name => recipe.isEntirelyValid([name])) || !recipe.isValid(['modules'])) return []
  const folder = themeFolder(recipe)
  if (!isFolder(folder)) return []
  const { folders } = themeChain(folder)
  const pages = [...sitePages(recipe), ...modulePages(recipe)]
  const files = pages.flatMap(page =>
    recipe.locales.available.map(locale => ({ page, file: findPage(folders, page, locale) })),
  )
  const missing = [...new Set(files.filter(({ file }) => !existsSync(file)).map(({ page }) => page))]
  if (missing.length > 0) return missing.map(page => missingPage(page, folders))
  const own = [...new Map(files.filter(({ file }) => !isShipped(file)).map(each => [each.file, each])).values()]
  if (own.length === 0 && folder.startsWith(THEMES)) return []
  const compiled = attempt(() => compile(recipe, folder))
  if ('faults' in compiled) return compiled.faults
  const theme = compiled.value
  const known = new Set(own.map(({ file }) => file))
  return [
    ...own.flatMap(({ page, file }) => pageFaults(recipe, theme, file, page)),
    // Replaced pages of shipped modules.
    ...folders
      .filter(each => !each.startsWith(THEMES))
      .flatMap(each => filesIn(join(each, 'pages')))
      .filter(file => !known.has(file))
      .flatMap(file => pageFaults(recipe, theme, file, { name: basename(file).replace(/\.hbs$/, '') })),
  ]
}

function missingPage({ name }: Page, [folder = '']: readonly string[]): RecipeDiagnostic {
  const file = folder.startsWith(THEMES) ? `pages/${name}.hbs` : join(folder, 'pages', `${name}.hbs`)
  return {
    code: 'invalid_template',
    path: ['modules', name.split('.')[0] as string, 'templates'],
    message: `There is no page template "${name}"`,
    hint: `Create ${file}${folder.startsWith(THEMES) ? ' in a theme of your own' : ''}`,
  }
}

/** Translations are left out: a missing one shows the text itself. */
function compile(recipe: ValidatedTemplates, folder: string): CompiledTheme {
  const tokens = recipe.sections.theme?.tokens ?? {}
  const theme = compileTheme(folder, { locales: recipe.locales }, tokens, logoFiles(recipe), [])
  for (const name of THEME_PAGES) theme.page({ name }, recipe.locales.default)
  return theme
}

function pageFaults(recipe: ValidatedTemplates, theme: CompiledTheme, file: string, page: Page): RecipeDiagnostic[] {
  const compiled = attempt(() => theme.compilePage(file, page.name))
  if ('faults' in compiled) return compiled.faults
  return page.data ? dataFaults(recipe, readPage(file), page.data) : []
}

function attempt<T>(work: () => T): { readonly value: T } | { readonly faults: RecipeDiagnostic[] } {
  try {
    return { value: work() }
  } catch (error) {
    const problems = problemsOf(error)
    if (!problems) throw error
    return { faults: problems.map(toFault) }
  }
}

/** Mistakes in queries, and names that neither the queries nor the page provide. */
function dataFaults(recipe: ValidatedTemplates, page: PageFile, data: readonly string[]): RecipeDiagnostic[] {
  const { complete } = recipe
  const check = recipe.pageData()
  const results = Object.entries(page.queries).map(([name, query]) => ({
    name,
    ...(check?.query(query) ?? NO_QUERIES),
  }))
  const shapes = Object.fromEntries(results.map(({ name, shape }) => [name, shape] as const))
  const forms = Object.entries(page.forms).map(([name, form]) => {
    const mistakes = check?.form(form, shapes, { isEmbedded: page.embed.length > 0 }) ?? NO_QUERIES.mistakes
    return { name, mistakes: NAME.test(name) ? mistakes : [NAME_RULE, ...mistakes] }
  })
  const formNames = Object.fromEntries(forms.map(({ name }) => [name, undefined]))
  const own = forms.length > 0 ? { forms: { keys: formNames, of: 'the forms of this template' } } : {}
  const taken = Object.keys(own).filter(name => Object.hasOwn(shapes, name))
  const reported = { data: [...results, ...taken.map(name => ({ name, mistakes: [TAKEN] }))], forms }
  const mistakes = Object.entries(complete ? reported : {}).flatMap(([key, requests]) =>
    requests.flatMap(({ name, mistakes }) =>
      mistakes.map(message => ({ file: page.file, ...page.placeOf(key, name), message: `${key}.${name}: ${message}` })),
    ),
  )
  const names: Record<string, DataShape> = {
    ...Object.fromEntries([...COMMON_NAMES, ...data].map(name => [name, undefined])),
    ...shapes,
    ...own,
  }
  const sources = [page, ...(page.title ? [page.title] : [])]
  return [...mistakes, ...(complete ? sources.flatMap(source => pageNameProblems(source, names)) : [])].map(toFault)
}

const NAME = /^[A-Za-z][A-Za-z0-9_]{0,31}$/
const NAME_RULE = 'the name of a form has letters, digits and _, and begins with a letter'
const TAKEN = 'the name forms is that of the forms of the template'

const NO_QUERIES: ReturnType<PageDataCheck['query']> = {
  mistakes: ['This recipe has no module collections. Add collections: {} to modules'],
  shape: undefined,
}

function sitePages(recipe: ValidatedTemplates): Page[] {
  return recipe.modules.flatMap(entry => {
    if (!entry.module.siteTemplates || !recipe.isEntirelyValid(['modules', entry.key])) return []
    const { names, data }: SiteTemplates = entry.module.siteTemplates(optionsOf(recipe, entry) as never)
    return names.map(name => ({ name, data, ...(entry.module.templates && { templates: entry.module.templates }) }))
  })
}

function optionsOf(recipe: ValidatedTemplates, { key, source }: DeclaredModule): unknown {
  const modules = recipe.section('modules') as Readonly<Record<string, { readonly options?: unknown } | undefined>>
  const options = source === 'larder' ? modules[key] : modules[key]?.options
  return options ?? {}
}

/** The templates of the team's modules. */
const modulePages = ({ modules }: ValidatedTemplates): Page[] =>
  modules
    .filter(({ source, module }) => source !== 'larder' && module.templates !== undefined)
    .flatMap(({ key, module }) => {
      const templates = module.templates as URL
      return filesIn(fileURLToPath(templates)).map(file => ({
        name: `${key}.${basename(file).replace(/\.hbs$/, '')}`,
        templates,
      }))
    })

const filesIn = (folder: string): string[] =>
  existsSync(folder) && statSync(folder).isDirectory()
    ? readdirSync(folder)
        .filter(name => name.endsWith('.hbs'))
        .sort()
        .map(name => join(folder, name))
    : []

/** An error in a file that the recipe refers to. */
export const toFault = ({ file, line, column, message }: TemplateProblem): RecipeDiagnostic => ({
  code: 'invalid_template',
  path: [],
  message,
  place: { file, line: Math.max(1, line), column },
})
