/** Renders pages and mail with a theme, and serves its assets. */

import type { RequestHandler } from 'express'
import { html, type Product } from 'larder/kernel'
import type { Logger } from 'pino'
import { type CompiledTheme, compileTheme } from './assemble.ts'
import { type Data, placesOf, type TemplateProblem } from './engine.ts'
import { languagesFor } from './languages.ts'
import { liveScript } from './live.ts'

export interface ThemeOptions {
  readonly folder: string
  /** Tokens of the recipe, which override those of the theme. */
  readonly tokens?: Readonly<Record<string, string>>
  readonly product: Product
  /** Path of an image. */
  readonly logo?: string | undefined
  /** Folders of the modules' translations. */
  readonly texts?: readonly URL[]
  readonly log: Logger
  /** Reads the theme again for each page and reloads browsers; for template authors. */
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
  /** Behind the question mark; empty by default. */
  readonly search?: string
  readonly caller?: { readonly userId: string }
  /** Of the page's Content-Security-Policy. */
  readonly nonce: string
  /** Data that modules add to every layout, such as menus and the sign-in link. */
  readonly site?: Data
}
/** The fields of a problem document (RFC 9457) that a page shows. */
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
  /** The unsubscribe link. */
  readonly unsubscribeUrl?: string | undefined
}
export interface MailLayout {
  /** The whole document; its styles are still in `css`. */
  wrap(parts: MailParts): string
  readonly css: string
}
export interface Theme {
  /** Compiles the template of a page, so that errors show at boot. Throws a TemplateError. */
  prepare(page: ThemePage): void
  /**
   * The whole HTML document. In templates: the data, `product`, `site`, and `page` with title, description, locale,
   * path, address, nonce, signedIn, languages. Throws a TemplateError or a RenderError.
   */
  render(page: ThemePage, data: Data, context: PageContext): string
  /** Rendered with the last theme that compiled. */
  problemPage(problem: ShownProblem, context: PageContext): string
  /** The script that reloads a page after a change of the theme; empty unless `reload` is set. */
  live(nonce: string): string
  readonly reload: boolean
  /** The places that a template error names; undefined for other errors. */
  errorPlaces(error: unknown): readonly TemplateProblem[] | undefined
  /** `larder.css` → its address under `/assets/`, with a hash. */
  asset(name: string): string
  /** Answers `/assets/*`. */
  readonly assets: RequestHandler
  readonly mailLayout: MailLayout
}

const OWN_PAGES = ['home', 'problem', 'problems']
/** Mail clients don't render SVG. */
const MAIL_LOGO = /\.(png|jpg|gif)$/

/** Reads and compiles a theme's folder. Throws a TemplateError that lists every error. */
export function loadTheme({
  folder,
  product,
  tokens = {},
  logo,
  texts = [],
  log,
  reload = false,
}: ThemeOptions): Theme {
  let house = compileTheme(folder, product, tokens, logo, texts)
  // The theme's own pages, which belong to no module.
  for (const name of OWN_PAGES) house.page({ name }, product.locales.default)
  const fresh = (): CompiledTheme => {
    if (reload) house = compileTheme(folder, product, tokens, logo, texts)
    return house
  }
  const lasting = (): CompiledTheme => {
    try {
      return fresh()
    } catch (error) {
      log.warn({ err: error }, 'the theme does not compile; using the last version that did')
      return house
    }
  }
  const { key, name, publicUrl, locales } = product
  const live = (nonce: string) => (reload ? liveScript(nonce) : '')

  function renderIn(house: CompiledTheme, page: ThemePage, data: Data, context: PageContext): string {
    const { locale, path, nonce, caller, site = {} } = context
    const { layout, template } = house.page(page, locale)
    const about = {
      title: String(house.text(locale, page.title)),
      description: page.description,
      locale,
      path,
      address: publicUrl + (path === '/' ? '' : path),
      nonce,
      signedIn: caller !== undefined,
      languages: languagesFor(locales.available, context),
    }
    const values = { ...data, site, product: { key, name, publicUrl, logo: house.logo }, page: about }
    return layout.render({ ...values, body: html(template.render(values, locale)) }, locale) + live(nonce)
  }
  return {
    errorPlaces: placesOf,
    prepare: page => void house.page(page, locales.default),
    render: (page, data, context) => renderIn(fresh(), page, data, context),
    problemPage: ({ status, title, detail, requestId }, context) =>
      renderIn(lasting(), { name: 'problem', title }, { status, title, detail, requestId }, context),
    live,
    reload,
    asset: name => house.assets.path(name),
    assets: (request, response, next) => house.assets.serve(request, response, next),
    mailLayout: {
      wrap(parts) {
        const { mail, logo } = lasting()
        const shown = logo && MAIL_LOGO.test(logo) ? publicUrl + logo : null
        const values = { ...parts, product: { ...parts.product, logo: shown }, body: html(parts.body) }
        return mail.render(values, parts.locale)
      },
      get css() {
        return house.mailCss
      },
    },
  }
}
