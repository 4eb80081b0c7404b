/** Values that templates insert into HTML. */

const SCHEMES = new Set(['http:', 'https:', 'mailto:'])
/** Browsers ignore these inside a URL, so `java\tscript:` would run. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this looks for
const INVISIBLE = /[\u0000-\u0020\u007f]/

/** Whether a URL belongs to an app: its scheme is a domain in reverse, such as `com.acme.app:` (RFC 8252, section 7.1). */
export const isAppScheme = (protocol: string): boolean => /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/.test(protocol)

/**
 * Returns the URL if following it can't run a script: http, https, mailto, the scheme of an app, or a path of this site.
 * Throws otherwise.
 */
export function safeUrl(value: unknown): string {
  const text = String(value)
  const refused = (why: string) => new Error(`URL '${text.slice(0, 80)}' ${why}`)
  if (text === '' || INVISIBLE.test(text)) throw refused('is empty or contains spaces')
  if (/^\/(?![/\\])/.test(text) || /^[#?]/.test(text)) return text
  if (!URL.canParse(text)) throw refused('must be absolute, or a path that begins with /')
  const { protocol } = new URL(text)
  if (!SCHEMES.has(protocol) && !isAppScheme(protocol)) throw refused('must begin with http:, https: or mailto:')
  return text
}

/** Marks text as safe HTML: Handlebars does not escape an object with `toHTML`. */
export const html = (text: string): unknown => ({ toHTML: () => text, toString: () => text })

const RENDERED = Symbol('rendered')

/** Markdown of a row with its sanitized HTML, which the helper `markdown` inserts. Elsewhere it is its source. */
export const markdownText = (source: string, rendered: string): unknown => ({
  length: source.length,
  toString: () => source,
  toJSON: () => source,
  [RENDERED]: rendered,
})

/** The HTML of a value that `markdownText` made; undefined for other values. */
export const renderedMarkdown = (value: unknown): string | undefined =>
  (value as { readonly [RENDERED]?: string } | null | undefined)?.[RENDERED]

/** Escapes text for elements and quoted attributes. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
