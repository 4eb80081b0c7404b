/** Marks texts that pages show with `{{text …}}`. A test checks that every shipped language translates them. */
export const says = <const T>(texts: T): T => texts

/** The query parameter that selects the language of a page, for this request and later ones. */
export const LANGUAGE_PARAMETER = 'lang'
