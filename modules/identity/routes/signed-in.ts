/** What the routes that sign in share. */
import { acceptedLocale, type Caller, type RequestFacts, SECOND } from '@larder-dev/larder/kernel'
import type { AddressLogin } from '../services/sign-in/address-sign-in.ts'
import type { IdentityServices } from '../services.ts'

type Services = Pick<IdentityServices, 'cookies' | 'devices' | 'memberships' | 'settings' | 'tenants' | 'users'>

/** The body and the headers of the reply of a client that signed in. */
export function createSignedInReply({ cookies, devices, memberships, settings, tenants, users }: Services) {
  const expiresIn = Math.floor(settings.loginTtl / SECOND)
  return async ({ userId, email, login }: AddressLogin, request: RequestFacts) => {
    const [home] = await memberships.ofUser(userId)
    const workspace = home ? await tenants.get(home.tenantId) : null
    const user = await users.get(userId)
    return {
      body: { user, token: login.token, expiresIn, workspace },
      headers: cookies.signedIn(login.cookie, devices.remember(request.headers, email)),
    }
  }
}

/** Empty for a product with one language, because it may get another one later. */
export function languageOf({ headers }: RequestFacts, available: readonly string[]): { locale?: string } {
  const locale = available.length > 1 ? acceptedLocale(headers['accept-language'], available) : undefined
  return locale === undefined ? {} : { locale }
}

/** The login of the cookie, which a new one replaces. */
export const loginOfCookie = (caller: Caller | undefined): string | undefined =>
  caller?.credential === 'cookie' ? caller.principalId : undefined
