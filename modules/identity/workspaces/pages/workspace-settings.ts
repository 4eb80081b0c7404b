/** Name, slug, leaving and deletion of the current workspace. */
import { type Caller, type Deps, invalidField, page, Type, wording } from '@larder-dev/larder/kernel'
import { Name, Slug } from '../../domain/fields.ts'
import { OWNER } from '../../domain/fixed-roles.ts'
import { RECENT_AUTH } from '../../domain/recent-proof.ts'
import { assertPermission, type FormErrors, formValidator, NO_ERRORS, submit } from '../../pages/form.ts'
import { readRoles } from '../roles/pages/role-choices.ts'
import type { WorkspaceServices } from '../services.ts'
import { workspaceTabs } from './workspace-tabs.ts'

const PATH = '/workspace/settings'
const UPDATE = 'identity.tenant.update'
const DELETE = 'identity.tenant.delete'

type Form = Readonly<Record<string, string>>

export function workspaceSettingsPages({
  members,
  roles,
  settings,
  tenants,
  cookies,
  operator,
}: Deps<'operator'> & WorkspaceServices) {
  const tenantForm = formValidator<{ name: string; slug: string }>(Type.Object({ name: Name, slug: Slug }))

  const isOnlyWorkspace = settings.customerRole !== undefined
  /** Shown instead of the form if the caller has no workspace, or none of their own. */
  const elsewhere = { redirect: isOnlyWorkspace ? '/account' : '/account/workspaces' }

  async function view(caller: Caller, tenantId: string, done: string, form: Form = {}) {
    const [{ name, slug }, names] = await Promise.all([tenants.get(tenantId), readRoles(roles, tenantId)])
    return {
      tabs: workspaceTabs(caller, settings),
      workspace: name,
      name: form.name ?? name,
      slug: form.slug ?? slug,
      typed: form.typed ?? '',
      done,
      ...NO_ERRORS,
      deleteError: null,
      // Roles of scope platform belong to the operator's workspace.
      roles: names.all.filter(({ key }) => caller.roles.includes(key)).map(({ name }) => name),
      owner: caller.roles.includes(OWNER),
      mayLeave: !isOnlyWorkspace && caller.memberId !== undefined && caller.memberId !== '',
      mayUpdate: caller.can(UPDATE),
      mayDelete: caller.can(DELETE) && tenantId !== operator.tenantId,
    }
  }

  async function remove(caller: Caller, tenantId: string, typed: string) {
    assertPermission(caller, DELETE)
    const { name } = await tenants.get(tenantId)
    if (typed.trim() !== name.trim())
      throw invalidField('/name', 'name_mismatch', wording("doesn't match the workspace"))
    await tenants.remove(tenantId, caller)
    return { redirect: '/account/workspaces?done=deleted', headers: cookies.noTenant }
  }

  const workspace = page({
    name: 'identity.workspace_settings',
    path: '/workspace',
    title: 'Workspace settings',
    allow: 'user',
    load: async () => ({ redirect: PATH }),
  })

  const general = page({
    name: 'identity.workspace_settings',
    path: PATH,
    title: 'Workspace settings',
    allow: 'user',
    recentAuth: { within: RECENT_AUTH, forms: ({ intent }) => intent === 'delete' },
    async load({ caller, tenantId, query }) {
      if (tenantId === undefined || caller.isCustomer) return elsewhere
      return { data: await view(caller, tenantId, query.done ?? '') }
    },
    async post({ caller, tenantId, form }) {
      if (tenantId === undefined || caller.isCustomer) return elsewhere
      const shown = () => view(caller, tenantId, '', form)
      if (form.intent === 'delete') {
        const result = await submit(shown, () => remove(caller, tenantId, form.typed ?? ''))
        if (!('data' in result)) return result
        const { invalid, error } = result.data as Partial<FormErrors>
        return { ...result, data: { ...result.data, error: null, invalid: {}, deleteError: invalid?.name ?? error } }
      }
      return submit(shown, async () => {
        if (form.intent === 'leave') {
          await members.remove(tenantId, caller.memberId ?? '', caller)
          return { redirect: '/account/workspaces?done=left', headers: cookies.noTenant }
        }
        assertPermission(caller, UPDATE)
        await tenants.update(tenantId, tenantForm(form, ['name', 'slug']), caller)
        return { redirect: `${PATH}?done=saved` }
      })
    },
  })

  return [workspace, general]
}
