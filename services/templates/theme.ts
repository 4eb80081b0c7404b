/** A theme at work: pages in their layouts, the layout of mail, assets. */

import type { RequestHandler } from 'express'
import { html, type Product } from 'larder/kernel'
import type { Logger } from 'pino'
import { furnish, type House } from './assemble.ts'
import type { Data } from './engine.ts'
import { languagesFor } from './languages.ts'
import { liveScript } from './live.ts'

export interface ThemeOptions {
  readonly folder: string
  /** Tokens of the recipe, in place of those of the theme. */
  readonly tokens?: Readonly<Record<string, string>>
  readonly product: Product
  /** Path of an image. */
  readonly logo?: string | undefined
  /** Folders of the modules' translations. */
  readonly texts?: readonly URL[]
  readonly log: Logger
  /** Reads everything again at each page, and has browsers load anew: for people who write templates. */
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
  /** What modules add to every layout: menus, the way in. */
  readonly site?: Data
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
  /** Where the reader ends mail of this kind. */
  readonly unsubscribeUrl?: string | undefined
}
export interface MailLayout {
  /** The whole document; its styles stand in `css` still. */
  wrap(parts: MailParts): string
  readonly css: string
}
export interface Theme {
  /** Compiles the template of a page, so that its mistakes show at boot. Throws a TemplateError. */
  prepare(page: ThemePage): void
  /**
   * The whole HTML document. In templates: the data, `product`, `site`, and `page` with title, description, locale,
   * path, address, nonce, signedIn, languages. Throws a TemplateError or a RenderError.
   */
  render(page: ThemePage, data: Data, context: PageContext): string
  /** By the last theme that compiled. */
  problemPage(problem: ShownProblem, context: PageContext): string
  /** What makes a page load anew by itself when the theme changed; empty but for people who write templates. */
  live(nonce: string): string
  readonly reload: boolean
  /** `larder.css` → its address under `/assets/`, with a hash. */
  asset(name: string): string
  /** Answers `/assets/*`. */
  readonly assets: RequestHandler
  readonly mailLayout: MailLayout
}

const OWN_PAGES = ['home', 'problem', 'problems']
/** Clients show no SVG in mail. */
const MAIL_LOGO = /\.(png|jpg|gif)$/

/** Reads and compiles a theme's folder. Throws a TemplateError that names what is wrong in it. */
export function loadTheme({
  folder,
  product,
  tokens = {},
  logo,
  texts = [],
  log,
  reload = false,
}: ThemeOptions): Theme {
  let house = furnish(folder, product, tokens, logo, texts)
  // Pages of the kernel itself, which no module prepares.
  for (const name of OWN_PAGES) house.page({ name }, product.locales.default)
  const fresh = (): House => {
    if (reload) house = furnish(folder, product, tokens, logo, texts)
    return house
  }
  const lasting = (): House => {
    try {
      return fresh()
    } catch (error) {
      log.warn({ err: error }, 'the theme does not compile: the last one that did is still shown')
      return house
    }
  }
  const { key, name, publicUrl, locales } = product
  const live = (nonce: string) => (reload ? liveScript(nonce) : '')

  function renderIn(house: House, page: ThemePage, data: Data, context: PageContext): string {
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
