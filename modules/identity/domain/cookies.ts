/** The login cookie, which authenticates, and the tenant cookie, which only selects a tenant for pages (RFC 6265). */
export const LOGIN_COOKIE = 'platform_session'
export const TENANT_COOKIE = 'platform_tenant'

export interface CookieAttributes {
  /** True if the public URL uses HTTPS. */
  readonly secure: boolean
  /** Seconds. The server also enforces the shorter idle timeout. */
  readonly maxAge: number
}

export const loginCookie = (secret: string, attributes: CookieAttributes): string =>
  setCookie(LOGIN_COOKIE, secret, attributes)

export const tenantCookie = (tenantId: string, attributes: CookieAttributes): string =>
  setCookie(TENANT_COOKIE, tenantId, attributes)

/** `Set-Cookie` headers that delete both cookies. */
export const clearedCookies = (secure: boolean): readonly string[] =>
  [LOGIN_COOKIE, TENANT_COOKIE].map(name => setCookie(name, '', { secure, maxAge: 0 }))

function setCookie(name: string, value: string, { secure, maxAge }: CookieAttributes): string {
  return `${name}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAge}${secure ? '; Secure' : ''}`
}
