/** Marks texts that pages show with `{{text …}}`. A test checks that every shipped language translates them. */
export const defineTexts = <const T>(texts: T): T => texts

/** The query parameter that selects the language of a page, for this request and later ones. */
export const LANGUAGE_PARAMETER = 'lang'

/** The query parameter that selects the workspace of a page by id or slug, for links in emails. */
export const TENANT_PARAMETER = 'workspace'
