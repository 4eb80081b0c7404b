/** Passkeys: registration, sign-in, and the script of the pages. */
import { readFileSync } from 'node:fs'
import { once, rawRoute, reply, route } from '@larder-dev/larder/kernel'
import { passkeyOptionsLimits, removeSignInMethodLimits, signInAddressLimit } from '../domain/rate-limits.ts'
import { problems } from '../problems.ts'
import { AuthenticationBody, PasskeyOptions, RegistrationBody } from '../records/passkey.ts'
import { SignedInReply, SignInWay } from '../records/sign-in.ts'
import type { IdentityServices } from '../services.ts'
import { createSignedInReply, loginOfCookie } from './signed-in.ts'

/** Responses contain secrets, so they are never stored for idempotent retries, and a login belongs to no workspace. */
const common = { method: 'post', idempotent: false, unit: 'own' } as const
const own = { ...common, allow: 'user', apiKeys: false } as const

export function passkeyRoutes(deps: IdentityServices) {
  const { identities, logins, passkeys, settings, signIn } = deps
  if (!settings.passkeys) return []
  const signedInReply = createSignedInReply(deps)

  const registrationOptions = route({
    ...own,
    path: '/auth/me/passkeys/options',
    operationId: 'startPasskeyRegistration',
    summary: 'Returns the options for a new passkey of the caller. They work once, for five minutes.',
    verifiedEmail: true,
    replies: { 200: PasskeyOptions },
    problems: [problems.too_many_passkeys],
    limits: removeSignInMethodLimits,
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
    problems: [problems.invalid_passkey, problems.identity_taken],
    limits: removeSignInMethodLimits,
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
    summary: 'Signs in with a passkey. Sets the session cookie and returns a dashboard token.',
    allow: 'public',
    body: AuthenticationBody,
    replies: { 200: SignedInReply },
    problems: [problems.invalid_passkey, problems.invalid_credentials],
    limits: [signInAddressLimit],
    async handle({ body, caller, request }) {
      const signedIn = await signIn.withPasskey(request, body)
      const login = await logins.start(signedIn, request, { token: true, previousLoginId: loginOfCookie(caller) })
      const { body: replied, headers } = await signedInReply({ ...signedIn, login }, request)
      return reply(200, replied, headers)
    },
  })

  return [registrationOptions, register, options, verify]
}

/** The library for browsers, which the build copies, followed by the script of the pages. */
const script = once(() =>
  ['webauthn-browser.js', 'passkeys.js']
    .map(name => readFileSync(new URL(`../pages/${name}`, import.meta.url), 'utf8'))
    .join('\n'),
)

export const passkeyScript = ({ settings }: IdentityServices) =>
  settings.passkeys
    ? [
        rawRoute({
          method: 'get',
          path: '/sign-in/passkey/script.js',
          operationId: 'getPasskeyScript',
          summary: 'The script of the pages that use passkeys.',
          allow: 'public',
          docs: { replies: { 200: { 'text/javascript': null } } },
          async handle(_request, response) {
            response.setHeader('cache-control', 'public, max-age=3600')
            response.type('text/javascript').send(script())
          },
        }),
      ]
    : []
