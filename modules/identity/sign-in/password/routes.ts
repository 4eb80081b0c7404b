/** Sign-in with a password, and new passwords for people who forgot theirs. */
import { named, reply, route, Type } from '@larder-dev/larder/kernel'
import { Email, KnownPassword, LinkToken, NewPassword } from '../../domain/fields.ts'
import { forgotPasswordLimits, loginLimits, mailLinkLimits } from '../../domain/rate-limits.ts'
import { accountProblems } from '../../users/problems.ts'
import { EndedAccess } from '../../users/records/account.ts'
import { signInProblems } from '../problems.ts'
import { SignedInReply } from '../records/sign-in.ts'
import { createSignedInReply, secretReplies } from '../routes/signed-in.ts'
import { secondFactorProblems } from '../second-factor/problems.ts'
import type { SignInServices } from '../services.ts'
import { ssoProblems } from '../sso/problems.ts'
import { passwordProblems } from './problems.ts'
import { ChallengeSolution } from './records.ts'

const PasswordReset = named('PasswordReset', Type.Object({ ended: EndedAccess }))

export function passwordRoutes(deps: SignInServices) {
  const { cookies, devices, passwordChanges, settings, signIn, signInCompletion } = deps
  if (!settings.passwords) return []
  const signedInReply = createSignedInReply(deps)

  const signInRoute = route({
    ...secretReplies,
    method: 'post',
    path: '/auth/login',
    operationId: 'signIn',
    summary: 'Signs in. Sets the login cookie and returns a dashboard token.',
    allow: 'public',
    body: Type.Object({
      email: Email,
      password: KnownPassword,
      challenge: Type.Optional(ChallengeSolution),
    }),
    replies: { 200: SignedInReply },
    problems: [
      signInProblems.invalid_credentials,
      passwordProblems.challenge_required,
      ssoProblems.sso_required,
      secondFactorProblems.second_factor_required,
    ],
    limits: loginLimits(({ headers }, email) => devices.find(headers, email)),
    async handle({ body, caller, request }) {
      const person = await signIn.withPassword(request, body)
      return signedInReply(await signInCompletion.finish(person, request, { token: true, caller }))
    },
  })

  const forgotPassword = route({
    ...secretReplies,
    method: 'post',
    path: '/auth/password/forgot',
    operationId: 'requestPasswordReset',
    summary: "Sends a password reset email if the account exists. The response doesn't reveal whether it does.",
    allow: 'public',
    body: Type.Object({ email: Email }),
    replies: { 202: null },
    limits: forgotPasswordLimits,
    async handle({ body }) {
      await passwordChanges.requestReset(body.email)
    },
  })

  const resetPassword = route({
    ...secretReplies,
    method: 'post',
    path: '/auth/password/reset',
    operationId: 'resetPassword',
    summary: 'Sets a new password with the token from the reset email. Ends all logins.',
    description:
      'If the address was not verified, API keys and pending invitations of the account end as well, because someone else may have created them. The reply is then 200 and counts what ended.',
    allow: 'public',
    body: Type.Object({
      token: LinkToken,
      password: NewPassword(settings.minLength),
      revokeAccess: Type.Optional(
        Type.Boolean({
          default: false,
          description: 'Also deletes your API keys and revokes your pending invitations',
        }),
      ),
    }),
    replies: { 204: null, 200: PasswordReset },
    problems: [accountProblems.link_expired],
    limits: mailLinkLimits,
    async handle({ body, request }) {
      const { email, ended } = await passwordChanges.resetPassword(
        body.token,
        body.password,
        body.revokeAccess ?? false,
      )
      const headers = cookies.afterReset(devices.remember(request.headers, email))
      return ended ? reply(200, { ended }, headers) : reply(204, undefined, headers)
    },
  })

  return [signInRoute, forgotPassword, resetPassword]
}
