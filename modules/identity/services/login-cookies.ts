import { type Product, SECOND } from 'larder/kernel'
import { type CookieAttributes, clearedCookies, loginCookie, tenantCookie } from '../domain/cookies.ts'
import type { IdentitySettings } from '../options.ts'

type SetCookieHeaders = Readonly<Record<'set-cookie', readonly string[]>>

/** Response headers that set and clear the cookies of a browser. */
export interface LoginCookies {
  signedIn(secret: string): SetCookieHeaders
  inTenant(tenantId: string): SetCookieHeaders
  readonly signedOut: SetCookieHeaders
}

export function createLoginCookies(product: Product, { loginMaxAge }: IdentitySettings): LoginCookies {
  const secure = product.publicUrl.startsWith('https://')
  const attributes: CookieAttributes = { secure, maxAge: Math.floor(loginMaxAge / SECOND) }
  return {
    signedIn: secret => ({ 'set-cookie': [loginCookie(secret, attributes)] }),
    inTenant: tenantId => ({ 'set-cookie': [tenantCookie(tenantId, attributes)] }),
    signedOut: { 'set-cookie': clearedCookies(secure) },
  }
}
