import { type Caller, type Deps, LanguageOf, page, TIME_ZONES, Type } from '@larder-dev/larder/kernel'
import { actorOf } from '../../audit/audit-log.ts'
import { ownCookieIn } from '../../domain/cookies.ts'
import { Email, KnownPassword, Name, NewPassword, TimeZone } from '../../domain/fields.ts'
import { initialsOf } from '../../domain/initials.ts'
import { changeEmailLimits, changePasswordLimits, sendVerificationLimits } from '../../domain/rate-limits.ts'
import { accountTabs } from '../../pages/account-tabs.ts'
import { formValidator, NO_ERRORS, submit } from '../../pages/form.ts'
import type { AccountServices } from '../services.ts'

const MAX_LISTED_LOGINS = 50

export function accountPages({
  addressProofs,
  emailChanges,
  identities,
  impersonations,
  logins,
  passwordChanges,
  profiles,
  settings,
  users,
  cookies,
  product,
}: Deps<'product'> & AccountServices) {
  const { available } = product.locales
  const profileForm = formValidator<{ name?: string; locale?: string; timeZone?: string }>(
    Type.Object({
      name: Type.Optional(Name),
      locale: Type.Optional(LanguageOf(available)),
      timeZone: Type.Optional(TimeZone),
    }),
  )
  const emailForm = formValidator<{ email: string; password?: string }>(
    Type.Object({ email: Email, password: Type.Optional(KnownPassword) }),
  )
  const passwordForm = formValidator<{ currentPassword?: string; newPassword: string }>(
    Type.Object({ currentPassword: Type.Optional(KnownPassword), newPassword: NewPassword(settings.minLength) }),
  )

  async function profileView(caller: Caller, done: string | undefined, locale: string) {
    const [user, change, hasPassword, values] = await Promise.all([
      users.get(caller.userId),
      emailChanges.find(caller.userId),
      identities.havePassword(caller.userId),
      profiles.ofUser(caller.userId),
    ])
    const languages =
      available.length > 1
        ? available.map(code => ({ code, language: languageName(code), chosen: code === user.locale }))
        : []
    const { email, emailVerified } = user
    const heading = user.name ?? email
    return {
      tabs: accountTabs(settings),
      heading,
      initials: initialsOf(heading),
      mayReadKeys: !caller.isCustomer && caller.can('identity.api_key.read'),
      name: user.name ?? '',
      email,
      emailVerified,
      languages,
      timeZones: TIME_ZONES.map(zone => ({ zone, chosen: zone === user.timeZone })),
      change,
      hasPassword,
      newEmail: '',
      emailError: null,
      details: profiles.userFields()?.form(values, locale) ?? null,
      done: done ?? '',
    }
  }

  const profile = page({
    name: 'identity.account',
    path: '/account',
    title: 'Your account',
    allow: 'user',
    load: async ({ caller, query, locale }) => ({
      data: { ...(await profileView(caller, query.done, locale)), ...NO_ERRORS },
    }),
    async post({ caller, form, locale }) {
      const { name = '' } = form
      const shown = async () => ({ ...(await profileView(caller, undefined, locale)), name })
      return submit(shown, async () => {
        const changes = profileForm(form, ['name', 'locale', 'timeZone'])
        const cleared = {
          name: null,
          ...(available.length > 1 && { locale: null }),
          ...(form.timeZone !== undefined && { timeZone: null }),
        }
        await users.update(caller.userId, { ...cleared, ...changes })
        return { redirect: '/account?done=saved' }
      })
    },
  })

  const changeEmail = page({
    name: 'identity.account',
    path: '/account/email',
    title: 'Your account',
    allow: 'user',
    limits: [...changePasswordLimits, ...changeEmailLimits],
    load: async () => ({ redirect: '/account' }),
    async post({ caller, form, locale }) {
      if (form.intent === 'cancel') {
        await emailChanges.cancel(caller.userId)
        return { redirect: '/account?done=canceled' }
      }
      const shown = async () => ({ ...(await profileView(caller, undefined, locale)), newEmail: form.email ?? '' })
      const result = await submit(shown, async () => {
        await emailChanges.request(emailForm(form, ['email', 'password']), caller)
        return { redirect: '/account?done=requested' }
      })
      if (!('data' in result)) return result
      return { ...result, data: { ...result.data, error: null, emailError: result.data.error } }
    },
  })

  const sendVerification = page({
    name: 'identity.account',
    path: '/account/verify',
    title: 'Your account',
    allow: 'user',
    limits: sendVerificationLimits,
    load: async () => ({ redirect: '/account' }),
    async post({ caller }) {
      await addressProofs.requestVerification(caller.userId)
      return { redirect: '/account?done=sent' }
    },
  })

  const password = page({
    name: 'identity.password',
    path: '/account/password',
    title: 'Change password',
    allow: 'user',
    limits: changePasswordLimits,
    load: async ({ caller, query }) => ({
      data: { ...(await passwordView(caller)), done: query.done === 'saved', ...NO_ERRORS },
    }),
    async post({ caller, form, request }) {
      const shown = async () => ({ ...(await passwordView(caller)), done: false })
      return submit(shown, async () => {
        const { currentPassword, newPassword } = passwordForm(form, ['currentPassword', 'newPassword'])
        const login = await passwordChanges.changePassword(caller, currentPassword, newPassword, request)
        return { redirect: '/account/password?done=saved', headers: login.headers }
      })
    },
  })
  const passwordView = async ({ userId }: Caller) => {
    const hasPassword = await identities.havePassword(userId)
    return { tabs: accountTabs(settings), minLength: settings.minLength, hasPassword }
  }

  const loginList = page({
    name: 'identity.logins',
    path: '/account/logins',
    title: 'Signed-in devices',
    allow: 'user',
    async load({ caller, query }) {
      const { data } = await logins.list(caller.userId, caller.principalId, { limit: MAX_LISTED_LOGINS })
      const hasOthers = data.some(({ current }) => !current)
      return { data: { tabs: accountTabs(settings), logins: data, hasOthers, done: query.done ?? '' } }
    },
    async post({ caller, form }) {
      if (form.intent === 'others') {
        await logins.endOthers(caller.userId, caller.principalId, actorOf(caller))
        return { redirect: '/account/logins?done=others' }
      }
      const { id = '' } = form
      await logins.revoke(caller.userId, id, actorOf(caller))
      if (id === caller.principalId) return { redirect: '/sign-in', headers: cookies.signedOut }
      return { redirect: '/account/logins?done=ended' }
    },
  })

  const signOut = page({
    name: 'identity.sign_out',
    path: '/sign-out',
    title: 'Sign out',
    // An operator who acts as a user can sign out, unlike other changes of what belongs to the user.
    allow: ['user', 'public'],
    load: async ({ caller }) => (caller ? { data: {} } : { redirect: '/sign-in' }),
    async post({ caller, request }) {
      if (!caller) return { redirect: '/sign-in', headers: cookies.signedOut }
      if (caller.impersonatedBy !== undefined) {
        await impersonations.signOut(caller, ownCookieIn(request.headers.cookie))
        return { redirect: '/sign-in', headers: cookies.impersonationEnded(undefined) }
      }
      await logins.signOut(caller.userId, caller.principalId, actorOf(caller))
      return { redirect: '/sign-in', headers: cookies.signedOut }
    },
  })

  const all = [profile, changeEmail, sendVerification, loginList, signOut]
  return settings.passwords ? [...all, password] : all
}

/** In the language itself: `Deutsch`. */
const languageName = (code: string): string =>
  new Intl.DisplayNames([code], { type: 'language', fallback: 'code' }).of(code) ?? code
