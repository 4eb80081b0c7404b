/** Cookies (RFC 6265). */

/** Authenticates. */
export const LOGIN_COOKIE = 'platform_session'
/** Selects the tenant of pages; grants nothing. */
export const TENANT_COOKIE = 'platform_tenant'
/** Raises the rate limits of a known device; grants nothing. */
export const DEVICE_COOKIE = 'platform_device'
/** Connects a sign-in with a redirect to the browser that started it. */
export const FLOW_COOKIE = 'platform_sign_in'
/** Set once a user hides the first steps on the home page. */
export const CHECKLIST_COOKIE = 'platform_checklist'
/** The operator's own login, while they act as another user. */
export const OPERATOR_COOKIE = 'platform_operator'
const FLOW_PATH = '/sign-in'

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

export const deviceCookie = (value: string, attributes: CookieAttributes): string =>
  setCookie(DEVICE_COOKIE, value, attributes)

export const flowCookie = (value: string, attributes: CookieAttributes): string =>
  setCookie(FLOW_COOKIE, value, attributes, FLOW_PATH)

export const hiddenChecklistCookie = (attributes: CookieAttributes): string =>
  setCookie(CHECKLIST_COOKIE, 'hidden', attributes)

export const operatorCookie = (secret: string, attributes: CookieAttributes): string =>
  setCookie(OPERATOR_COOKIE, secret, attributes)

export const clearedOperatorCookie = (secure: boolean): string => setCookie(OPERATOR_COOKIE, '', { secure, maxAge: 0 })

/** The `Set-Cookie` header that selects no tenant. */
export const clearedTenantCookie = (secure: boolean): string => setCookie(TENANT_COOKIE, '', { secure, maxAge: 0 })

/** `Set-Cookie` headers that delete the cookies of a login. The device stays known. */
export const clearedCookies = (secure: boolean): readonly string[] =>
  [LOGIN_COOKIE, TENANT_COOKIE].map(name => setCookie(name, '', { secure, maxAge: 0 }))

/** The first cookie of this name in a `Cookie` header. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  const pairs = header?.split(';').map(pair => pair.trim()) ?? []
  return pairs.find(pair => pair.startsWith(`${name}=`))?.slice(name.length + 1)
}

function setCookie(name: string, value: string, { secure, maxAge }: CookieAttributes, path = '/'): string {
  return `${name}=${value}; Path=${path}; HttpOnly; SameSite=Lax; Max-Age=${maxAge}${secure ? '; Secure' : ''}`
}
