/** Mail templates. */

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
  /** Null if it is generated from the HTML. */
  readonly text: string | null
}
/** A replacement for a template of the product, in one locale. */
export interface LocalMailText extends MailText {
  readonly locale: string
}
export interface RenderOptions {
  /** Replacements. The reader's locale takes precedence over them: a template of the product in it is preferred. */
  readonly own?: readonly LocalMailText[]
  /** The unsubscribe link in the footer. */
  readonly unsubscribeUrl?: string
}

export interface MailTemplateInfo {
  readonly key: string
  readonly locales: readonly string[]
  /** The module that provides it, or `recipe`. */
  readonly source: string
  readonly category: 'transactional' | 'marketing'
  /** A hash of its files. */
  readonly digest: string
}

export interface MailTemplates {
  /** Keys are `<module>.<file>`, e.g. `identity.welcome`. */
  has(key: string): boolean
  list(): readonly MailTemplateInfo[]
  /** Sample data from the front matter of the template. Throws problem `unknown_template`. */
  sample(key: string, locale: string): Readonly<Record<string, unknown>>
  /** The source for this locale, or for the nearest one. Throws problem `unknown_template`. */
  text(key: string, locale: string): LocalMailText
  /** Throws problem `template_invalid` with the field, line and column of every error. */
  compile(text: MailText): void
  /** Renders every part without inlining styles, which is fast. Throws problems `unknown_template` and `template_failed`. */
  check(
    key: string,
    locale: string,
    data: Readonly<Record<string, unknown>>,
    options?: RenderOptions,
  ): { readonly subject: string; readonly category: MailTemplateInfo['category'] }
  /** Strict: a name that is missing in `data` is an error. Throws problem `template_failed`. */
  render(key: string, locale: string, data: Readonly<Record<string, unknown>>, options?: RenderOptions): RenderedMail
}
