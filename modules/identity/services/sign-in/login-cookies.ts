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
} from '../../domain/cookies.ts'
import { IMPERSONATION_TTL_MS, PENDING_TTL_MS } from '../../domain/lifetimes.ts'
import type { IdentitySettings } from '../../options.ts'

const HIDDEN_CHECKLIST_SECONDS = (365 * DAY) / SECOND

type SetCookieHeaders = Readonly<Record<'set-cookie', readonly string[]>>

/** Response headers that set and clear the cookies of a browser. */
export interface LoginCookies {
  /** `more`: headers that make the device known, or trusted. */
  signedIn(secret: string, ...more: readonly (string | undefined)[]): SetCookieHeaders
  /** The `Set-Cookie` header of a sign-in that waits for its second factor. */
  pending(secret: string): string
  /** The secret of `pending` in a `Cookie` header. */
  pendingIn(header: string | undefined): string | undefined
  /** `signedIn` after a second factor. */
  finished(secret: string, ...more: readonly (string | undefined)[]): SetCookieHeaders
  inTenant(tenantId: string): SetCookieHeaders
  /** `inTenant`, with a login that replaces that of the request. */
  joined(tenantId: string): SetCookieHeaders
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

type Needs = Deps<'product'> & { readonly settings: IdentitySettings }

export function createLoginCookies({ product, settings }: Needs): LoginCookies {
  const secure = product.publicUrl.startsWith('https://')
  const attributes: CookieAttributes = { secure, maxAge: Math.floor(settings.loginMaxAge / SECOND) }
  const signedIn: LoginCookies['signedIn'] = (secret, ...more) => ({
    'set-cookie': [loginCookie(secret, attributes), ...more.filter(header => header !== undefined)],
  })
  return {
    signedIn,
    pending: secret => pendingCookie.set(secret, { secure, maxAge: PENDING_TTL_MS / SECOND }),
    pendingIn: header => pendingCookie.read(header, secure),
    finished: (secret, ...more) => signedIn(secret, ...more, pendingCookie.set('', { secure, maxAge: 0 })),
    inTenant: tenantId => ({ 'set-cookie': [tenantCookie(tenantId, attributes)] }),
    joined: tenantId => ({ 'set-cookie': [tenantCookie(tenantId, attributes)] }),
    impersonating: ({ cookie, tenantId }, own) => ({
      'set-cookie': [
        loginCookie(cookie, { secure, maxAge: IMPERSONATION_TTL_MS / SECOND }),
        operatorCookie(own, attributes),
        tenantCookie(tenantId, attributes),
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
