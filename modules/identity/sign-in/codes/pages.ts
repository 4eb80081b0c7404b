/** Sign-in with a code or a link from an email. Only a form submission uses a link, because mail scanners follow links. */
import { type Caller, type Deps, page, type RequestFacts, Type } from '@larder-dev/larder/kernel'
import { emailKey } from '@larder-dev/larder/kernel/internal'
import { Email, LinkToken } from '../../domain/fields.ts'
import { emailCodeLimits, mailLinkLimits, signInAddressLimit } from '../../domain/rate-limits.ts'
import { safeReturnPath } from '../../domain/return-path.ts'
import { formValidator, NO_ERRORS, submit } from '../../pages/form.ts'
import { accountProblems } from '../../users/problems.ts'
import { orSecondFactor } from '../second-factor/domain/second-factor-redirect.ts'
import type { SignInServices } from '../services.ts'
import type { EmailProof } from './email-code-method.ts'
import { EmailCode } from './records.ts'

const PATH = '/sign-in/email-code'

export function emailCodePages({
  addressSignIn,
  emailCodes,
  product,
  settings,
  signIn,
  signInCompletion,
  users,
}: Deps<'product'> & SignInServices) {
  if (!settings.emailLink) return []
  const emailForm = formValidator<{ email: string }>(Type.Object({ email: Email }))
  const codeForm = formValidator<{ request: string; code: string }>(EmailCode)
  const tokenForm = formValidator<{ token: string }>(Type.Object({ token: LinkToken }))

  /** Signs the browser in. `next`: where to go on, by default the path of the request for the code. */
  async function start(proof: EmailProof, caller: Caller | undefined, request: RequestFacts, next?: string) {
    const address = await signIn.withEmail(proof)
    const path = next ?? address.next
    return orSecondFactor(path, async () =>
      signInCompletion.leadOn(await addressSignIn.start(address, request, { token: false, caller, next: path }), path),
    )
  }

  const requestPage = page({
    name: 'identity.email_code',
    path: PATH,
    title: 'Sign in with a code',
    allow: 'public',
    limits: emailCodeLimits,
    async load({ caller, query }) {
      const next = safeReturnPath(query.next)
      if (caller && query.again === undefined) return { redirect: next }
      return { data: { next, email: query.email ?? '', request: '', ...NO_ERRORS } }
    },
    async post({ form, locale }) {
      const next = safeReturnPath(form.next)
      const data = { next, email: form.email ?? '', request: '' }
      return submit(data, async () => {
        const { email } = emailForm(form, ['email'])
        const language = product.locales.available.length > 1 ? locale : undefined
        const request = await emailCodes.request({ email, next, locale: language })
        return { data: { ...data, request, ...NO_ERRORS } }
      })
    },
  })

  const verifyPage = page({
    name: 'identity.email_code',
    path: `${PATH}/verify`,
    title: 'Sign in with a code',
    allow: 'public',
    limits: [signInAddressLimit],
    load: async () => ({ redirect: PATH }),
    async post({ form, caller, request }) {
      const next = safeReturnPath(form.next)
      const data = { next, email: form.email ?? '', request: form.request ?? '' }
      return submit(data, async () => {
        return start(codeForm(form, ['request', 'code']), caller, request, next)
      })
    },
  })

  const linkPage = page({
    name: 'identity.email_link',
    path: `${PATH}/link`,
    title: 'Sign in',
    allow: 'public',
    limits: mailLinkLimits,
    async load({ caller, query }) {
      const { token = '' } = query
      const address = await emailCodes.preview(token)
      const error = address ? null : accountProblems.link_expired().wording
      const signedIn = caller && (await users.get(caller.userId)).email
      const isOther = signedIn !== undefined && address !== null && emailKey(signedIn) !== emailKey(address.email)
      const data = { token: address ? token : '', email: address?.email ?? '', error }
      return { data: { ...data, signedIn: isOther ? signedIn : null } }
    },
    async post({ form, caller, request }) {
      return submit({ token: '', email: '', signedIn: null }, async () =>
        start(tokenForm(form, ['token']), caller, request),
      )
    },
  })

  return [requestPage, verifyPage, linkPage]
}
