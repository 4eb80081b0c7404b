/** Canonical paths of this site, for storage and lookup. Pure. */

const BASE = 'http://site.invalid'
const MAX_LENGTH = 1024

/**
 * The path as stored and compared: escaped, without dot segments, repeated slashes and a trailing slash, so that it can
 * never name another host. Undefined if the text isn't a path or is longer than 1024 characters.
 */
export function canonicalPath(text: string): string | undefined {
  if (!text.startsWith('/') || text.length > MAX_LENGTH) return undefined
  const single = text
    .replace(/[\\/]+/g, '/')
    .replaceAll('?', '%3F')
    .replaceAll('#', '%23')
  if (!URL.canParse(single, BASE)) return undefined
  const { pathname } = new URL(single, BASE)
  // Removing a dot segment can leave an empty one.
  const path = composedEscapes(pathname.replace(/\/+/g, '/').replace(/%[\da-f]{2}/gi, normalizeEscape))
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
}

/** RFC 3986, 6.2.2: upper-case hex digits, and no escapes of unreserved characters. */
function normalizeEscape(code: string): string {
  const character = String.fromCharCode(Number.parseInt(code.slice(1), 16))
  return /[\w~-]/.test(character) ? character : code.toUpperCase()
}

/** Escapes texts in NFC: `/cafe%CC%81` is `/caf%C3%A9`. Leaves escapes that aren't UTF-8. */
const composedEscapes = (path: string): string =>
  path
    .replace(/(?:%[89A-F][\dA-F])+/g, escapes => unescaped(escapes) ?? escapes)
    .normalize('NFC')
    .replace(/[^\p{ASCII}]+/gu, encodeURIComponent)

/** The API and the files of the theme. */
const RESERVED = /^\/(v1|assets)(\/|$)/

/** The canonical path of a page; undefined if the text can't be one. */
export function pagePath(text: string): string | undefined {
  if (/[*?#:\s\\\p{Cc}]/u.test(text)) return undefined
  const path = canonicalPath(text)
  if (path === undefined || RESERVED.test(path)) return undefined
  // No request matches an escape that isn't UTF-8, such as %zz.
  return path.split('/').every(segment => unescaped(segment) !== undefined) ? path : undefined
}

const PARAMETER = /^:[a-z][A-Za-z0-9]*$/

/** The path of a page whose segments may be parameters: `/courses/:slug`. Undefined if the text can't be one. */
export function pagePattern(text: string): string | undefined {
  const segments = text.split('/')
  const names = segments.filter(segment => PARAMETER.test(segment))
  if (names.length === 0 || new Set(names).size < names.length) return pagePath(text)
  // A parameter is a segment that no canonical path changes.
  const path = pagePath(
    segments.map(segment => (PARAMETER.test(segment) ? `~${segment.slice(1)}~` : segment)).join('/'),
  )
  return path?.replace(/~([a-z][A-Za-z0-9]*)~/g, ':$1')
}

/** The values of the parameters, unescaped; undefined if the path doesn't match the pattern. */
export function matchPattern(pattern: string, path: string): Params | undefined {
  const segments = path.split('/')
  if (!patternMatcher(path)(pattern)) return undefined
  const params = pattern
    .split('/')
    .flatMap((part, index) =>
      part.startsWith(':') ? [[part.slice(1), unescaped(segments[index] ?? '')] as const] : [],
    )
  return params.some(([, value]) => value === undefined) ? undefined : (Object.fromEntries(params) as Params)
}

type Params = Readonly<Record<string, string>>

/** Undefined if the segment is not escaped UTF-8, or has control characters. */
function unescaped(segment: string): string | undefined {
  try {
    const text = decodeURIComponent(segment)
    return /\p{Cc}/u.test(text) ? undefined : text
  } catch {
    return undefined
  }
}

/** Returns a test of whether a route pattern, such as `/watch/:id`, matches the path. */
export function patternMatcher(path: string): (pattern: string) => boolean {
  const segments = path.split('/')
  return pattern => {
    const parts = pattern.split('/')
    return (
      parts.length === segments.length && parts.every((part, index) => part.startsWith(':') || part === segments[index])
    )
  }
}

/** The path after a change of the slug: a path that ends with the old slug follows it; any other path stays. */
export function followSlug(path: string, before: string, after: string): string {
  return path.endsWith(`/${before}`) ? `${path.slice(0, -before.length)}${after}` : path
}
