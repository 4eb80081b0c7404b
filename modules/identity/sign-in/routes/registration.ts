/** Creates accounts, and verifies their addresses. */
import { type Deps, LanguageOf, Nullable, named, reply, route, SECOND, Type } from '@larder-dev/larder/kernel'
import { Email, KnownPassword, LinkToken, Name, NewPassword } from '../../domain/fields.ts'
import { registerLimits, verifyEmailLimits } from '../../domain/rate-limits.ts'
import { accountProblems } from '../../users/problems.ts'
import { VerifiedEmail } from '../../users/records/account.ts'
import { ApiKey } from '../../workspaces/keys/records.ts'
import { Membership } from '../../workspaces/records.ts'
import { planHolderOf } from '../../workspaces/tenant-record.ts'
import { passwordProblems } from '../password/problems.ts'
import { signedInFields } from '../records/sign-in.ts'
import type { SignInServices } from '../services.ts'
import { languageOf, secretReplies } from './signed-in.ts'

const Registration = named(
  'Registration',
  Type.Object({ ...signedInFields, membership: Nullable(Membership), apiKey: Nullable(ApiKey) }),
)

export function registrationRoutes({
  profiles,
  registration,
  settings,
  tenants,
  product,
}: Deps<'product'> & SignInServices) {
  if (!settings.passwords) return []
  const expiresIn = Math.floor(settings.loginTtl / SECOND)
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
    problems: [
      'entitlement_exceeded',
      accountProblems.email_taken,
      accountProblems.registration_closed,
      accountProblems.disposable_address,
    ],
    limits: registerLimits,
    async handle({ body, request }) {
      const newAccount = { ...languageOf(request, available), ...body }
      const { login, ...account } = await registration.register(newAccount, request, { token: true })
      const { membership } = account
      const holder = membership ? planHolderOf(settings, membership) : undefined
      const workspace = account.workspace && (await tenants.withPlan(account.workspace, holder))
      const headers = { location: '/v1/auth/me', ...login.headers }
      return reply(201, { ...account, workspace, token: login.token, expiresIn }, headers)
    },
  })

  return [register]
}

export function verificationRoutes({ addressProofs }: SignInServices) {
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
    problems: [accountProblems.link_expired, passwordProblems.incorrect_password],
    limits: verifyEmailLimits,
    async handle({ body: { token, password }, caller }) {
      const verified = await addressProofs.verifyEmail(token, { caller, password })
      return verified ? reply(200, verified) : reply(204)
    },
  })

  return [verifyEmail]
}
