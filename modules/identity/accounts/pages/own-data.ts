/** The export of an account's data, and its deletion. */
import { type Caller, page, Type } from '@larder-dev/larder/kernel'
import { KnownPassword } from '../../domain/fields.ts'
import { OWNER } from '../../domain/fixed-roles.ts'
import { changePasswordLimits } from '../../domain/rate-limits.ts'
import { accountTabs } from '../../pages/account-tabs.ts'
import { formValidator, NO_ERRORS, submit } from '../../pages/form.ts'
import type { AccountServices } from '../services.ts'
import { GOODBYE_PATH } from './welcome.ts'

export function ownDataPages({ accountData, identities, memberships, cookies, settings }: AccountServices) {
  const deleteForm = formValidator<{ password?: string }>(Type.Object({ password: Type.Optional(KnownPassword) }))

  async function view(caller: Caller) {
    const [joined, hasPassword] = await Promise.all([
      memberships.ofUser(caller.userId),
      identities.havePassword(caller.userId),
    ])
    const owned = joined.filter(({ roles }) => roles.includes(OWNER)).map(({ tenant }) => tenant.name)
    return { tabs: accountTabs(settings), owned, hasPassword, ...NO_ERRORS }
  }

  const ownData = page({
    name: 'identity.own_data',
    path: '/account/data',
    title: 'Your data',
    allow: 'user',
    limits: changePasswordLimits,
    load: async ({ caller }) => ({ data: await view(caller) }),
    async post({ caller, form }) {
      const shown = () => view(caller)
      return submit(shown, async () => {
        await accountData.remove(caller, deleteForm(form, ['password']).password)
        return { redirect: GOODBYE_PATH, headers: cookies.signedOut }
      })
    },
  })
  return [ownData]
}
