/** Sign-in with methods of modules, and sign-out. */
import { reply, route, Type } from '@larder-dev/larder/kernel'
import { actorOf } from '../../audit/audit-log.ts'
import { ownCookieIn } from '../../domain/cookies.ts'
import { loginLimits } from '../../domain/rate-limits.ts'
import { signInProblems } from '../problems.ts'
import { SignedInReply } from '../records/sign-in.ts'
import { secondFactorProblems } from '../second-factor/problems.ts'
import type { SignInServices } from '../services.ts'
import { ssoProblems } from '../sso/problems.ts'
import { createSignedInReply, secretReplies } from './signed-in.ts'

export function authRoutes(deps: SignInServices) {
  const { cookies, devices, impersonations, logins, signIn, signInCompletion } = deps
  const signedInReply = createSignedInReply(deps)

  const signInWithMethod = route({
    ...secretReplies,
    method: 'post',
    path: '/auth/login/:method',
    operationId: 'signInWithMethod',
    summary: 'Signs in with a method that a module registered. Its strategy defines the body.',
    allow: 'public',
    body: Type.Record(Type.String(), Type.Unknown()),
    replies: { 200: SignedInReply },
    problems: [
      signInProblems.invalid_credentials,
      ssoProblems.sso_required,
      secondFactorProblems.second_factor_required,
    ],
    limits: loginLimits(({ headers }, email) => devices.find(headers, email)),
    async handle({ params, body, caller, request }) {
      const person = await signIn.withCredentials(params.method, request, body)
      return signedInReply(await signInCompletion.finish(person, request, { token: true, caller }))
    },
  })

  const signOut = route({
    ...secretReplies,
    method: 'post',
    path: '/auth/logout',
    operationId: 'signOut',
    summary: "Ends the caller's login with its cookie and token. Also succeeds without a login.",
    allow: ['user', 'public'],
    apiKeys: false,
    replies: { 204: null },
    async handle({ caller, request }) {
      if (caller?.impersonatedBy !== undefined) {
        await impersonations.signOut(caller, ownCookieIn(request.headers.cookie))
        return reply(204, undefined, cookies.impersonationEnded(undefined))
      }
      if (caller) await logins.signOut(caller.userId, caller.principalId, actorOf(caller))
      return reply(204, undefined, cookies.signedOut)
    },
  })

  return [signInWithMethod, signOut]
}
