/** Coming in by a browser: a cookie and no token. */
import { type Deps, page, Type } from 'larder/kernel'
import { cookieHeaders } from '../cookies.ts'
import { safeReturn } from '../core/return-path.ts'
import { loginLimits, registerLimits } from '../limits.ts'
import { Email, KnownPassword, LinkToken, Name, NewPassword } from '../schemas.ts'
import type { NewAccount } from '../services/registration.ts'
import { attempt, checkedForm } from './form.ts'

export function signInPages({ identity, product }: Deps<'identity' | 'product'>) {
  const { logins, registration, settings, signIn } = identity
  const cookies = cookieHeaders(product, settings)
  const credentials = checkedForm<{ email: string; password: string }>(
    Type.Object({ email: Email, password: KnownPassword }),
  )
  const account = checkedForm<NewAccount>(
    Type.Object({
      email: Email,
      password: NewPassword(settings.minLength),
      name: Type.Optional(Name),
      invitation: Type.Optional(LinkToken),
    }),
  )

  const enter = page({
    name: 'identity.sign_in',
    path: '/sign-in',
    title: 'Sign in',
    allow: 'public',
    limits: loginLimits,
    async load({ caller, query }) {
      const next = safeReturn(query.next)
      if (caller) return { redirect: next }
      return { data: { next, email: query.email ?? '', error: null, reset: query.reset === 'done' } }
    },
    async post({ form, caller, request }) {
      const next = safeReturn(form.next)
      return attempt({ next, email: form.email ?? '', reset: false }, async () => {
        const { email, password } = credentials(form, ['email', 'password'])
        const proof = await signIn.prove(email, password)
        const { cookie } = await logins.start(proof, request, {
          token: false,
          old: caller?.credential === 'cookie' ? caller.principalId : undefined,
        })
        return { redirect: next, headers: cookies.signedIn(cookie) }
      })
    },
  })

  const register = page({
    name: 'identity.sign_up',
    path: '/sign-up',
    title: 'Create account',
    allow: 'public',
    limits: registerLimits,
    async load({ query }) {
      const { minLength } = settings
      const { email = '', invitation = '' } = query
      return { data: { next: safeReturn(query.next), email, invitation, name: '', minLength, error: null } }
    },
    async post({ form, request }) {
      const next = safeReturn(form.next)
      const { email = '', name = '', invitation = '' } = form
      return attempt({ next, email, name, invitation, minLength: settings.minLength }, async () => {
        const given = account(form, ['email', 'password', 'name', 'invitation'])
        const { login } = await registration.register(given, request, { token: false })
        return { redirect: next, headers: cookies.signedIn(login.cookie) }
      })
    },
  })

  return [enter, register]
}
