/** Cross-site rules: decides whether a request comes from a page of this site. Pure. */
import type { IncomingHttpHeaders } from 'node:http'

export interface Site {
  /** `https://acme.test`. */
  readonly origin: string
  /** True outside production, where a page may be opened under any host name: Host then defines the origin. */
  readonly trustHost: boolean
}

export function isSameOrigin(site: Site, headers: IncomingHttpHeaders): boolean {
  const { origin, host } = headers
  if (origin === undefined) return false
  return origin === site.origin || (site.trustHost && (origin === `http://${host}` || origin === `https://${host}`))
}

/**
 * Checks mutating requests with a cookie. Accepts pages of this site, and clients other than browsers, which send neither
 * header: a browser sends `Origin` with every write that a page of another site makes, and no SameSite=Lax cookie.
 */
export function isSameSite(site: Site, headers: IncomingHttpHeaders): boolean {
  const fetchSite = headers['sec-fetch-site']
  if (fetchSite === 'same-origin' || fetchSite === 'none' || isSameOrigin(site, headers)) return true
  return fetchSite === undefined && headers.origin === undefined
}

/** Checks form posts of pages. Browsers always send their origin with these, so a missing one is refused. */
export const isSameOriginForm = (site: Site, headers: IncomingHttpHeaders): boolean =>
  headers['sec-fetch-site'] === 'same-origin' || isSameOrigin(site, headers)

export const isMutating = (method: string): boolean => method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS'
