/** Where the links of mails lead. Opening one changes nothing: mail scanners open them all; a button does. */
import { type Deps, page, Type } from 'larder/kernel'
import { cookieHeaders } from '../cookies.ts'
import { forgotLimits, linkLimits } from '../limits.ts'
import { Email, LinkToken, NewPassword } from '../schemas.ts'
import { attempt, checkedForm } from './form.ts'

export function linkPages({ identity, product }: Deps<'identity' | 'product'>) {
  const { acceptance, account, settings, users } = identity
  const cookies = cookieHeaders(product, settings)
  const { minLength } = settings
  const address = checkedForm<{ email: string }>(Type.Object({ email: Email }))
  const link = checkedForm<{ token: string }>(Type.Object({ token: LinkToken }))
  const newPassword = checkedForm<{ token: string; password: string }>(
    Type.Object({ token: LinkToken, password: NewPassword(minLength) }),
  )

  const invitation = page({
    name: 'identity.accept',
    path: '/invitations/accept',
    title: 'Join a workspace',
    allow: 'public',
    limits: linkLimits,
    async load({ query, caller }) {
      const { token = '' } = query
      const offer = await acceptance.offer(token)
      const user = caller && (await users.get(caller.userId))
      const here = `/invitations/accept?token=${encodeURIComponent(token)}`
      const ways = `email=${encodeURIComponent(offer.email)}&next=${encodeURIComponent(here)}`
      const signUp = `/sign-up?${ways}&invitation=${encodeURIComponent(token)}`
      const data = { ...offer, token, signedIn: user?.email ?? null, signIn: `/sign-in?${ways}`, signUp, error: null }
      return { data }
    },
    async post({ form, caller }) {
      const { token = '' } = form
      if (!caller) return { redirect: `/invitations/accept?token=${encodeURIComponent(token)}` }
      return attempt({ email: '', tenant: '', token, signedIn: '', signIn: '', signUp: '' }, async () => {
        const { tenant } = await acceptance.accept(link(form, ['token']).token, caller)
        return { redirect: '/account', headers: cookies.inTenant(tenant.id) }
      })
    },
  })

  const forgot = page({
    name: 'identity.forgot_password',
    path: '/forgot-password',
    title: 'Forgot your password?',
    allow: 'public',
    limits: forgotLimits,
    load: async () => ({ data: { sent: false, email: '', error: null } }),
    async post({ form }) {
      const { email = '' } = form
      return attempt({ sent: false, email }, async () => {
        await account.forgot(address(form, ['email']).email)
        return { data: { sent: true, email, error: null } }
      })
    },
  })

  const reset = page({
    name: 'identity.reset_password',
    path: '/reset-password',
    title: 'Set a new password',
    allow: 'public',
    limits: linkLimits,
    load: async ({ query }) => ({ data: { token: query.token ?? '', minLength, error: null } }),
    async post({ form }) {
      return attempt({ token: form.token ?? '', minLength }, async () => {
        const { token, password } = newPassword(form, ['token', 'password'])
        await account.reset(token, password)
        return { redirect: '/sign-in?reset=done', headers: cookies.signedOut }
      })
    },
  })

  const verify = page({
    name: 'identity.verify_email',
    path: '/verify-email',
    title: 'Confirm your email address',
    allow: 'public',
    limits: linkLimits,
    load: async ({ query }) => ({ data: { token: query.token ?? '', done: false, error: null } }),
    async post({ form }) {
      return attempt({ token: form.token ?? '', done: false }, async () => {
        await account.verifyEmail(link(form, ['token']).token)
        return { data: { token: '', done: true, error: null } }
      })
    },
  })

  return [invitation, forgot, reset, verify]
}
