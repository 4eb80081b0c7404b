/** What the routes that sign in share. */
import { type RequestFacts, reply, SECOND, together } from '@larder-dev/larder/kernel'
import { acceptedLocale } from '@larder-dev/larder/kernel/internal'
import type { IdentitySettings } from '../../options.ts'
import { planHolderOf } from '../../workspaces/tenant-record.ts'
import type { SignInServices } from '../services.ts'
import type { FinishedSignIn } from '../sign-in-completion.ts'

/**
 * Responses contain secrets, so they are never stored for idempotent retries. A login belongs to no workspace, and no
 * connection waits while a password is hashed.
 */
export const secretReplies = { idempotent: false, unit: 'own' } as const

/** The reply to a client that signed in: `SignedInReply`, with the cookies. `more`: further fields. */
export function createSignedInReply({ memberships, settings, tenants, users }: SignInServices) {
  const expiresIn = Math.floor(settings.loginTtl / SECOND)
  return async ({ userId, token, headers }: FinishedSignIn, more: object = {}) => {
    const { user, home } = await together({
      user: users.get(userId),
      home: memberships.ofUser(userId).then(([first]) => first),
    })
    const workspace = home ? await tenants.withPlan(home.tenant, planHolderOf(settings, home)) : null
    return reply(200, { user, token, expiresIn, workspace, ...more }, headers)
  }
}

/** A login that replaces another one: `NewLogin`, without the cookie. */
export const newLogin = (
  login: Pick<FinishedSignIn, 'token'> | null,
  { loginTtl }: Pick<IdentitySettings, 'loginTtl'>,
) => login && { token: login.token ?? null, expiresIn: Math.floor(loginTtl / SECOND) }

/** Empty for a product with one language, because it may get another one later. */
export function languageOf({ headers }: RequestFacts, available: readonly string[]): { locale?: string } {
  const locale = available.length > 1 ? acceptedLocale(headers['accept-language'], available) : undefined
  return locale === undefined ? {} : { locale }
}
