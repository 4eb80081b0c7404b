/** Where a person lands: who they are, where they belong, the way out. */
import { type Deps, page } from '../../../kernel/contract.ts'
import { cookieHeaders } from '../cookies.ts'
import { byCaller } from '../services/audit.ts'

export function accountPages({ identity, product }: Deps<'identity' | 'product'>) {
  const { logins, memberships, settings, users } = identity
  const cookies = cookieHeaders(product, settings)
  return [
    page({
      name: 'identity.account',
      path: '/account',
      title: 'Your account',
      allow: 'user',
      async load({ caller }) {
        const user = await users.get(caller.userId)
        const tenants = (await memberships.ofUser(caller.userId)).map(({ tenant }) => ({ name: tenant.name }))
        return { data: { user: { name: user.name ?? user.email, email: user.email }, tenants } }
      },
      /** Its one form signs out. */
      async post({ caller }) {
        await logins.signOut(caller.userId, caller.principalId, byCaller(caller))
        return { redirect: '/sign-in', headers: cookies.signedOut }
      },
    }),
  ]
}
