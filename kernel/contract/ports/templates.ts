/** Mail templates and rendered mails. */

/** A mail as it is sent. */
export interface RenderedMail {
  readonly subject: string
  readonly html: string
  readonly text: string
}

/** The parts of a mail as templates. */
export interface MailText {
  readonly subject: string
  readonly preheader: string | null
  readonly html: string
  /** Null: generated from the HTML. */
  readonly text: string | null
}
/** A text that overrides a template of the product in one locale. */
export interface LocalMailText extends MailText {
  readonly locale: string
}
/** How `mailTemplates` renders a mail. */
export interface RenderOptions {
  /** Texts of the tenant. The text in the nearest locale applies; in the same locale, the tenant's overrides the product's. */
  readonly overrides?: readonly LocalMailText[]
  /** The tenant whose share of the worker pool the rendering uses. */
  readonly tenantId?: string
  /** Shown in the footer. */
  readonly unsubscribeUrl?: string
}

export interface MailTemplateInfo {
  readonly key: string
  readonly locales: readonly string[]
  /** The module that provides it, or `recipe`. */
  readonly source: string
  readonly category: 'transactional' | 'marketing'
  /** Whether tenants may send it by API: `sendable` of its front matter. By default, only if no module has this key. */
  readonly sendable: boolean
  /** Changes with any of its files. */
  readonly digest: string
}

/** Overrides are rendered, and styles inlined, in the worker pool; `worker_pool_busy` is possible for both. */
export interface MailTemplates {
  /** Keys are `<module>.<file>`, e.g. `identity.welcome`. */
  has(key: string): boolean
  list(): readonly MailTemplateInfo[]
  /** Sample data from the front matter of the template. Throws problem `unknown_template`. */
  sample(key: string, locale: string): Readonly<Record<string, unknown>>
  /** The product's text in this locale, or in the nearest one. Throws problem `unknown_template`. */
  text(key: string, locale: string): LocalMailText
  /** Throws problem `template_invalid`, which lists every error with its field, line and column. */
  validate(text: MailText, options?: Pick<RenderOptions, 'tenantId'>): Promise<void>
  /** Renders every part without styles, which is cheap. Throws problems `unknown_template` and `template_failed`. */
  check(
    key: string,
    locale: string,
    data: Readonly<Record<string, unknown>>,
    options?: RenderOptions,
  ): Promise<{ readonly subject: string; readonly category: MailTemplateInfo['category'] }>
  /**
   * Throws problem `template_failed` if the data lacks a name that the template uses, or if rendering exceeds a limit;
   * `unknown_template`.
   */
  render(
    key: string,
    locale: string,
    data: Readonly<Record<string, unknown>>,
    options?: RenderOptions,
  ): Promise<RenderedMail>
}
