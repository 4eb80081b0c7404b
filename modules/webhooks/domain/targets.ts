/** What a webhook's address says of itself, before any name is looked up. Pure. */
import { isIP } from 'node:net'
import type { WebhookTargets } from '../ports.ts'
import { isPublicAddress } from './ip-addresses.ts'

const MAX_LENGTH = 2048

/** A URL taken apart for who connects. */
export interface Target {
  readonly url: URL
  /** Lower case, without the brackets of IPv6 and without a dot at its end. */
  readonly hostname: string
  readonly port: number
  readonly secure: boolean
  /** `hostname:port`: what the limit of requests under way counts. */
  readonly host: string
  /** Without query: where a request may hang that another to the same host may not. */
  readonly address: string
}

/**
 * Undefined for what is no http or https address. WHATWG parsing has made `0x7f.1`, `017700000001` and
 * `2130706433` into 127.0.0.1 by then.
 */
export function targetOf(text: string): Target | undefined {
  if (text.length > MAX_LENGTH || !URL.canParse(text)) return undefined
  const url = new URL(text)
  const secure = url.protocol === 'https:'
  if (!secure && url.protocol !== 'http:') return undefined
  const hostname = url.hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '')
  if (hostname === '') return undefined
  const port = url.port === '' ? (secure ? 443 : 80) : Number(url.port)
  const host = `${hostname}:${port}`
  return { url, hostname, port, secure, host, address: `${host}${url.pathname}` }
}

/** Hosts that an operator lets webhooks reach whatever their address: `localhost, hooks.internal:8080`. */
export function createAllowed(hosts: string | readonly string[] = []) {
  const entries = (typeof hosts === 'string' ? hosts.split(',') : hosts)
    .map(host =>
      host
        .trim()
        .toLowerCase()
        .replace(/^\[(.*)\]$/, '$1')
        .replace(/\.+$/, ''),
    )
    .filter(host => host !== '')
  return (target: Pick<Target, 'hostname' | 'host'>): boolean =>
    entries.includes(target.hostname) || entries.includes(target.host)
}
export type Allowed = ReturnType<typeof createAllowed>

export const createTargets = (isAllowed: Allowed): WebhookTargets => ({
  refusal(text) {
    const target = targetOf(text)
    if (!target) return `must be a whole http or https address of at most ${MAX_LENGTH} characters`
    if (target.url.username !== '' || target.url.password !== '') return 'must not hold a user name or password'
    if (isAllowed(target) || isIP(target.hostname) === 0 || isPublicAddress(target.hostname)) return undefined
    return 'must not name a private address'
  },
})
