import { type Product, SECOND } from 'larder/kernel'
import { type CookieRules, goneCookies, sessionCookie, tenantCookie } from '../domain/cookies.ts'
import type { IdentitySettings } from '../options.ts'

type Headers = Readonly<Record<'set-cookie', readonly string[]>>

/** The headers that hand cookies to a browser and take them back. */
export interface CookieHeaders {
  signedIn(secret: string): Headers
  inTenant(tenantId: string): Headers
  readonly signedOut: Headers
}

export function cookieHeaders(product: Product, { loginMax }: IdentitySettings): CookieHeaders {
  const secure = product.publicUrl.startsWith('https://')
  const rules: CookieRules = { secure, maxAge: Math.floor(loginMax / SECOND) }
  return {
    signedIn: secret => ({ 'set-cookie': [sessionCookie(secret, rules)] }),
    inTenant: tenantId => ({ 'set-cookie': [tenantCookie(tenantId, rules)] }),
    signedOut: { 'set-cookie': goneCookies(secure) },
  }
}
