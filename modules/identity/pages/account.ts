/** A person's own account: who they are, their password, where they are signed in; and the way out. */
import { type Caller, type Deps, OneOf, page, Type } from 'larder/kernel'
import { cookieHeaders } from '../cookies.ts'
import { describeAgent } from '../core/user-agent.ts'
import { changeLimits, verifyLimits } from '../limits.ts'
import { KnownPassword, Name, NewPassword } from '../schemas.ts'
import { byCaller } from '../services/audit.ts'
import { accountTabs } from './account-tabs.ts'
import { attempt, checkedForm } from './form.ts'

/** Sign-ins that the page lists: the newest. */
const SHOWN = 50

export function accountPages({ identity, product }: Deps<'identity' | 'product'>) {
  const { account, logins, settings, users } = identity
  const cookies = cookieHeaders(product, settings)
  const { available } = product.locales
  const names = checkedForm<{ name?: string; locale?: string }>(
    Type.Object({ name: Type.Optional(Name), locale: Type.Optional(OneOf(available)) }),
  )
  const passwords = checkedForm<{ currentPassword: string; newPassword: string }>(
    Type.Object({ currentPassword: KnownPassword, newPassword: NewPassword(settings.minLength) }),
  )

  async function profile(caller: Caller, done: string | undefined) {
    const user = await users.get(caller.userId)
    const languages = available.length > 1 ? available.map(code => ({ code, chosen: code === user.locale })) : []
    const { email, emailVerified } = user
    const heading = user.name ?? email
    return {
      tabs: accountTabs(caller),
      heading,
      name: user.name ?? '',
      email,
      emailVerified,
      languages,
      done: done ?? '',
    }
  }

  const own = page({
    name: 'identity.account',
    path: '/account',
    title: 'Your account',
    allow: 'user',
    load: async ({ caller, query }) => ({ data: { ...(await profile(caller, query.done)), error: null } }),
    async post({ caller, form }) {
      const { name = '' } = form
      return attempt({ ...(await profile(caller, undefined)), name }, async () => {
        const given = names(form, ['name', 'locale'])
        await users.update(caller.userId, { name: null, ...(available.length > 1 && { locale: null }), ...given })
        return { redirect: '/account?done=saved' }
      })
    },
  })

  const verify = page({
    name: 'identity.account',
    path: '/account/verify',
    title: 'Your account',
    allow: 'user',
    limits: verifyLimits,
    load: async () => ({ redirect: '/account' }),
    async post({ caller }) {
      await account.askToVerify(caller.userId)
      return { redirect: '/account?done=sent' }
    },
  })

  const password = page({
    name: 'identity.password',
    path: '/account/password',
    title: 'Change password',
    allow: 'user',
    limits: changeLimits,
    load: async ({ caller, query }) => ({
      data: { ...passwordView(caller), done: query.done === 'saved', error: null },
    }),
    async post({ caller, form, request }) {
      return attempt({ ...passwordView(caller), done: false }, async () => {
        const { currentPassword, newPassword } = passwords(form, ['currentPassword', 'newPassword'])
        const login = await account.changePassword(caller, currentPassword, newPassword, request)
        return { redirect: '/account/password?done=saved', headers: cookies.signedIn(login.cookie) }
      })
    },
  })
  const passwordView = (caller: Caller) => ({ tabs: accountTabs(caller), minLength: settings.minLength })

  const signIns = page({
    name: 'identity.logins',
    path: '/account/logins',
    title: 'Signed-in devices',
    allow: 'user',
    async load({ caller, query }) {
      const { data } = await logins.list(caller.userId, caller.principalId, { limit: SHOWN })
      const shown = data.map(login => ({ ...login, agent: describeAgent(login.userAgent) }))
      return { data: { tabs: accountTabs(caller), logins: shown, done: query.done === 'ended' } }
    },
    async post({ caller, form }) {
      const { id = '' } = form
      await logins.revoke(caller.userId, id, byCaller(caller))
      if (id === caller.principalId) return { redirect: '/sign-in', headers: cookies.signedOut }
      return { redirect: '/account/logins?done=ended' }
    },
  })

  const leave = page({
    name: 'identity.sign_out',
    path: '/sign-out',
    title: 'Sign out',
    allow: 'user',
    load: async () => ({ data: {} }),
    async post({ caller }) {
      await logins.signOut(caller.userId, caller.principalId, byCaller(caller))
      return { redirect: '/sign-in', headers: cookies.signedOut }
    },
  })

  return [own, verify, password, signIns, leave]
}
