/** Mail as it is rendered. */

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
  /** Null: made from the HTML. */
  readonly text: string | null
}
/** What somebody wrote in the place of a template of the product, in one locale. */
export interface LocalMailText extends MailText {
  readonly locale: string
}
export interface RenderOptions {
  /** Looked at before the product's own, locale by locale: the reader's language counts more than who wrote it. */
  readonly own?: readonly LocalMailText[]
  /** Where the reader ends mail of this kind: stands in the foot of the mail. */
  readonly unsubscribeUrl?: string
}

export interface MailTemplateInfo {
  readonly key: string
  readonly locales: readonly string[]
  /** The module that brings it, or `recipe`. */
  readonly source: string
  readonly category: 'transactional' | 'marketing'
  /** Changes when any of its files does. */
  readonly digest: string
}

export interface MailTemplates {
  /** Keys are `<module>.<file>`, e.g. `identity.welcome`. */
  has(key: string): boolean
  list(): readonly MailTemplateInfo[]
  /** Data with which the template can be shown, of its own head. Throws problem `unknown_template`. */
  sample(key: string, locale: string): Readonly<Record<string, unknown>>
  /** What its files say for this locale, or the nearest one that has any. Throws problem `unknown_template`. */
  text(key: string, locale: string): LocalMailText
  /** Throws problem `template_invalid`, which names every mistake with its field, line and column. */
  compile(text: MailText): void
  /** Fills every part but styles none: cheap. Throws problems `unknown_template` and `template_failed`. */
  check(
    key: string,
    locale: string,
    data: Readonly<Record<string, unknown>>,
    filling?: RenderOptions,
  ): { readonly subject: string; readonly category: MailTemplateInfo['category'] }
  /** Strict: a name that is not in `data` is an error that names it. Throws problem `template_failed`. */
  render(key: string, locale: string, data: Readonly<Record<string, unknown>>, filling?: RenderOptions): RenderedMail
}
