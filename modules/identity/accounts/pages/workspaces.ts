import { type Caller, common, page, Type } from '@larder-dev/larder/kernel'
import { folded } from '@larder-dev/larder/kernel/internal'
import { Name } from '../../domain/fields.ts'
import { initialsOf } from '../../domain/initials.ts'
import { createTenantLimits } from '../../domain/rate-limits.ts'
import { safeReturnPath } from '../../domain/return-path.ts'
import { accountTabs } from '../../pages/account-tabs.ts'
import { formValidator, NO_ERRORS, submit } from '../../pages/form.ts'
import type { AccountServices } from '../services.ts'

/** More of them are searched. */
const MAX_UNSEARCHED = 8

export function workspacePages({ lastWorkspace, memberships, rights, settings, tenants, cookies }: AccountServices) {
  if (settings.customerRole !== undefined) return []
  const nameForm = formValidator<{ name: string }>(Type.Object({ name: Name }))

  async function workspacesOf(caller: Caller) {
    const all = await memberships.ofUser(caller.userId)
    return all.map(({ tenant, roles }) => ({
      id: tenant.id,
      name: tenant.name,
      slug: tenant.slug,
      initials: initialsOf(tenant.name),
      roles: roles.map(key => rights.builtIn().get(key)?.name ?? key),
      current: tenant.id === caller.tenantId,
    }))
  }

  /** Those whose name or slug has all of the words, and whether there are so many that people search them. */
  async function listed(caller: Caller, q: string) {
    const all = await workspacesOf(caller)
    const words = folded(q).split(/\s+/)
    const workspaces = all.filter(({ name, slug }) => words.every(word => folded(`${name} ${slug}`).includes(word)))
    return { workspaces, isLong: all.length > MAX_UNSEARCHED, isEmpty: all.length === 0 }
  }

  const switcher = page({
    name: 'identity.workspaces',
    path: '/account/workspaces',
    title: 'Workspaces',
    allow: 'user',
    async load({ caller, query }) {
      const { q = '', done = '' } = query
      return { data: { tabs: accountTabs(settings), ...(await listed(caller, q)), q, done } }
    },
    /** Only pages use the tenant cookie, and they check the membership on each request. */
    async post({ caller, form }) {
      const workspace = (await workspacesOf(caller)).find(({ id }) => id === form.id)
      if (!workspace) throw common.not_found({ what: 'workspace' })
      const next = safeReturnPath(form.next, '/account/workspaces?done=switched')
      await lastWorkspace.keep(caller, workspace.id)
      return { redirect: withoutIds(next), headers: cookies.inTenant(workspace.id) }
    },
  })

  const create = page({
    name: 'identity.new_workspace',
    path: '/account/workspaces/new',
    title: 'New workspace',
    allow: 'user',
    limits: createTenantLimits,
    load: async () => ({ data: { tabs: accountTabs(settings), name: '', ...NO_ERRORS } }),
    async post({ caller, form }) {
      return submit({ tabs: accountTabs(settings), name: form.name ?? '' }, async () => {
        const tenant = await tenants.create({ ...nameForm(form, ['name']), ownerId: caller.userId }, caller)
        await lastWorkspace.keep(caller, tenant.id)
        return { redirect: '/account/workspaces?done=switched', headers: cookies.inTenant(tenant.id) }
      })
    },
  })

  return [switcher, create]
}

/** `/messages/cnv_…` belongs to the former workspace: leads to `/messages`. */
const withoutIds = (path: string): string => path.replace(/\/[a-z]{2,8}_[0-9a-z]{26}(?=[/?#]|$).*$/, '') || '/'
