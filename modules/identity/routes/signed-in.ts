/** What the routes that sign in share. */
import { type Caller, type RequestFacts, reply, SECOND, together } from '@larder-dev/larder/kernel'
import { acceptedLocale } from '@larder-dev/larder/kernel/internal'
import type { IdentitySettings } from '../options.ts'
import type { AddressLogin } from '../services/sign-in/address-sign-in.ts'
import type { IssuedLogin, LoginOptions } from '../services/sign-in/logins.ts'
import type { SignedIn } from '../services/sign-in/sign-in.ts'
import type { IdentityServices } from '../services.ts'

type Services = Pick<IdentityServices, 'cookies' | 'devices' | 'memberships' | 'settings' | 'tenants' | 'users'>

/**
 * Responses contain secrets, so they are never stored for idempotent retries. A login belongs to no workspace, and no
 * connection waits while a password is hashed.
 */
export const secretReplies = { idempotent: false, unit: 'own' } as const

/** The reply to a client that signed in: `SignedInReply`, with the cookie. `more`: further fields. */
export function createSignedInReply({ cookies, devices, memberships, settings, tenants, users }: Services) {
  const expiresIn = Math.floor(settings.loginTtl / SECOND)
  return async ({ userId, email, login, trusted }: AddressLogin, request: RequestFacts, more: object = {}) => {
    const { user, home } = await together({
      user: users.get(userId),
      home: memberships.ofUser(userId).then(([first]) => first),
    })
    const workspace = home ? await tenants.withPlan(home.tenant) : null
    const headers = cookies.signedIn(login.cookie, devices.remember(request.headers, email), trusted)
    return reply(200, { user, token: login.token, expiresIn, workspace, ...more }, headers)
  }
}

/** Signs a client in whose user has been verified. */
export function createLoginStart(deps: Services & Pick<IdentityServices, 'logins'>) {
  const signedInReply = createSignedInReply(deps)
  return async (
    signedIn: SignedIn,
    caller: Caller | undefined,
    request: RequestFacts,
    { secondFactor }: Pick<LoginOptions, 'secondFactor'> = {},
  ) => {
    const options = { token: true, previousLoginId: loginOfCookie(caller), secondFactor }
    return signedInReply({ ...signedIn, login: await deps.logins.start(signedIn, request, options) }, request)
  }
}

/** A login that replaces another one: `NewLogin`, without the cookie. */
export const newLogin = (login: IssuedLogin | null, { loginTtl }: Pick<IdentitySettings, 'loginTtl'>) =>
  login && { token: login.token ?? null, expiresIn: Math.floor(loginTtl / SECOND) }

/** Empty for a product with one language, because it may get another one later. */
export function languageOf({ headers }: RequestFacts, available: readonly string[]): { locale?: string } {
  const locale = available.length > 1 ? acceptedLocale(headers['accept-language'], available) : undefined
  return locale === undefined ? {} : { locale }
}

/** The login of the cookie, which a new one replaces. */
export const loginOfCookie = (caller: Caller | undefined): string | undefined =>
  caller?.credential === 'cookie' ? caller.principalId : undefined
