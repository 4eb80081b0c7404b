/** Cookies (RFC 6265) that the kernel and modules share. */
import { parseCookie, stringifySetCookie } from 'cookie'
import { DAY, SECOND } from './units.ts'

/** Holds the secret of a login. */
export const LOGIN_COOKIE = 'platform_session'
/** Selects the tenant of pages; grants nothing. */
export const TENANT_COOKIE = 'platform_tenant'

export interface CookieAttributes {
  /** True if the public URL uses HTTPS. */
  readonly secure: boolean
  /** Seconds. 0 deletes the cookie. */
  readonly maxAge: number
  /** Default: `/`. */
  readonly path?: string
  /** Default: true. False for a cookie that scripts of pages may read. */
  readonly httpOnly?: boolean
}

/** The first cookie of this name in a `Cookie` header; undefined if it is missing or empty. */
export const readCookie = (header: string | undefined, name: string): string | undefined =>
  header?.includes(name) ? parseCookie(header)[name] || undefined : undefined

/** The value of a `Set-Cookie` header. Requests that other sites start send the cookie only when they open a page. */
export const setCookie = (name: string, value: string, { path = '/', httpOnly = true, ...rest }: CookieAttributes) =>
  stringifySetCookie({ name, value, path, httpOnly, sameSite: 'lax', ...rest })

const TENANT_COOKIE_SECONDS = (30 * DAY) / SECOND

/** The value of a `Set-Cookie` header that makes a tenant the one that pages show. */
export const tenantCookie = (
  tenantId: string,
  { maxAge = TENANT_COOKIE_SECONDS, ...rest }: Omit<CookieAttributes, 'maxAge'> & Partial<CookieAttributes>,
): string => setCookie(TENANT_COOKIE, tenantId, { maxAge, ...rest })
