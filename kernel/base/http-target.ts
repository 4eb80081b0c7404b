/** The parts of http and https URLs. Looks no name up. */

export const MAX_URL_LENGTH = 2048

/** A parsed URL with the parts needed for connecting. */
export interface Target {
  readonly url: URL
  /** Lower case, without IPv6 brackets and trailing dots. */
  readonly hostname: string
  readonly port: number
  readonly secure: boolean
  /** `hostname:port`, the unit of the limit on concurrent requests. */
  readonly host: string
  /** Host and path without query, the unit of response speeds. */
  readonly address: string
}

/** Each webhook needs its target when it is queued, checked and sent. */
const cache = new Map<string, Target | undefined>()
const MAX_CACHED = 1000

/**
 * Undefined if the text is not an http or https URL. WHATWG parsing normalizes `0x7f.1`, `017700000001` and `2130706433`
 * to 127.0.0.1.
 */
export function parseTarget(text: string): Target | undefined {
  if (text.length > MAX_URL_LENGTH) return undefined
  if (cache.has(text)) return cache.get(text)
  const target = parse(text)
  if (cache.size >= MAX_CACHED) cache.clear()
  cache.set(text, target)
  return target
}

function parse(text: string): Target | undefined {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  const secure = url.protocol === 'https:'
  if (!secure && url.protocol !== 'http:') return undefined
  const hostname = url.hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '')
  if (hostname === '') return undefined
  const port = url.port === '' ? (secure ? 443 : 80) : Number(url.port)
  const host = `${hostname}:${port}`
  return { url, hostname, port, secure, host, address: `${host}${url.pathname}` }
}

/** Whether the URL leads to this machine, by its host. */
export const isThisMachine = ({ hostname }: Pick<Target, 'hostname'>): boolean =>
  isLoopbackName(hostname) || hostname === '::1' || /^127(\.\d+){3}$/.test(hostname)

/** Whether the name is one of this machine in every network. */
export const isLoopbackName = (hostname: string): boolean => hostname === 'localhost' || hostname.endsWith('.localhost')
