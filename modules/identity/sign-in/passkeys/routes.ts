/** Registration of passkeys, and sign-in with them. */
import { route } from '@larder-dev/larder/kernel'
import { passkeyOptionsLimits, signInAddressLimit, signInMethodLimits } from '../../domain/rate-limits.ts'
import { RECENT_AUTH } from '../../domain/recent-proof.ts'
import { signInProblems } from '../problems.ts'
import { SignedInReply, SignInWay } from '../records/sign-in.ts'
import { createSignedInReply, secretReplies } from '../routes/signed-in.ts'
import type { SignInServices } from '../services.ts'
import { ssoProblems } from '../sso/problems.ts'
import { passkeyProblems } from './problems.ts'
import { AuthenticationBody, PasskeyOptions, RegistrationBody } from './records.ts'

const common = { ...secretReplies, method: 'post' } as const
const own = { ...common, allow: 'user', apiKeys: false } as const

export function passkeyRoutes(deps: SignInServices) {
  const { identities, passkeys, settings, signIn, signInCompletion } = deps
  if (!settings.passkeys) return []
  const signedInReply = createSignedInReply(deps)

  const registrationOptions = route({
    ...own,
    path: '/auth/me/passkeys/options',
    operationId: 'startPasskeyRegistration',
    summary: 'Returns the options for a new passkey of the caller. They work once, for five minutes.',
    verifiedEmail: true,
    // A new passkey proves its person from then on.
    recentAuth: RECENT_AUTH,
    replies: { 200: PasskeyOptions },
    problems: [passkeyProblems.too_many_passkeys],
    limits: signInMethodLimits,
    handle: ({ caller }) => passkeys.registrationOptions(caller),
  })

  const register = route({
    ...own,
    path: '/auth/me/passkeys',
    operationId: 'registerPasskey',
    summary: 'Adds a passkey to the ways to sign in of the caller.',
    verifiedEmail: true,
    body: RegistrationBody,
    replies: { 201: SignInWay },
    problems: [passkeyProblems.invalid_passkey, signInProblems.identity_taken, passkeyProblems.too_many_passkeys],
    limits: signInMethodLimits,
    async handle({ caller, body }) {
      const id = await passkeys.register(caller, body)
      return identities.get(caller.userId, id)
    },
  })

  const options = route({
    ...common,
    path: '/auth/passkey/options',
    operationId: 'startPasskeySignIn',
    summary: 'Returns the options to sign in with a passkey. They work once, for five minutes.',
    allow: 'public',
    replies: { 200: PasskeyOptions },
    limits: passkeyOptionsLimits,
    handle: () => passkeys.authenticationOptions(),
  })

  const verify = route({
    ...common,
    path: '/auth/passkey/verify',
    operationId: 'signInWithPasskey',
    summary: 'Signs in with a passkey. Sets the login cookie and returns a dashboard token.',
    allow: 'public',
    body: AuthenticationBody,
    replies: { 200: SignedInReply },
    problems: [passkeyProblems.invalid_passkey, signInProblems.invalid_credentials, ssoProblems.sso_required],
    limits: [signInAddressLimit],
    async handle({ body, caller, request }) {
      // A passkey verifies its person, so it is both factors.
      const options = { token: true, caller, secondFactor: true } as const
      return signedInReply(await signInCompletion.finish(await signIn.withPasskey(body), request, options))
    },
  })

  return [registrationOptions, register, options, verify]
}
