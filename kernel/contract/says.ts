/** Marks texts that pages show by `{{text …}}`: a test holds that every language that ships knows each of them. */
export const says = <const T>(texts: T): T => texts
