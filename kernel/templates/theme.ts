/** A theme: the layout of pages and of mail, its partials, its assets, its colours. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { RequestHandler } from 'express'
import type { Logger } from 'pino'
import type { Product } from '../ports.ts'
import { type Assets, loadAssets } from './assets.ts'
import { createEngine, type Data, type Engine, html, type Template } from './engine.ts'
import { HELPERS } from './helpers.ts'
import { lightCss, pageCss, readTokens } from './tokens.ts'

export interface ThemeOptions {
  readonly folder: string
  readonly product: Product
  readonly log: Logger
  /** Reads everything again at each page: for people who write templates. */
  readonly reload?: boolean
}
export interface ThemePage {
  /** `<module>.<name>`: `pages/<module>.<name>.hbs` of the theme, else `<name>.hbs` of the module's folder. */
  readonly name: string
  readonly title: string
  /** For search engines. */
  readonly description?: string
  readonly templates?: URL
}
export interface PageContext {
  readonly locale: string
  /** Path of the page, without its query. */
  readonly path: string
  readonly caller?: { readonly userId: string }
  /** Of the page's Content-Security-Policy. */
  readonly nonce: string
}
/** What a page shows of a problem document (RFC 9457). */
export interface ShownProblem {
  readonly status: number
  readonly title: string
  readonly detail: string
  readonly requestId?: string
}
export interface MailParts {
  readonly subject: string
  readonly preheader: string | undefined
  /** HTML, of the mail's own template. */
  readonly body: string
  readonly locale: string
  readonly product: Data
}
export interface MailLayout {
  /** The whole document; its styles stand in `css` still. */
  wrap(parts: MailParts): string
  readonly css: string
}
export interface Theme {
  /** Compiles the template of a page, so that its mistakes show at boot. Throws a TemplateError. */
  prepare(page: ThemePage): void
  /** The whole HTML document. In templates: the data, `product`, and `page` with title, description, locale, path, nonce, signedIn. */
  render(page: ThemePage, data: Data, context: PageContext): string
  problemPage(problem: ShownProblem, context: PageContext): string
  /** `larder.css` → its address under `/assets/`, with a hash. */
  asset(name: string): string
  /** Answers `/assets/*`. */
  readonly assets: RequestHandler
  readonly mailLayout: MailLayout
}

/** Reads and compiles a theme's folder. Throws a TemplateError that names what is wrong in it. */
export function loadTheme(options: ThemeOptions): Theme {
  const { product, reload = false, log } = options
  let house = furnish(options)
  const current = (): House => {
    if (reload)
      try {
        house = furnish(options)
      } catch (error) {
        log.warn({ err: error }, 'the theme does not compile: the last one that did is still shown')
      }
    return house
  }
  const shown = { key: product.key, name: product.name, publicUrl: product.publicUrl }

  function render(page: ThemePage, data: Data, { locale, path, nonce, caller }: PageContext): string {
    const { layout, template } = current()
    const about = {
      title: page.title,
      description: page.description,
      locale,
      path,
      nonce,
      signedIn: caller !== undefined,
    }
    const values = { ...data, product: shown, page: about }
    return layout.render({ ...values, body: html(template(page).render(values, locale)) }, locale)
  }
  return {
    prepare: page => void house.template(page),
    render,
    problemPage: ({ status, title, detail, requestId }, context) =>
      render({ name: 'problem', title }, { status, title, detail, requestId }, context),
    asset: name => house.assets.path(name),
    assets: (request, response, next) => house.assets.serve(request, response, next),
    mailLayout: {
      wrap: parts => current().mail.render({ ...parts, body: html(parts.body) }, parts.locale),
      get css() {
        return house.mailCss
      },
    },
  }
}

interface House {
  readonly assets: Assets
  readonly layout: Template
  readonly mail: Template
  readonly mailCss: string
  template(page: ThemePage): Template
}

function furnish({ folder, product }: ThemeOptions): House {
  const read = (...path: string[]) => readFileSync(join(folder, ...path), 'utf8')
  const tokens = readTokens(join(folder, 'theme.yaml'), read('theme.yaml'), product.theme.tokens)
  const assets = loadAssets(join(folder, 'assets'), { 'larder.css': pageCss(tokens) })
  const pages = createEngine({ ...HELPERS, asset: (_locale, name) => assets.path(String(name)) })
  const partials = join(folder, 'partials')
  if (existsSync(partials))
    for (const name of readdirSync(partials).filter(file => file.endsWith('.hbs')))
      pages.partial(name.slice(0, -4), { file: join(partials, name), text: read('partials', name) })
  return {
    assets,
    layout: compileFile(pages, join(folder, 'layouts', 'page.hbs')),
    mail: compileFile(createEngine(HELPERS), join(folder, 'mail', 'layout.hbs')),
    mailCss: lightCss(tokens) + read('mail', 'mail.css'),
    template: remembered(page => compileFile(pages, pageFile(folder, page))),
  }
}

const compileFile = (engine: Engine, file: string): Template =>
  engine.compile({ file, text: readFileSync(file, 'utf8').replace(/^\uFEFF/, '') })

function remembered(make: (page: ThemePage) => Template): (page: ThemePage) => Template {
  const made = new Map<string, Template>()
  return page => {
    const found = made.get(page.name) ?? make(page)
    made.set(page.name, found)
    return found
  }
}

function pageFile(folder: string, { name, templates }: ThemePage): string {
  const own = join(folder, 'pages', `${name}.hbs`)
  if (existsSync(own) || !templates) return own
  return fileURLToPath(new URL(`${name.slice(name.indexOf('.') + 1)}.hbs`, templates))
}
