/** The two cookies: the session, which opens things, and the tenant, which is a hint for pages alone (RFC 6265). */
export const SESSION_COOKIE = 'platform_session'
export const TENANT_COOKIE = 'platform_tenant'

export interface CookieRules {
  /** Whether the public address is https. */
  readonly secure: boolean
  /** Seconds that a browser keeps it. The server ends a login earlier: it counts the idle time. */
  readonly maxAge: number
}

export const sessionCookie = (secret: string, rules: CookieRules): string => build(SESSION_COOKIE, secret, rules)

export const tenantCookie = (tenantId: string, rules: CookieRules): string => build(TENANT_COOKIE, tenantId, rules)

/** `Set-Cookie` headers that make a browser forget both. */
export const goneCookies = (secure: boolean): readonly string[] =>
  [SESSION_COOKIE, TENANT_COOKIE].map(name => build(name, '', { secure, maxAge: 0 }))

function build(name: string, value: string, { secure, maxAge }: CookieRules): string {
  return `${name}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAge}${secure ? '; Secure' : ''}`
}
