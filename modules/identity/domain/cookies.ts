/** Cookies of logins and of the pages around them. */
import { type CookieAttributes, LOGIN_COOKIE, setCookie, TENANT_COOKIE } from '@larder-dev/larder/kernel'

/** Raises the rate limits of a known device; grants nothing. */
export const DEVICE_COOKIE = 'platform_device'
/** Connects a sign-in with a redirect to the browser that started it. */
export const FLOW_COOKIE = 'platform_sign_in'
/** Set once a user hides the first steps on the home page. */
export const CHECKLIST_COOKIE = 'platform_checklist'
/** The operator's own login, while they act as another user. */
export const OPERATOR_COOKIE = 'platform_operator'
/** A sign-in that waits for its second factor. */
export const PENDING_COOKIE = 'platform_pending'
/** Secrets of a browser in which people sign in without the second factor. */
export const TRUSTED_COOKIE = 'platform_trusted'
const FLOW_PATH = '/sign-in'

export const loginCookie = (secret: string, attributes: CookieAttributes): string =>
  setCookie(LOGIN_COOKIE, secret, attributes)

export const deviceCookie = (value: string, attributes: CookieAttributes): string =>
  setCookie(DEVICE_COOKIE, value, attributes)

export const trustedCookie = (value: string, attributes: CookieAttributes): string =>
  setCookie(TRUSTED_COOKIE, value, attributes)

export const flowCookie = (value: string, attributes: CookieAttributes): string =>
  setCookie(FLOW_COOKIE, value, { ...attributes, path: FLOW_PATH })

export const pendingCookie = (secret: string, attributes: CookieAttributes): string =>
  setCookie(PENDING_COOKIE, secret, { ...attributes, path: FLOW_PATH })

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
