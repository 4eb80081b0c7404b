/** The end of a sign-in that a native app started in the browser. */
import { route, Type } from '@larder-dev/larder/kernel'
import { signInAddressLimit } from '../../domain/rate-limits.ts'
import { codeProblems } from '../codes/problems.ts'
import { signInProblems } from '../problems.ts'
import { SignedInReply } from '../records/sign-in.ts'
import type { SignInServices } from '../services.ts'
import { EARLIER_LOGIN } from '../sso/sso-requirement.ts'
import { createSignedInReply } from './signed-in.ts'

/** Responses contain secrets, so they are never stored for idempotent retries, and a login belongs to no workspace. */
const common = { method: 'post', allow: 'public', idempotent: false, unit: 'own' } as const

export function appCodeRoutes(deps: SignInServices) {
  const { appCodes, settings, signInCompletion } = deps
  if (settings.apps.length === 0) return []
  const signedInReply = createSignedInReply(deps)
  return [
    route({
      path: '/auth/app-code/verify',
      operationId: 'signInWithAppCode',
      summary: 'Signs a native app in with the code that `/sign-in/app` returned to it.',
      ...common,
      body: Type.Object({
        code: Type.String({ pattern: '^[A-Za-z0-9_-]{43}$', description: 'Works once, for a minute' }),
        codeVerifier: Type.String({
          pattern: '^[A-Za-z0-9._~-]{43,128}$',
          description: 'The text whose SHA-256 was the `code_challenge` (RFC 7636)',
        }),
      }),
      replies: { 200: SignedInReply },
      problems: [codeProblems.invalid_code, signInProblems.invalid_credentials],
      limits: [signInAddressLimit],
      async handle({ body, caller, request }) {
        const signedIn = await appCodes.redeem(body.code, body.codeVerifier)
        if (!signedIn) throw codeProblems.invalid_code()
        const finished = await signInCompletion.finish(signedIn, request, {
          token: true,
          caller,
          // The browser that got the code has signed in, with all of its factors.
          verifiedBy: EARLIER_LOGIN,
          secondFactor: true,
        })
        return signedInReply(finished)
      },
    }),
  ]
}
