/** The workspaces of a person, and the API keys of the one they look at. */
import { type Caller, common, DAY, type Deps, page, Type } from 'larder/kernel'
import { cookieHeaders } from '../cookies.ts'
import { tenantLimits } from '../limits.ts'
import { Name } from '../schemas.ts'
import { accountTabs } from './account-tabs.ts'
import { attempt, checkedForm } from './form.ts'

/** API keys that the page lists: the first. */
const SHOWN = 100

export function workspacePages({ identity, product, clock }: Deps<'identity' | 'product' | 'clock'>) {
  const { apiKeys, memberships, settings, tenants } = identity
  const cookies = cookieHeaders(product, settings)
  const named = checkedForm<{ name: string }>(Type.Object({ name: Name }))

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
    /** Only pages look at the cookie, and look the membership up all the same. */
    async post({ caller, form }) {
      const wanted = (await workspacesOf(caller)).find(({ id }) => id === form.id)
      if (!wanted) throw common.not_found({ what: 'workspace' })
      return { redirect: '/account/workspaces?done=switched', headers: cookies.inTenant(wanted.id) }
    },
  })

  const add = page({
    name: 'identity.new_workspace',
    path: '/account/workspaces/new',
    title: 'New workspace',
    allow: 'user',
    limits: tenantLimits,
    load: async ({ caller }) => ({ data: { tabs: accountTabs(caller), name: '', error: null } }),
    async post({ caller, form }) {
      return attempt({ tabs: accountTabs(caller), name: form.name ?? '' }, async () => {
        const tenant = await tenants.add({ ...named(form, ['name']), ownerId: caller.userId }, caller)
        return { redirect: '/account/workspaces?done=switched', headers: cookies.inTenant(tenant.id) }
      })
    },
  })

  async function keysView(caller: Caller, tenantId: string) {
    const [{ data }, workspace] = await Promise.all([apiKeys.list(tenantId, { limit: SHOWN }), tenants.get(tenantId)])
    const may = (what: string) => caller.can(`identity.api_key.${what}`)
    const keys = data.map(key => ({ ...key, over: key.expiresAt !== null && Date.parse(key.expiresAt) <= clock.now() }))
    const rights = { mayCreate: may('create'), mayDelete: may('delete') }
    return { tabs: accountTabs(caller), keys, ...rights, workspace: workspace.name, name: '', made: null, error: null }
  }

  async function makeKey(caller: Caller, tenantId: string, form: Readonly<Record<string, string>>) {
    const permission = 'identity.api_key.create'
    if (!caller.can(permission)) throw common.forbidden({ permission }, { requiredPermission: permission })
    const { name } = named(form, ['name'])
    const days = Number(form.days)
    const lasts = Number.isInteger(days) && days > 0 && days <= 3650
    const expiresAt = lasts ? { expiresAt: new Date(clock.now() + days * DAY).toISOString() } : {}
    return apiKeys.create(tenantId, { name, ...expiresAt }, caller)
  }

  const keys = page({
    name: 'identity.api_keys',
    path: '/account/api-keys',
    title: 'API keys',
    allow: 'identity.api_key.read',
    load: async ({ caller, tenantId }) => ({ data: await keysView(caller, tenantId) }),
    async post({ caller, tenantId, form }) {
      if (form.id !== undefined) {
        const permission = 'identity.api_key.delete'
        if (!caller.can(permission)) throw common.forbidden({ permission }, { requiredPermission: permission })
        await apiKeys.remove(tenantId, form.id, caller)
        return { redirect: '/account/api-keys' }
      }
      return attempt({ ...(await keysView(caller, tenantId)), name: form.name ?? '' }, async () => {
        const { key } = await makeKey(caller, tenantId, form)
        return { data: { ...(await keysView(caller, tenantId)), made: key } }
      })
    },
  })

  return [switcher, add, keys]
}
