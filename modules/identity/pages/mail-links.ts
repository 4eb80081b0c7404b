/** Pages that links in emails open. Only a form submission has an effect, because mail scanners follow links. */
import { page, Type } from '@larder-dev/larder/kernel'
import { Email, LinkToken, NewPassword } from '../domain/fields.ts'
import { forgotPasswordLimits, mailLinkLimits } from '../domain/rate-limits.ts'
import type { IdentityServices } from '../services.ts'
import { formValidator, NO_ERRORS, submit } from './form.ts'
import { WELCOME_PATH } from './welcome.ts'

export function mailLinkPages({
  acceptance,
  account,
  devices,
  emailChanges,
  settings,
  users,
  cookies,
}: IdentityServices) {
  const { minLength } = settings
  const emailForm = formValidator<{ email: string }>(Type.Object({ email: Email }))
  const tokenForm = formValidator<{ token: string }>(Type.Object({ token: LinkToken }))
  const passwordForm = formValidator<{ token: string; password: string; revokeAccess?: string }>(
    Type.Object({
      token: LinkToken,
      password: NewPassword(minLength),
      revokeAccess: Type.Optional(Type.Literal('yes')),
    }),
  )

  const invitation = page({
    name: 'identity.accept',
    path: '/invitations/accept',
    title: 'Join a workspace',
    allow: 'public',
    limits: mailLinkLimits,
    async load({ query, caller }) {
      const { token = '' } = query
      const preview = await acceptance.preview(token)
      const user = caller && (await users.get(caller.userId))
      const returnPath = `/invitations/accept?token=${encodeURIComponent(token)}`
      const prefill = `email=${encodeURIComponent(preview.email)}&next=${encodeURIComponent(returnPath)}`
      const signUp = `/sign-up?${prefill}&invitation=${encodeURIComponent(token)}`
      const data = {
        ...preview,
        token,
        signedIn: user?.email ?? null,
        signIn: `/sign-in?${prefill}`,
        signUp,
        ...NO_ERRORS,
      }
      return { data }
    },
    async post({ form, caller, request }) {
      const { token = '' } = form
      if (!caller) return { redirect: `/invitations/accept?token=${encodeURIComponent(token)}` }
      return submit({ email: '', tenant: '', token, signedIn: '', signIn: '', signUp: '' }, async () => {
        const { tenant, verified } = await acceptance.accept(tokenForm(form, ['token']).token, caller, request)
        return { redirect: WELCOME_PATH, headers: cookies.joined(tenant.id, verified?.login?.cookie) }
      })
    },
  })

  const forgot = page({
    name: 'identity.forgot_password',
    path: '/forgot-password',
    title: 'Forgot your password?',
    allow: 'public',
    limits: forgotPasswordLimits,
    load: async () => ({ data: { sent: false, email: '', ...NO_ERRORS } }),
    async post({ form }) {
      const { email = '' } = form
      return submit({ sent: false, email }, async () => {
        await account.requestReset(emailForm(form, ['email']).email)
        return { data: { sent: true, email, ...NO_ERRORS } }
      })
    },
  })

  const reset = page({
    name: 'identity.reset_password',
    path: '/reset-password',
    title: 'Set a new password',
    allow: 'public',
    limits: mailLinkLimits,
    load: async ({ query }) => ({ data: { token: query.token ?? '', minLength, ended: null, ...NO_ERRORS } }),
    async post({ form, request }) {
      return submit({ token: form.token ?? '', minLength, ended: null }, async () => {
        const { token, password, revokeAccess } = passwordForm(form, ['token', 'password', 'revokeAccess'])
        const { email, ended } = await account.resetPassword(token, password, revokeAccess === 'yes')
        const headers = cookies.afterReset(devices.remember(request.headers, email))
        if (ended) return { data: { token: '', minLength, ended, ...NO_ERRORS }, headers }
        return { redirect: '/sign-in?reset=done', headers }
      })
    },
  })

  const verify = page({
    name: 'identity.verify_email',
    path: '/verify-email',
    title: 'Confirm your email address',
    allow: 'public',
    limits: mailLinkLimits,
    load: async ({ query }) => ({ data: { token: query.token ?? '', done: false, ended: null, ...NO_ERRORS } }),
    async post({ form, caller, request }) {
      return submit({ token: form.token ?? '', done: false, ended: null }, async () => {
        const verified = await account.verifyEmail(tokenForm(form, ['token']).token, caller, request)
        const login = verified?.login
        const data = { token: '', done: true, ended: verified?.ended ?? null, ...NO_ERRORS }
        return { data, ...(login && { headers: cookies.signedIn(login.cookie) }) }
      })
    },
  })

  const changeEmail = page({
    name: 'identity.change_email',
    path: '/change-email',
    title: 'Change your email address',
    allow: 'public',
    limits: mailLinkLimits,
    load: async ({ query }) => ({ data: { token: query.token ?? '', done: '', ...NO_ERRORS } }),
    async post({ form, caller, request }) {
      return submit({ token: form.token ?? '', done: '' }, async () => {
        const { complete, login } = await emailChanges.confirm(tokenForm(form, ['token']).token, caller, request)
        const data = { token: '', done: complete ? 'complete' : 'half', ...NO_ERRORS }
        return { data, ...(login && { headers: cookies.signedIn(login.cookie) }) }
      })
    },
  })

  const all = [invitation, verify, changeEmail]
  return settings.passwords ? [...all, forgot, reset] : all
}
