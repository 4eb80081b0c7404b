/** Cookies of logins and of the pages around them. */
import {
  type CookieAttributes,
  LOGIN_COOKIE,
  readCookie,
  setCookie,
  TENANT_COOKIE,
} from '@larder-dev/larder/kernel/internal'
import { isCookieSecret } from './secrets.ts'

/** Raises the rate limits of a known device; grants nothing. */
export const DEVICE_COOKIE = 'platform_device'
/** Connects a sign-in with a redirect to the browser that started it. */
const FLOW_COOKIE = 'platform_sign_in'
/** Set once a user hides the first steps on the home page. */
export const CHECKLIST_COOKIE = 'platform_checklist'
/** The operator's own login, while they act as another user. */
const OPERATOR_COOKIE = 'platform_operator'
/** A sign-in that waits for its second factor. */
const PENDING_COOKIE = 'platform_pending'
/** Secrets of a browser in which people sign in without the second factor. */
const TRUSTED_COOKIE = 'platform_trusted'
/** Browsers take a cookie with this prefix by HTTPS from this host only, so another host of the domain can't plant one. */
const HOST_PREFIX = '__Host-'

/** A cookie that carries a sign-in. */
interface SignInCookie {
  set(value: string, attributes: CookieAttributes): string
  /** @param header `Cookie` */
  read(header: string | undefined, secure: boolean): string | undefined
}
function signInCookie(name: string): SignInCookie {
  const nameFor = (secure: boolean) => (secure ? HOST_PREFIX + name : name)
  return {
    set: (value, attributes) => setCookie(nameFor(attributes.secure), value, attributes),
    read: (header, secure) => readCookie(header, nameFor(secure)),
  }
}
export const flowCookie = signInCookie(FLOW_COOKIE)
export const pendingCookie = signInCookie(PENDING_COOKIE)
export const trustedCookie = signInCookie(TRUSTED_COOKIE)

export const loginCookie = (secret: string, attributes: CookieAttributes): string =>
  setCookie(LOGIN_COOKIE, secret, attributes)

export const deviceCookie = (value: string, attributes: CookieAttributes): string =>
  setCookie(DEVICE_COOKIE, value, attributes)

export const hiddenChecklistCookie = (attributes: CookieAttributes): string =>
  setCookie(CHECKLIST_COOKIE, 'hidden', attributes)

export const operatorCookie = (secret: string, attributes: CookieAttributes): string =>
  setCookie(OPERATOR_COOKIE, secret, attributes)

/** The operator's own login in a `Cookie` header. */
export function ownCookieIn(header: string | undefined): string | undefined {
  const value = readCookie(header, OPERATOR_COOKIE)
  return value !== undefined && isCookieSecret(value) ? value : undefined
}

export const clearedOperatorCookie = (secure: boolean): string => setCookie(OPERATOR_COOKIE, '', { secure, maxAge: 0 })

/** The `Set-Cookie` header that selects no tenant. */
export const clearedTenantCookie = (secure: boolean): string => setCookie(TENANT_COOKIE, '', { secure, maxAge: 0 })

/** `Set-Cookie` headers that delete the cookies of a login. The device stays known. */
export const clearedCookies = (secure: boolean): readonly string[] =>
  [LOGIN_COOKIE, TENANT_COOKIE].map(name => setCookie(name, '', { secure, maxAge: 0 }))
