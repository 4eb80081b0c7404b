/** Sign-in with a code from an email, for apps. */
import { type Deps, LanguageOf, route, SECOND, Type } from '@larder-dev/larder/kernel'
import { Email } from '../../domain/fields.ts'
import { emailCodeLimits, signInAddressLimit } from '../../domain/rate-limits.ts'
import { safeReturnPath } from '../../domain/return-path.ts'
import { accountProblems } from '../../users/problems.ts'
import { SignedInReply } from '../records/sign-in.ts'
import { createSignedInReply, languageOf, secretReplies } from '../routes/signed-in.ts'
import { secondFactorProblems } from '../second-factor/problems.ts'
import type { SignInServices } from '../services.ts'
import { ssoProblems } from '../sso/problems.ts'
import { codeProblems } from './problems.ts'
import { EmailCode, EmailCodeRequest } from './records.ts'

const common = { ...secretReplies, method: 'post', allow: 'public' } as const

export function emailCodeRoutes(deps: Deps<'product'> & SignInServices) {
  const { addressSignIn, emailCodes, product, settings, signIn } = deps
  if (!settings.emailLink) return []
  const { available } = product.locales
  const signedInReply = createSignedInReply(deps)

  const request = route({
    ...common,
    path: '/auth/email-code',
    operationId: 'requestEmailCode',
    summary: "Emails a six-digit code and a link that sign in. The response doesn't reveal whether the account exists.",
    description:
      'A new address gets an account if registration is open. The ID of the request works with its code only.',
    body: Type.Object({
      email: Email,
      next: Type.Optional(
        Type.String({
          maxLength: 1000,
          pattern: '^/(?![/\\\\])[\\x21-\\x7e]*$',
          description: 'Path on this site that the link in the mail leads to',
          examples: ['/account'],
        }),
      ),
      locale: Type.Optional(
        LanguageOf(available, { description: 'Language of the mail; by default the one that Accept-Language prefers' }),
      ),
    }),
    replies: { 202: EmailCodeRequest },
    limits: emailCodeLimits,
    async handle({ body, request }) {
      const { email, next, locale } = { ...languageOf(request, available), ...body }
      const id = await emailCodes.request({ email, next: safeReturnPath(next), locale })
      return { request: id, expiresIn: Math.floor(settings.emailLinkTtl / SECOND) }
    },
  })

  const verify = route({
    ...common,
    path: '/auth/email-code/verify',
    operationId: 'signInWithEmailCode',
    summary: 'Signs in with the code of an email. Sets the login cookie and returns a dashboard token.',
    description: 'A code works once. After five wrong ones the request is used up; make a new one then.',
    body: EmailCode,
    replies: { 200: SignedInReply },
    problems: [
      codeProblems.invalid_code,
      accountProblems.registration_closed,
      accountProblems.disposable_address,
      ssoProblems.sso_required,
      secondFactorProblems.second_factor_required,
    ],
    limits: [signInAddressLimit],
    async handle({ body, caller, request }) {
      const address = await signIn.withEmail(body)
      return signedInReply(await addressSignIn.start(address, request, { token: true, caller }))
    },
  })

  return [request, verify]
}
