import { type Caller, common, type Deps, page, Type } from 'larder/kernel'
import { Name } from '../domain/fields.ts'
import { createTenantLimits } from '../domain/rate-limits.ts'
import { createLoginCookies } from '../services/login-cookies.ts'
import { accountTabs } from './account-tabs.ts'
import { formValidator, submit } from './form.ts'

export function workspacePages({ identity, product }: Deps<'identity' | 'product'>) {
  const { memberships, settings, tenants } = identity
  const cookies = createLoginCookies(product, settings)
  const nameForm = formValidator<{ name: string }>(Type.Object({ name: Name }))

  async function workspacesOf(caller: Caller) {
    const all = await memberships.ofUser(caller.userId)
    return all.map(({ tenant, roles }) => ({
      id: tenant.id,
      name: tenant.name,
      roles: roles.join(', '),
      current: tenant.id === caller.tenantId,
    }))
  }

  const switcher = page({
    name: 'identity.workspaces',
    path: '/account/workspaces',
    title: 'Workspaces',
    allow: 'user',
    load: async ({ caller, query }) => ({
      data: { tabs: accountTabs(caller), workspaces: await workspacesOf(caller), done: query.done === 'switched' },
    }),
    /** Only pages use the tenant cookie, and they check the membership on each request. */
    async post({ caller, form }) {
      const workspace = (await workspacesOf(caller)).find(({ id }) => id === form.id)
      if (!workspace) throw common.not_found({ what: 'workspace' })
      return { redirect: '/account/workspaces?done=switched', headers: cookies.inTenant(workspace.id) }
    },
  })

  const create = page({
    name: 'identity.new_workspace',
    path: '/account/workspaces/new',
    title: 'New workspace',
    allow: 'user',
    limits: createTenantLimits,
    load: async ({ caller }) => ({ data: { tabs: accountTabs(caller), name: '', error: null } }),
    async post({ caller, form }) {
      return submit({ tabs: accountTabs(caller), name: form.name ?? '' }, async () => {
        const tenant = await tenants.create({ ...nameForm(form, ['name']), ownerId: caller.userId }, caller)
        return { redirect: '/account/workspaces?done=switched', headers: cookies.inTenant(tenant.id) }
      })
    },
  })

  return [switcher, create]
}
