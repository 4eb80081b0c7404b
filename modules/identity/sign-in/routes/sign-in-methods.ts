/** Ways to sign in: those of the product, and the caller's own. */
import { common, listOf, route, Type } from '@larder-dev/larder/kernel'
import { WayLabel } from '../../domain/fields.ts'
import { signInMethodLimits } from '../../domain/rate-limits.ts'
import { RECENT_AUTH } from '../../domain/recent-proof.ts'
import { signInProblems } from '../problems.ts'
import { SignInMethodList, SignInWay } from '../records/sign-in.ts'
import type { SignInServices } from '../services.ts'

/** An account belongs to a user: API keys can't change it, and it needs no tenant. */
const ownAccount = { allow: 'user', apiKeys: false, unit: 'own' } as const

export function signInMethodRoutes({ identities, settings, signIn }: SignInServices) {
  const methods = route({
    method: 'get',
    path: '/auth/methods',
    operationId: 'listSignInMethods',
    summary: 'Lists the ways to sign in to this product.',
    allow: 'public',
    replies: { 200: SignInMethodList },
    handle: async () => ({ data: [...signIn.methods()], registration: settings.openRegistration }),
  })

  const list = route({
    ...ownAccount,
    method: 'get',
    path: '/auth/me/sign-in-methods',
    operationId: 'listOwnSignInMethods',
    summary: "Lists the caller's own ways to sign in.",
    replies: { 200: listOf(SignInWay) },
    handle: async ({ caller }) => ({ data: [...(await identities.list(caller.userId))], nextCursor: null }),
  })

  const remove = route({
    ...ownAccount,
    method: 'delete',
    path: '/auth/me/sign-in-methods/:id',
    operationId: 'removeOwnSignInMethod',
    summary: "Removes one of the caller's ways to sign in.",
    // A passkey may be the second factor.
    recentAuth: RECENT_AUTH,
    replies: { 204: null },
    problems: [common.not_found, signInProblems.last_sign_in_method],
    limits: signInMethodLimits,
    handle: ({ caller, params }) => identities.remove(caller, params.id),
  })

  const rename = route({
    ...ownAccount,
    method: 'patch',
    path: '/auth/me/sign-in-methods/:id',
    operationId: 'renameOwnSignInMethod',
    summary: "Renames a passkey, or the caller's account at a provider.",
    body: Type.Object({ label: WayLabel }),
    replies: { 200: SignInWay },
    problems: [common.not_found],
    handle: ({ caller, params, body }) => identities.rename(caller.userId, params.id, body),
  })

  return [methods, list, rename, remove]
}
