/** Reads and compiles a theme. Files that it lacks come from the themes it extends. */

import { readFileSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { KIB, type Product } from '@larder-dev/larder/kernel'
import { type Assets, type Composed, loadAssets } from './assets.ts'
import { FONT_STYLES, fontOf, type Logo } from './brand.ts'
import { createEngine, type Engine, type Template, TemplateError, type TemplateProblem } from './engine.ts'
import { HELPERS } from './helpers.ts'
import { findPage, type PageRequests, readPage } from './page-file.ts'
import { BUILT_ASSETS, isShipped } from './shipped.ts'
import { loadTexts, type Translate } from './texts.ts'
import { findFile, readTemplate, refused, type ThemeFile, templatesIn, themeChain } from './theme-file.ts'
import { mailCss, pageCss, readTokens, type Tokens } from './tokens.ts'

/** A page by its name, `<module>.<name>`, and the folder of the module's templates. */
export interface PageName {
  readonly name: string
  readonly templates?: URL
}
/** The template of a page and its layout. */
export interface ResolvedPage {
  readonly template: Template
  readonly layout: Template
  readonly title: Template | undefined
  readonly queries: PageRequests
  readonly forms: PageRequests
  readonly embed: readonly string[]
}
export interface CompiledTheme {
  readonly assets: Assets
  readonly mail: Template
  readonly mailCss: string
  readonly tokens: Tokens
  readonly logo: Logo | null
  /** URL path of the font that pages load in advance, or null. */
  readonly font: string | null
  /** Translates a text to the reader's language. */
  readonly text: Translate
  /** Compiles the template of a page that isn't known to compile. Throws a TemplateError. */
  prepare(page: PageName, locale: string): void
  /** Throws a TemplateError. */
  page(page: PageName, locale: string): ResolvedPage
  /** Compiles one file as the template of the page with this name. Throws a TemplateError. */
  compilePage(file: string, name: string): ResolvedPage
}

/** Pages of the theme that belong to no module. */
export const THEME_PAGES = ['home', 'problem', 'problems']

export interface LogoFiles {
  readonly light: string
  /** That of the light color scheme by default. */
  readonly dark?: string | undefined
}
const LOGO_TYPES = ['.svg', '.png', '.jpg', '.webp', '.gif']
const MAX_LOGO_SIZE = 512 * KIB
/** The layout of pages that don't specify one. */
const DEFAULT_LAYOUT = 'page'

/**
 * Throws a TemplateError that lists every error.
 * @param texts folders of the modules' translations. Those of the theme take precedence.
 */
export function compileTheme(
  folder: string,
  { locales }: Pick<Product, 'locales'>,
  own: Readonly<Record<string, string>>,
  logo: LogoFiles | undefined,
  texts: readonly URL[],
): CompiledTheme {
  const { folders, files } = themeChain(folder)
  const tokens = readTokens(files, own)
  const need = (...path: string[]) => {
    const file = findFile(folders, ...path)
    if (file === undefined)
      throw refused(join(folder, ...path), 1, 'missing file: add it, or extend a theme that has it: extends: default')
    return file
  }
  const light = logo && logoAsset(logo.light, '')
  const dark = logo?.dark === undefined ? light : logoAsset(logo.dark, '-dark')
  const assets = loadAssets([...folders.map(folder => join(folder, 'assets')), BUILT_ASSETS], {
    'larder.css': styleOf(folders, need('assets', 'larder.css'), pageCss(tokens)),
    ...light?.composed,
    ...dark?.composed,
  })
  const text = loadTexts(
    [...folders.map(folder => join(folder, 'locales')), ...texts.map(url => fileURLToPath(url))],
    locales,
  )
  // Templates of this package use partials of its themes.
  const isTested = folders.some(isShipped) ? isShipped : () => false
  const engine = createEngine({ ...HELPERS, text, asset: (_locale, name) => assets.path(String(name)) }, isTested)
  const partials = [...templatesIn(folders, 'partials')]
  engine.addPartials(new Map(partials.map(([name, file]) => [name, { file, text: readTemplate(file) }])))
  need('layouts', `${DEFAULT_LAYOUT}.hbs`)
  const layouts = new Map(
    [...templatesIn(folders, 'layouts')].map(([name, file]) => [name, compileFile(engine, file)] as const),
  )
  const problems = layoutProblems(files, layouts)
  if (problems.length > 0) throw new TemplateError(problems)
  const compiler: Compiler = { engine, files, layouts }
  const fileOf = (page: PageName, locale: string) => findPage(folders, page, locale)
  const page = memoizePage((page, locale) => compilePage(compiler, fileOf(page, locale), page.name))
  return {
    assets,
    mail: compileFile(createEngine({ ...HELPERS, text }), need('mail', 'layout.hbs')),
    mailCss: mailCss(tokens, readFileSync(need('mail', 'mail.css'), 'utf8')),
    logo: light && dark ? { light: assets.path(light.name), dark: assets.path(dark.name) } : null,
    font: fontOf(assets, tokens),
    text,
    tokens,
    prepare: (name, locale) => {
      if (!isTested(fileOf(name, locale))) page(name, locale)
    },
    page,
    compilePage: (file, name) => compilePage(compiler, file, name),
  }
}

const compileFile = (engine: Engine, file: string): Template => engine.compile({ file, text: readTemplate(file) })

/** Concatenates the tokens, `fonts.css` and `larder.css` of the nearest folder, and each `theme.css`, the theme's own last. */
const styleOf = (folders: readonly string[], base: string, before: string): Composed[string] => {
  const additions = folders.toReversed().flatMap(folder => findFile([folder], 'assets', 'theme.css') ?? [])
  const fonts = findFile(folders, 'assets', FONT_STYLES)
  return { before, files: [...(fonts === undefined ? [] : [fonts]), base, ...additions] }
}

/** Returns why this file can't be the logo, or undefined. */
export function logoFault(file: string): string | undefined {
  if (!LOGO_TYPES.includes(extname(file).toLowerCase())) return `a logo file must end in ${LOGO_TYPES.join(', ')}`
  const found = statSync(file)
  if (!found.isFile()) return 'a logo must be a file'
  return found.size > MAX_LOGO_SIZE ? `a logo must not exceed ${MAX_LOGO_SIZE / KIB} KiB` : undefined
}

function logoAsset(file: string, suffix: string): { name: string; composed: Composed } {
  const fault = logoFault(file)
  if (fault) throw refused(file, 1, fault)
  const name = `product-logo${suffix}${extname(file).toLowerCase()}`
  return { name, composed: { [name]: { before: '', files: [file] } } }
}

/** Reports layouts in a `theme.yaml` that no theme of the chain has. */
export const layoutProblems = (
  files: readonly ThemeFile[],
  layouts: ReadonlyMap<string, unknown>,
): readonly TemplateProblem[] =>
  files.flatMap(({ file, layouts: named, place }) =>
    Object.keys(named)
      .filter(name => !layouts.has(name))
      .map(name => ({ file, ...place(`layouts.${name}`), message: noLayout(name, layouts) })),
  )
const noLayout = (name: string, layouts: ReadonlyMap<string, unknown>): string =>
  `the theme has no layout '${name}': it has ${[...layouts.keys()].sort().join(', ')}`

interface Compiler {
  readonly engine: Engine
  readonly files: readonly ThemeFile[]
  readonly layouts: ReadonlyMap<string, Template>
}

function compilePage({ engine, files, layouts }: Compiler, file: string, page: string): ResolvedPage {
  const source = readPage(file)
  const name = layoutOf(files, page) ?? source.layout ?? DEFAULT_LAYOUT
  const layout = layouts.get(name)
  if (!layout) throw refused(file, 2, noLayout(name, layouts))
  const title = source.title && engine.compile(source.title)
  const { queries, forms, embed } = source
  return { template: engine.compile(source), layout, title, queries, forms, embed }
}

/** Returns the layout that `theme.yaml` assigns. The full name precedes `module.*`; the nearest theme precedes others. */
function layoutOf(files: readonly ThemeFile[], page: string): string | undefined {
  for (const wanted of [page, `${page.split('.')[0]}.*`])
    for (const { layouts } of files)
      for (const [layout, pages] of Object.entries(layouts)) if (pages.includes(wanted)) return layout
  return undefined
}

function memoizePage(resolve: CompiledTheme['page']): CompiledTheme['page'] {
  const pages = new Map<string, ResolvedPage>()
  return (page, locale) => {
    const key = `${page.name} ${locale}`
    const found = pages.get(key) ?? resolve(page, locale)
    pages.set(key, found)
    return found
  }
}
