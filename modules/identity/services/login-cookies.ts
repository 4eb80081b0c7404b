import { DAY, type Product, SECOND } from 'larder/kernel'
import {
  type CookieAttributes,
  clearedCookies,
  clearedTenantCookie,
  hiddenChecklistCookie,
  loginCookie,
  tenantCookie,
} from '../domain/cookies.ts'
import type { IdentitySettings } from '../options.ts'

const HIDDEN_CHECKLIST_SECONDS = (365 * DAY) / SECOND

type SetCookieHeaders = Readonly<Record<'set-cookie', readonly string[]>>

/** Response headers that set and clear the cookies of a browser. */
export interface LoginCookies {
  /** `device`: the header that makes the device known. */
  signedIn(secret: string, device?: string): SetCookieHeaders
  inTenant(tenantId: string): SetCookieHeaders
  /** After the user left or deleted the selected tenant. */
  readonly noTenant: SetCookieHeaders
  readonly signedOut: SetCookieHeaders
  readonly hiddenChecklist: SetCookieHeaders
  /** Clears the login, and makes the device known to the account whose password was reset. */
  afterReset(device: string): SetCookieHeaders
}

export function createLoginCookies(product: Product, { loginMaxAge }: IdentitySettings): LoginCookies {
  const secure = product.publicUrl.startsWith('https://')
  const attributes: CookieAttributes = { secure, maxAge: Math.floor(loginMaxAge / SECOND) }
  return {
    signedIn: (secret, device) => ({
      'set-cookie': [loginCookie(secret, attributes), ...(device === undefined ? [] : [device])],
    }),
    inTenant: tenantId => ({ 'set-cookie': [tenantCookie(tenantId, attributes)] }),
    noTenant: { 'set-cookie': [clearedTenantCookie(secure)] },
    hiddenChecklist: { 'set-cookie': [hiddenChecklistCookie({ secure, maxAge: HIDDEN_CHECKLIST_SECONDS })] },
    signedOut: { 'set-cookie': clearedCookies(secure) },
    afterReset: device => ({ 'set-cookie': [...clearedCookies(secure), device] }),
  }
}
