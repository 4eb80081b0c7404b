import { DAY, type Deps, SECOND } from '@larder-dev/larder/kernel'
import { type CookieAttributes, tenantCookie } from '@larder-dev/larder/kernel/internal'
import {
  clearedCookies,
  clearedOperatorCookie,
  clearedTenantCookie,
  hiddenChecklistCookie,
  loginCookie,
  operatorCookie,
  pendingCookie,
} from './cookies.ts'
import { IMPERSONATION_TTL_MS, PENDING_TTL_MS } from './lifetimes.ts'

const HIDDEN_CHECKLIST_SECONDS = (365 * DAY) / SECOND

export type SetCookieHeaders = Readonly<Record<'set-cookie', readonly string[]>>

/** Response headers that set and clear the cookies of a browser. */
export interface LoginCookies {
  /** The `Set-Cookie` header of a login. */
  signedIn(secret: string): string
  /** The `Set-Cookie` header of a sign-in that waits for its second factor. */
  pending(secret: string): string
  /** The secret of `pending` in a `Cookie` header. */
  pendingIn(header: string | undefined): string | undefined
  /** The `Set-Cookie` header that ends `pending`. */
  readonly noPending: string
  /** The `Set-Cookie` header that selects the tenant; without one, pages show that in which the person worked last. */
  ofTenant(tenantId: string | undefined): string
  inTenant(tenantId: string): SetCookieHeaders
  /** After the user left or deleted the selected tenant. */
  readonly noTenant: SetCookieHeaders
  readonly signedOut: SetCookieHeaders
  /** `own`: the login cookie of the operator. */
  impersonating(login: { readonly cookie: string; readonly tenantId: string }, own: string): SetCookieHeaders
  /** Signs in with the operator's own login; signs out without it. */
  impersonationEnded(own: string | undefined): SetCookieHeaders
  readonly hiddenChecklist: SetCookieHeaders
  /** Clears the login, and makes the device known to the account whose password was reset. */
  afterReset(device: string): SetCookieHeaders
}

type Needs = Deps<'product'> & { readonly settings: { readonly loginMaxAge: number } }

export function createLoginCookies({ product, settings }: Needs): LoginCookies {
  const secure = product.publicUrl.startsWith('https://')
  const attributes: CookieAttributes = { secure, maxAge: Math.floor(settings.loginMaxAge / SECOND) }
  const ofTenant: LoginCookies['ofTenant'] = tenantId =>
    tenantId === undefined ? clearedTenantCookie(secure) : tenantCookie(tenantId, attributes)
  return {
    signedIn: secret => loginCookie(secret, attributes),
    pending: secret => pendingCookie.set(secret, { secure, maxAge: PENDING_TTL_MS / SECOND }),
    pendingIn: header => pendingCookie.read(header, secure),
    noPending: pendingCookie.set('', { secure, maxAge: 0 }),
    ofTenant,
    inTenant: tenantId => ({ 'set-cookie': [ofTenant(tenantId)] }),
    impersonating: ({ cookie, tenantId }, own) => ({
      'set-cookie': [
        loginCookie(cookie, { secure, maxAge: IMPERSONATION_TTL_MS / SECOND }),
        operatorCookie(own, attributes),
        ofTenant(tenantId),
      ],
    }),
    impersonationEnded: own => ({
      'set-cookie': [
        ...(own === undefined ? clearedCookies(secure) : [loginCookie(own, attributes), clearedTenantCookie(secure)]),
        clearedOperatorCookie(secure),
      ],
    }),
    noTenant: { 'set-cookie': [clearedTenantCookie(secure)] },
    hiddenChecklist: { 'set-cookie': [hiddenChecklistCookie({ secure, maxAge: HIDDEN_CHECKLIST_SECONDS })] },
    signedOut: { 'set-cookie': clearedCookies(secure) },
    afterReset: device => ({ 'set-cookie': [...clearedCookies(secure), device] }),
  }
}
