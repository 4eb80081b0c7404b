/** Pages that links in emails open. Only a form submission has an effect, because mail scanners follow links. */
import { type Caller, invalidField, Problem, page, Type, type Wording, wording } from '@larder-dev/larder/kernel'
import { Email, KnownPassword, LinkToken, NewPassword } from '../../domain/fields.ts'
import { forgotPasswordLimits, mailLinkLimits, verifyEmailLimits } from '../../domain/rate-limits.ts'
import { formValidator, NO_ERRORS, submit } from '../../pages/form.ts'
import type { Verification } from '../../sign-in/address-proofs.ts'
import { accountProblems } from '../../users/problems.ts'
import type { AccountServices } from '../services.ts'
import { WELCOME_PATH } from './welcome.ts'

export function mailLinkPages({
  acceptance,
  addressProofs,
  devices,
  emailChanges,
  passwordChanges,
  settings,
  users,
  cookies,
}: AccountServices) {
  const { minLength } = settings
  const emailForm = formValidator<{ email: string }>(Type.Object({ email: Email }))
  const tokenForm = formValidator<{ token: string }>(Type.Object({ token: LinkToken }))
  const verifyForm = formValidator<{ token: string; password?: string }>(
    Type.Object({ token: LinkToken, password: Type.Optional(KnownPassword) }),
  )
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
    async post({ form, caller }) {
      const { token = '' } = form
      if (!caller) return { redirect: `/invitations/accept?token=${encodeURIComponent(token)}` }
      return submit({ email: '', tenant: '', token, signedIn: '', signIn: '', signUp: '' }, async () => {
        const { tenant } = await acceptance.accept(tokenForm(form, ['token']).token, caller)
        return { redirect: WELCOME_PATH, headers: cookies.inTenant(tenant.id) }
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
        await passwordChanges.requestReset(emailForm(form, ['email']).email)
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
        const { email, ended } = await passwordChanges.resetPassword(token, password, revokeAccess === 'yes')
        const headers = cookies.afterReset(devices.remember(request.headers, email))
        if (ended) return { data: { token: '', minLength, ended, ...NO_ERRORS }, headers }
        return { redirect: '/sign-in?reset=done', headers }
      })
    },
  })

  /** `known`: what the form asks. Null for a link that has done its work or doesn't work. */
  async function verifyView(token: string, caller: Caller | undefined) {
    const signIn = signInAndReturn('/verify-email', token, caller)
    const shown = { token, done: '', ended: null, passwords: settings.passwords, ...NO_ERRORS, signIn }
    try {
      return { ...shown, known: await addressProofs.verification(token, caller) }
    } catch (error) {
      return { ...shown, known: null, error: expiredMessage(error) }
    }
  }

  const verify = page({
    name: 'identity.verify_email',
    path: '/verify-email',
    title: 'Confirm your email address',
    allow: 'public',
    limits: verifyEmailLimits,
    load: async ({ query, caller }) => ({ data: await verifyView(query.token ?? '', caller) }),
    async post({ form, caller }) {
      const view = await verifyView(form.token ?? '', caller)
      return submit(view, async () => {
        const { token, password } = verifyForm(form, ['token', 'password'])
        assertKept(form, view.known, password)
        const verified = await addressProofs.verifyEmail(token, { caller, password })
        const isKept = !verified || view.known?.isOwn === true || password !== undefined
        return { data: { ...view, done: isKept ? 'kept' : 'ended', ended: verified?.ended ?? null } }
      })
    },
  })

  async function changeView(token: string, caller: Caller | undefined) {
    const signIn = signInAndReturn('/change-email', token, caller)
    const shown = { token, done: '', ended: false, ...NO_ERRORS, signIn }
    try {
      const known = await emailChanges.confirmation(token, caller)
      return { ...shown, known, asksForProof: known.withoutProof !== 'confirms' && !known.isOwn }
    } catch (error) {
      return { ...shown, known: null, asksForProof: false, error: expiredMessage(error) }
    }
  }

  const changeEmail = page({
    name: 'identity.change_email',
    path: '/change-email',
    title: 'Change your email address',
    allow: 'public',
    limits: verifyEmailLimits,
    load: async ({ query, caller }) => ({ data: await changeView(query.token ?? '', caller) }),
    async post({ form, caller, request }) {
      const view = await changeView(form.token ?? '', caller)
      return submit(view, async () => {
        const { token, password } = verifyForm(form, ['token', 'password'])
        assertKept(form, view.known, password)
        const { complete, login } = await emailChanges.confirm(token, { caller, password }, request)
        const ended = view.known?.withoutProof === 'ends_access' && !view.known.isOwn && password === undefined
        const data = { ...view, done: complete ? 'complete' : 'half', ended }
        return { data, ...(login && { headers: login.headers }) }
      })
    },
  })

  const all = [invitation, verify, changeEmail]
  return settings.passwords ? [...all, forgot, reset] : all
}

/** A browser with the login of another person has to sign in again. */
const signInAndReturn = (path: string, token: string, caller: Caller | undefined): string =>
  `/sign-in?${new URLSearchParams({ next: `${path}?token=${encodeURIComponent(token)}`, ...(caller && { again: '1' }) })}`

/** A form that promises to keep everything never ends anything, even if the person has signed out since then. */
function assertKept(
  form: Readonly<Record<string, string>>,
  known: Verification | null,
  password: string | undefined,
): void {
  if (form.keep === 'yes' && known && !known.isOwn && password === undefined)
    throw invalidField('/password', 'required', wording('is required'))
}

/** Rethrows other errors. */
function expiredMessage(error: unknown): Wording {
  if (!Problem.is(error) || error.code !== accountProblems.link_expired.code) throw error
  return error.wording
}
