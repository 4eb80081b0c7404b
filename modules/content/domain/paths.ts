/** Addresses of this site, in one form for what is stored and what is asked for. Pure. */

const BASE = 'http://site.invalid'
const MAX_LENGTH = 1024

/**
 * The path as it is stored and compared: escaped, without dot segments, doubled slashes and a slash at its end, so that
 * it can never name another host. Undefined where the text is no path, or longer than 1024 characters.
 */
export function canonicalPath(text: string): string | undefined {
  if (!text.startsWith('/') || text.length > MAX_LENGTH) return undefined
  const single = text
    .replace(/[\\/]+/g, '/')
    .replaceAll('?', '%3F')
    .replaceAll('#', '%23')
  if (!URL.canParse(single, BASE)) return undefined
  const { pathname } = new URL(single, BASE)
  // A dot segment may leave an empty one behind.
  const path = pathname.replace(/\/+/g, '/').replace(/%[\da-f]{2}/gi, plainEscape)
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
}

/** RFC 3986, 6.2.2: hex digits in upper case, and no escape for what needs none. */
function plainEscape(code: string): string {
  const character = String.fromCharCode(Number.parseInt(code.slice(1), 16))
  return /[\w~-]/.test(character) ? character : code.toUpperCase()
}

/** Places where a page would never be seen: the API and the files of the theme. */
const RESERVED = /^\/(v1|assets)(\/|$)/

/** The path of a page; undefined where the text cannot be one. */
export function pagePath(text: string): string | undefined {
  if (/[*?#:\s\\\p{Cc}]/u.test(text)) return undefined
  const path = canonicalPath(text)
  return path === undefined || RESERVED.test(path) ? undefined : path
}

/** Whether what stands at a pattern, such as `/watch/:id`, is shown at this path. */
export function patternMatcher(path: string): (pattern: string) => boolean {
  const steps = path.split('/')
  return pattern => {
    const parts = pattern.split('/')
    return parts.length === steps.length && parts.every((part, index) => part.startsWith(':') || part === steps[index])
  }
}

/** The path after its page's slug changed: it follows where it ended in the old slug, else it stays. */
export function followSlug(path: string, before: string, after: string): string {
  return path.endsWith(`/${before}`) ? `${path.slice(0, -before.length)}${after}` : path
}
