/** Whether a request comes from a page of ours: the table of the cross-site rules. Pure. */
import type { IncomingHttpHeaders } from 'node:http'

export interface Site {
  /** `https://acme.test`. */
  readonly origin: string
  /** Outside production a page may be read under any name of this machine: then Host says which origin is ours. */
  readonly trustHost: boolean
}

export function isSameOrigin(site: Site, headers: IncomingHttpHeaders): boolean {
  const { origin, host } = headers
  if (origin === undefined) return false
  return origin === site.origin || (site.trustHost && (origin === `http://${host}` || origin === `https://${host}`))
}

/**
 * A mutating request with a cookie: from a page of ours, or from no browser at all, which then sends JSON or names
 * its tenant in a header; a foreign form can do neither without asking first.
 */
export function isSameSite(site: Site, headers: IncomingHttpHeaders): boolean {
  const fetchSite = headers['sec-fetch-site']
  if (fetchSite === 'same-origin' || fetchSite === 'none' || isSameOrigin(site, headers)) return true
  if (fetchSite !== undefined || headers.origin !== undefined) return false
  return headers['x-tenant-id'] !== undefined || isJson(headers['content-type'])
}

/** Posts of page forms: a browser always says where they come from, so silence is refused. */
export const isSameOriginForm = (site: Site, headers: IncomingHttpHeaders): boolean =>
  headers['sec-fetch-site'] === 'same-origin' || isSameOrigin(site, headers)

export const isJson = (type: string | undefined): boolean =>
  type !== undefined && /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(type)

export const isMutating = (method: string): boolean => method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS'
