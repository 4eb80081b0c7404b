/** Renders pages and mail with a theme, and serves its assets. */

import { html, type LocalText, type Product, type Wording } from '@larder-dev/larder/kernel'
import type { Logger } from 'pino'
import { type CompiledTheme, compileTheme, type LogoFiles, THEME_PAGES } from './assemble.ts'
import { type Brand, createBrand, type Surfaces } from './brand.ts'
import { type Data, type MarkdownTexts, problemsOf, type TemplateProblem } from './engine.ts'
import { languagesFor } from './languages.ts'
import { liveScript } from './live.ts'
import type { PageRequests } from './page-file.ts'
import type { Tokens } from './tokens.ts'

export interface ThemeOptions {
  readonly folder: string
  /** Tokens of the recipe, which override those of the theme. */
  readonly tokens?: Readonly<Record<string, string>>
  readonly product: Product
  readonly logo?: LogoFiles | undefined
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
  /** The description that search engines show. */
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
  /** The nonce of the page's Content-Security-Policy. */
  readonly nonce: string
  /** Data that modules add to every layout, such as menus and the sign-in link. */
  readonly site?: Data
  /** HTML of Markdown in the data. Rendering adds the texts that are missing. */
  readonly markdown?: MarkdownTexts
}
/** The fields of a problem document (RFC 9457) that a page displays. */
export interface DisplayedProblem {
  readonly status: number
  readonly title: string
  readonly detail: string
  readonly requestId?: string
}
export interface MailParts {
  readonly subject: string
  readonly preheader: string | undefined
  /** HTML of the mail's template. */
  readonly body: string
  readonly locale: string
  readonly product: Data
  /** The unsubscribe link. */
  readonly unsubscribeUrl?: string | undefined
}
export interface MailLayout {
  /** Returns the whole document. Its styles are in `css`, not yet inlined. */
  wrap(parts: MailParts): string
  readonly css: string
}
export interface Theme {
  /** Reports errors in the template of a page at boot unless it is known to compile. Throws a TemplateError. */
  prepare(page: ThemePage): void
  /**
   * Returns the whole HTML document. Templates have the data, `product`, `site`, and `page` with title, description,
   * locale, path, address, nonce, signedIn and languages. Throws a TemplateError or a RenderError.
   */
  render(page: ThemePage, data: Data, context: PageContext): string
  /** The queries in the front matter of the page's template. Throws a TemplateError. */
  queries(page: ThemePage, locale: string): PageRequests
  /** The forms in the front matter of the page's template. Throws a TemplateError. */
  forms(page: ThemePage, locale: string): PageRequests
  /** Origins of the sites that may show the page in a frame, by its front matter. Throws a TemplateError. */
  embed(page: ThemePage, locale: string): readonly string[]
  /** Uses the last version of the theme that compiled. */
  problemPage(problem: DisplayedProblem, context: PageContext): string
  /** Translates an English text of the theme or of a module, or a wording; one without a translation stays in English. */
  text(locale: string, text: LocalText | Wording): string
  /** The translations to a language, by the English text: those of the theme and of all modules. */
  translations(locale: string): Readonly<Record<string, string>>
  /** Returns the script that reloads a page after a change of the theme; empty unless `reload` is set. */
  live(nonce: string): string
  readonly reload: boolean
  /** Returns the locations that a template error names; undefined for other errors. */
  errorPlaces(error: unknown): readonly TemplateProblem[] | undefined
  /** `larder.css` → its path under `/assets/`, with a hash. */
  asset(name: string): string
  /** The file at a path below `/assets/`; undefined for an unknown one. */
  assetAt(path: string): { readonly type: string; readonly bytes: Buffer } | undefined
  /** `favicon.ico` of the theme, or its `icon.svg`. */
  icon(): { readonly type: string; readonly bytes: Buffer } | undefined
  /** The tokens, by color scheme. */
  colorSchemes(): Tokens
  /** The font, the logo, and the accent as it is legible on these surfaces. */
  brand(surfaces: Surfaces): Brand
  readonly mailLayout: MailLayout
}

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
  let compiled = compileTheme(folder, product, tokens, logo, texts)
  for (const name of THEME_PAGES) compiled.page({ name }, product.locales.default)
  const current = (): CompiledTheme => {
    if (reload) compiled = compileTheme(folder, product, tokens, logo, texts)
    return compiled
  }
  /** Pages and mail that must not fail because of an error in the theme use it. */
  const lastCompiled = (): CompiledTheme => {
    try {
      return current()
    } catch (error) {
      log.warn({ err: error }, 'the theme does not compile; using the last version that did')
      return compiled
    }
  }
  const { key, name, publicUrl, locales } = product
  const live = (nonce: string) => (reload ? liveScript(nonce) : '')

  function renderIn(compiled: CompiledTheme, page: ThemePage, data: Data, context: PageContext): string {
    const { locale, path, nonce, caller, site = {}, markdown } = context
    const { layout, template, title } = compiled.page(page, locale)
    const pageData = {
      title: title ? title.render(data, locale) : String(compiled.text(locale, page.title)),
      description: page.description,
      locale,
      path,
      address: publicUrl + (path === '/' ? '' : path),
      nonce,
      signedIn: caller !== undefined,
      languages: languagesFor(locales.available, context),
      font: compiled.font,
    }
    const timeZone = typeof site.timeZone === 'string' ? site.timeZone : undefined
    const values = {
      ...data,
      site,
      product: { key, name, publicUrl, logo: compiled.logo?.light ?? null, darkLogo: compiled.logo?.dark ?? null },
      page: pageData,
    }
    const body = template.render(values, locale, timeZone, markdown)
    // Browsers show times in the time zone of a visitor, which the server doesn't have.
    const hasTimes = timeZone === undefined && body.includes('<time ')
    const inLayout = { ...values, page: { ...pageData, hasTimes }, body: html(body) }
    return layout.render(inLayout, locale, timeZone, markdown) + live(nonce)
  }
  return {
    errorPlaces: problemsOf,
    prepare: page => compiled.prepare(page, locales.default),
    render: (page, data, context) => renderIn(current(), page, data, context),
    queries: (page, locale) => current().page(page, locale).queries,
    forms: (page, locale) => current().page(page, locale).forms,
    embed: (page, locale) => current().page(page, locale).embed,
    problemPage: ({ status, title, detail, requestId }, context) =>
      renderIn(lastCompiled(), { name: 'problem', title }, { status, title, detail, requestId }, context),
    text: (locale, text) => String(lastCompiled().text(locale, text)),
    translations: locale => lastCompiled().text.all(locale),
    live,
    reload,
    asset: name => compiled.assets.path(name),
    assetAt: path => compiled.assets.at(path),
    icon: () => compiled.assets.named('favicon.ico') ?? compiled.assets.named('icon.svg'),
    colorSchemes: () => lastCompiled().tokens,
    brand(surfaces) {
      const { assets, tokens, logo } = lastCompiled()
      return createBrand(assets, tokens, logo, surfaces)
    },
    mailLayout: {
      wrap(parts) {
        const { mail, logo } = lastCompiled()
        const logoUrl = logo && MAIL_LOGO.test(logo.light) ? publicUrl + logo.light : null
        const values = { ...parts, product: { ...parts.product, logo: logoUrl }, body: html(parts.body) }
        return mail.render(values, parts.locale)
      },
      get css() {
        return compiled.mailCss
      },
    },
  }
}
