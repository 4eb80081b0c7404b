/** URLs whose host can exist. */

const MAX_HOST_LENGTH = 253
/** RFC 1123, and underscores, which servers in private networks have. Other schemes than http keep escapes. */
const LABEL = /^(?!-)[\w%-]{1,63}(?<!-)$/
/** WHATWG parsing takes the host of `https:///acme.example` from the path. */
const WITHOUT_HOST = /^\s*https?:(?!\/\/[^/\\])/i

/**
 * The URL; undefined if the text isn't an absolute URL, or names a host that can't exist: one with an empty label such as
 * `acme..example`, with a label of more than 63 characters, with port 0.
 */
export function parseUrl(text: string): URL | undefined {
  if (!URL.canParse(text) || WITHOUT_HOST.test(text)) return undefined
  const url = new URL(text)
  return url.port !== '0' && canExist(url.hostname) ? url : undefined
}

const PATTERN_LABEL = '[\\w\\u0080-\\uffff](?:[\\w\\u0080-\\uffff-]{0,61}[\\w\\u0080-\\uffff])?'

const PATTERN_PORT = '(?:[1-9]\\d{0,3}|[1-5]\\d{4}|6[0-4]\\d{3}|65[0-4]\\d{2}|655[0-2]\\d|6553[0-5])'

/**
 * JSON Schema pattern of an empty text or a URL whose host can exist, for options that take it from the environment.
 * @param schemes a pattern: `rtmps?`.
 * @param form `host:port` needs a port, and has neither a user nor a path.
 */
export function urlPattern(schemes: string, form: 'url' | 'host:port' = 'url'): string {
  const host = `(?:\\[[\\dA-Fa-f:.]+\\]|${PATTERN_LABEL}(?:\\.${PATTERN_LABEL})*\\.?)`
  const url = form === 'url' ? `(?:[^/?#\\s]+@)?${host}(?::${PATTERN_PORT})?(?:[/?#]\\S*)?` : `${host}:${PATTERN_PORT}`
  return `^(?:(?:${schemes})://${url})?$`
}

function canExist(hostname: string): boolean {
  // Schemes such as `mailto:` have no host. Parsing has checked an IPv6 address.
  if (hostname === '' || hostname.startsWith('[')) return true
  const name = hostname.replace(/\.$/, '')
  return name.length <= MAX_HOST_LENGTH && name.split('.').every(label => LABEL.test(label))
}

const ORIGIN = /^https?:\/\/[a-z0-9.-]+(:[0-9]{1,5})?$/

/**
 * The origin as browsers write it, such as `https://shop.example`. International domains become `xn--…`. Undefined for any
 * other text.
 */
export function originOf(text: string): string | undefined {
  const url = parseUrl(text)
  if (!url) return undefined
  const { origin } = url
  const isInternational = /^https?:\/\/[^/?#@]*[^\p{ASCII}][^/?#@]*$/u.test(text)
  // Delimiters of policies have wide forms, such as U+FF1B, which become ASCII in a domain.
  return (origin === text || isInternational) && ORIGIN.test(origin) ? origin : undefined
}
