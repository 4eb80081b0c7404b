import { type Caller, type Deps, OneOf, page, Type } from 'larder/kernel'
import { KnownPassword, Name, NewPassword } from '../domain/fields.ts'
import { changePasswordLimits, sendVerificationLimits } from '../domain/rate-limits.ts'
import { describeUserAgent } from '../domain/user-agent.ts'
import { actorOf } from '../services/audit-log.ts'
import { createLoginCookies } from '../services/login-cookies.ts'
import { ACCOUNT_TABS } from './account-tabs.ts'
import { formValidator, submit } from './form.ts'

const MAX_LISTED_LOGINS = 50

export function accountPages({ identity, product }: Deps<'identity' | 'product'>) {
  const { account, logins, settings, users } = identity
  const cookies = createLoginCookies(product, settings)
  const { available } = product.locales
  const profileForm = formValidator<{ name?: string; locale?: string }>(
    Type.Object({ name: Type.Optional(Name), locale: Type.Optional(OneOf(available)) }),
  )
  const passwordForm = formValidator<{ currentPassword: string; newPassword: string }>(
    Type.Object({ currentPassword: KnownPassword, newPassword: NewPassword(settings.minLength) }),
  )

  async function profileView(caller: Caller, done: string | undefined) {
    const user = await users.get(caller.userId)
    const languages = available.length > 1 ? available.map(code => ({ code, chosen: code === user.locale })) : []
    const { email, emailVerified } = user
    const heading = user.name ?? email
    return {
      tabs: ACCOUNT_TABS,
      heading,
      name: user.name ?? '',
      email,
      emailVerified,
      languages,
      done: done ?? '',
    }
  }

  const profile = page({
    name: 'identity.account',
    path: '/account',
    title: 'Your account',
    allow: 'user',
    load: async ({ caller, query }) => ({ data: { ...(await profileView(caller, query.done)), error: null } }),
    async post({ caller, form }) {
      const { name = '' } = form
      return submit({ ...(await profileView(caller, undefined)), name }, async () => {
        const changes = profileForm(form, ['name', 'locale'])
        await users.update(caller.userId, { name: null, ...(available.length > 1 && { locale: null }), ...changes })
        return { redirect: '/account?done=saved' }
      })
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
      await account.requestVerification(caller.userId)
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
      data: { ...passwordView(caller), done: query.done === 'saved', error: null },
    }),
    async post({ caller, form, request }) {
      return submit({ ...passwordView(caller), done: false }, async () => {
        const { currentPassword, newPassword } = passwordForm(form, ['currentPassword', 'newPassword'])
        const login = await account.changePassword(caller, currentPassword, newPassword, request)
        return { redirect: '/account/password?done=saved', headers: cookies.signedIn(login.cookie) }
      })
    },
  })
  const passwordView = (caller: Caller) => ({ tabs: ACCOUNT_TABS, minLength: settings.minLength })

  const loginList = page({
    name: 'identity.logins',
    path: '/account/logins',
    title: 'Signed-in devices',
    allow: 'user',
    async load({ caller, query }) {
      const { data } = await logins.list(caller.userId, caller.principalId, { limit: MAX_LISTED_LOGINS })
      const rows = data.map(login => ({ ...login, agent: describeUserAgent(login.userAgent) }))
      return { data: { tabs: ACCOUNT_TABS, logins: rows, done: query.done === 'ended' } }
    },
    async post({ caller, form }) {
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
    allow: 'user',
    load: async () => ({ data: {} }),
    async post({ caller }) {
      await logins.signOut(caller.userId, caller.principalId, actorOf(caller))
      return { redirect: '/sign-in', headers: cookies.signedOut }
    },
  })

  return [profile, sendVerification, password, loginList, signOut]
}
