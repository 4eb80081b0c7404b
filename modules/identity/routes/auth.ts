import { type Deps, LanguageOf, Nullable, named, reply, route, SECOND, Type } from '@larder-dev/larder/kernel'
import { ownCookieIn } from '../domain/cookies.ts'
import { Email, KnownPassword, LinkToken, Name, NewPassword } from '../domain/fields.ts'
import {
  forgotPasswordLimits,
  loginLimits,
  mailLinkLimits,
  registerLimits,
  verifyEmailLimits,
} from '../domain/rate-limits.ts'
import { problems } from '../problems.ts'
import { EndedAccess, VerifiedEmail } from '../records/account.ts'
import { ApiKey } from '../records/api-key.ts'
import { ChallengeSolution } from '../records/challenge.ts'
import { SignedInReply, signedInFields } from '../records/sign-in.ts'
import { Membership } from '../records/tenant.ts'
import { actorOf } from '../services/access/audit-log.ts'
import type { IdentityServices } from '../services.ts'
import { createSignedInReply, languageOf, secretReplies } from './signed-in.ts'

const Registration = named(
  'Registration',
  Type.Object({ ...signedInFields, membership: Nullable(Membership), apiKey: Nullable(ApiKey) }),
)

const PasswordReset = named('PasswordReset', Type.Object({ ended: EndedAccess }))
export function authRoutes(deps: Deps<'product'> & IdentityServices) {
  const { account, devices, impersonations, logins, profiles, registration, settings, signIn, signInCompletion } = deps
  const { tenants, cookies, product } = deps
  const expiresIn = Math.floor(settings.loginTtl / SECOND)
  const signedInReply = createSignedInReply(deps)
  const { available } = product.locales
  const { NewUserProfile } = profiles.schemas()

  const register = route({
    ...secretReplies,
    method: 'post',
    path: '/auth/register',
    operationId: 'register',
    summary: 'Creates an account and a workspace, and signs in.',
    allow: 'public',
    body: Type.Object({
      email: Email,
      password: NewPassword(settings.minLength),
      name: Type.Optional(Name),
      workspaceName: Type.Optional(Name),
      invitation: Type.Optional(LinkToken),
      profile: profiles.userFields()?.hasNeeded ? NewUserProfile : Type.Optional(NewUserProfile),
      locale: Type.Optional(
        LanguageOf(available, { description: 'Language of emails; by default the one that Accept-Language prefers' }),
      ),
    }),
    replies: { 201: Registration },
    problems: ['entitlement_exceeded', problems.email_taken, problems.registration_closed, problems.disposable_address],
    limits: registerLimits,
    async handle({ body, request }) {
      const newAccount = { ...languageOf(request, available), ...body }
      const { login, ...account } = await registration.register(newAccount, request, { token: true })
      const workspace = account.workspace && (await tenants.withPlan(account.workspace))
      const headers = { location: '/v1/auth/me', ...login.headers }
      return reply(201, { ...account, workspace, token: login.token, expiresIn }, headers)
    },
  })

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
      problems.invalid_credentials,
      problems.challenge_required,
      problems.sso_required,
      problems.second_factor_required,
    ],
    limits: loginLimits(({ headers }, email) => devices.find(headers, email)),
    async handle({ body, caller, request }) {
      const person = await signIn.withPassword(request, body)
      return signedInReply(await signInCompletion.finish(person, request, { token: true, caller }))
    },
  })

  const signInWithMethod = route({
    ...secretReplies,
    method: 'post',
    path: '/auth/login/:method',
    operationId: 'signInWithMethod',
    summary: 'Signs in with a method that a module registered. Its strategy defines the body.',
    allow: 'public',
    body: Type.Record(Type.String(), Type.Unknown()),
    replies: { 200: SignedInReply },
    problems: [problems.invalid_credentials, problems.sso_required, problems.second_factor_required],
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
      await account.requestReset(body.email)
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
    problems: [problems.link_expired],
    limits: mailLinkLimits,
    async handle({ body, request }) {
      const { email, ended } = await account.resetPassword(body.token, body.password, body.revokeAccess ?? false)
      const headers = cookies.afterReset(devices.remember(request.headers, email))
      return ended ? reply(200, { ended }, headers) : reply(204, undefined, headers)
    },
  })

  const verifyEmail = route({
    ...secretReplies,
    method: 'post',
    path: '/auth/verify-email',
    operationId: 'verifyEmail',
    summary: 'Verifies an email address with the token from the email. Idempotent.',
    description:
      'The first verification replies 200. Everything stays for a caller who is signed in to the account, or who sends its password. With the token alone, the password, logins, API keys, ways to sign in, second factor, pending invitations and pending change of the address end, because someone else may have registered the address; the reply counts what ended. A wrong password changes nothing. Later verifications reply 204.',
    allow: 'public',
    body: Type.Object({ token: LinkToken, password: Type.Optional(KnownPassword) }),
    replies: { 204: null, 200: VerifiedEmail },
    problems: [problems.link_expired, problems.incorrect_password],
    limits: verifyEmailLimits,
    async handle({ body: { token, password }, caller }) {
      const verified = await account.verifyEmail(token, { caller, password })
      return verified ? reply(200, verified) : reply(204)
    },
  })

  const withPassword = [register, signInRoute, forgotPassword, resetPassword]
  return [...(settings.passwords ? withPassword : []), signInWithMethod, signOut, verifyEmail]
}
