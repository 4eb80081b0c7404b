/** Mail as it is rendered. */

export interface RenderedMail {
  readonly subject: string
  readonly html: string
  readonly text: string
}

export interface MailTemplateInfo {
  readonly key: string
  readonly locales: readonly string[]
  /** The module that brings it, or `recipe`. */
  readonly source: string
  readonly category: 'transactional' | 'marketing'
}

export interface MailTemplates {
  /** Keys are `<module>.<file>`, e.g. `identity.welcome`. */
  has(key: string): boolean
  list(): readonly MailTemplateInfo[]
  /** Data with which the template can be shown, of its own head. Throws problem `unknown_template`. */
  sample(key: string, locale: string): Readonly<Record<string, unknown>>
  /** Fills every part but styles none: cheap. Throws problems `unknown_template` and `template_failed`. */
  check(
    key: string,
    locale: string,
    data: Readonly<Record<string, unknown>>,
  ): { readonly subject: string; readonly category: MailTemplateInfo['category'] }
  /** Strict: a name that is not in `data` is an error that names it. Throws problem `template_failed`. */
  render(key: string, locale: string, data: Readonly<Record<string, unknown>>): RenderedMail
}
