/** Sign-in and sign-up pages. A browser gets a cookie and no token. */
import { type Deps, page, Type } from 'larder/kernel'
import { Email, KnownPassword, LinkToken, Name, NewPassword } from '../domain/fields.ts'
import { loginLimits, registerLimits } from '../domain/rate-limits.ts'
import { safeReturnPath } from '../domain/return-path.ts'
import { createLoginCookies } from '../services/login-cookies.ts'
import type { NewAccount } from '../services/registration.ts'
import { formValidator, submit } from './form.ts'

export function signInPages({ identity, product }: Deps<'identity' | 'product'>) {
  const { logins, registration, settings, signIn } = identity
  const cookies = createLoginCookies(product, settings)
  const signInForm = formValidator<{ email: string; password: string }>(
    Type.Object({ email: Email, password: KnownPassword }),
  )
  const signUpForm = formValidator<NewAccount>(
    Type.Object({
      email: Email,
      password: NewPassword(settings.minLength),
      name: Type.Optional(Name),
      invitation: Type.Optional(LinkToken),
    }),
  )

  const signInPage = page({
    name: 'identity.sign_in',
    path: '/sign-in',
    title: 'Sign in',
    allow: 'public',
    limits: loginLimits,
    async load({ caller, query }) {
      const next = safeReturnPath(query.next)
      if (caller) return { redirect: next }
      return { data: { next, email: query.email ?? '', error: null, reset: query.reset === 'done' } }
    },
    async post({ form, caller, request }) {
      const next = safeReturnPath(form.next)
      return submit({ next, email: form.email ?? '', reset: false }, async () => {
        const { email, password } = signInForm(form, ['email', 'password'])
        const credential = await signIn.verify(email, password)
        const { cookie } = await logins.start(credential, request, {
          token: false,
          previousLoginId: caller?.credential === 'cookie' ? caller.principalId : undefined,
        })
        return { redirect: next, headers: cookies.signedIn(cookie) }
      })
    },
  })

  const signUpPage = page({
    name: 'identity.sign_up',
    path: '/sign-up',
    title: 'Create account',
    allow: 'public',
    limits: registerLimits,
    async load({ query }) {
      const { minLength } = settings
      const { email = '', invitation = '' } = query
      return { data: { next: safeReturnPath(query.next), email, invitation, name: '', minLength, error: null } }
    },
    async post({ form, request, locale }) {
      const next = safeReturnPath(form.next)
      const { email = '', name = '', invitation = '' } = form
      return submit({ next, email, name, invitation, minLength: settings.minLength }, async () => {
        const account = signUpForm(form, ['email', 'password', 'name', 'invitation'])
        const language = product.locales.available.length > 1 ? { locale } : {}
        const { login } = await registration.register({ ...account, ...language }, request, { token: false })
        return { redirect: next, headers: cookies.signedIn(login.cookie) }
      })
    },
  })

  return [signInPage, signUpPage]
}
