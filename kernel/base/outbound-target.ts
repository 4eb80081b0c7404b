/** Validation of URLs to which tenants let the server send requests, without DNS lookups. */
import { isIP } from 'node:net'
import { isPublicAddress } from './public-address.ts'
import { parseUrl } from './web-address.ts'

export const MAX_URL_LENGTH = 2048

export type IsAllowedHost = (target: Pick<Target, 'hostname' | 'host'>) => boolean

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

/**
 * Hosts that requests may reach regardless of their address: `localhost, hooks.internal:8080`.
 * @param thisMachine allows loopback hosts too, for development
 */
export function parseAllowedHosts(hosts: string | readonly string[] = [], thisMachine = false): IsAllowedHost {
  const entries = (typeof hosts === 'string' ? hosts.split(',') : hosts)
    .map(host =>
      host
        .trim()
        .toLowerCase()
        .replace(/^\[(.*)\]$/, '$1')
        .replace(/\.+$/, ''),
    )
    .filter(host => host !== '')
  return target =>
    entries.includes(target.hostname) || entries.includes(target.host) || (thisMachine && isLoopback(target.hostname))
}

const isLoopbackName = (hostname: string): boolean => hostname === 'localhost' || hostname.endsWith('.localhost')
const isLoopback = (hostname: string): boolean =>
  isLoopbackName(hostname) || hostname === '::1' || (isIP(hostname) === 4 && hostname.startsWith('127.'))

export interface OutboundTargets {
  /** Why the URL is not allowed, as the end of a sentence; undefined if it is. Does no DNS lookup. */
  refusal(url: string): string | undefined
}

/** @param setting path of the option of the recipe that allows hosts */
export const createTargets = (isAllowed: IsAllowedHost, setting: string): OutboundTargets => ({
  refusal(text) {
    const target = parseTarget(text)
    if (!target) return `must be an absolute http or https URL of at most ${MAX_URL_LENGTH} characters`
    if (target.url.username !== '' || target.url.password !== '') return 'must not contain a user name or password'
    if (target.port === 0) return 'must not use port 0'
    if (!parseUrl(text)) return 'must name a host that can exist'
    if (isAllowed(target)) return undefined
    const isName = isIP(target.hostname) === 0
    const isPublic = isName ? !isLoopbackName(target.hostname) : isPublicAddress(target.hostname)
    return isPublic
      ? undefined
      : `must not lead to this machine or a private network, unless \`${setting}\` of the recipe names the host`
  },
})
