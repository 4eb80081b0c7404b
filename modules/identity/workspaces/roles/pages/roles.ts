/** Roles of the current workspace: built-in ones to read, custom ones to edit. */
import { type Caller, common, type Deps, Problem, page, Type } from '@larder-dev/larder/kernel'
import { anyCovers } from '@larder-dev/larder/kernel/internal'
import { Name, NewRoleKey } from '../../../domain/fields.ts'
import { slugOf } from '../../../domain/slug.ts'
import { assertPermission, formValidator, NO_ERRORS, submit } from '../../../pages/form.ts'
import { workspaceTabs } from '../../pages/workspace-tabs.ts'
import type { WorkspaceServices } from '../../services.ts'
import { roleProblems } from '../problems.ts'
import type { Role } from '../records.ts'
import { chosenPermissions, permissionPicker } from './permission-picker.ts'
import { readRoles } from './role-choices.ts'

const PATH = '/workspace/roles'
const CREATE = 'identity.role.create'
const UPDATE = 'identity.role.update'
const DELETE = 'identity.role.delete'
const MAX_KEY_ATTEMPTS = 20
const MAX_KEY_NAME = 50

type Form = Readonly<Record<string, string>>

export function rolePages({ roles, settings, access }: Deps<'access'> & WorkspaceServices) {
  const nameForm = formValidator<{ name: string }>(Type.Object({ name: Name }))
  const newForm = formValidator<{ name: string; key?: string }>(
    Type.Object({ name: Name, key: Type.Optional(NewRoleKey) }),
  )

  async function find(tenantId: string, key: string): Promise<Role> {
    const role = (await readRoles(roles, tenantId)).all.find(other => other.key === key)
    if (!role) throw common.not_found({ what: 'role' })
    return role
  }

  const list = page({
    name: 'identity.roles',
    path: PATH,
    title: 'Roles',
    allow: 'identity.role.read',
    async load({ caller, tenantId, query }) {
      const { offered } = await readRoles(roles, tenantId)
      const rows = offered.map(role => ({
        ...role,
        everything: role.permissions.includes('*'),
        granted: describe(role),
        path: `${PATH}/${encodeURIComponent(role.key)}`,
      }))
      return {
        data: {
          tabs: workspaceTabs(caller, settings),
          done: query.done ?? '',
          custom: rows.filter(({ builtIn }) => !builtIn),
          builtIn: rows.filter(({ builtIn }) => builtIn),
          mayCreate: caller.can(CREATE),
          mayUpdate: caller.can(UPDATE),
        },
      }
    },
  })

  /** Permissions of a role with their titles. */
  const describe = ({ permissions, scope: granted }: Role) =>
    permissions.includes('*')
      ? []
      : access
          .permissions()
          .filter(({ key, scope }) => (scope === 'tenant' || granted === 'platform') && anyCovers(permissions, key))
          .map(({ key, title }) => ({ key, title }))

  const roleView = (caller: Caller, role: Pick<Role, 'key' | 'name' | 'permissions'>) => ({
    key: role.key,
    name: role.name,
    newKey: '',
    ...NO_ERRORS,
    path: `${PATH}/${role.key === '' ? 'new' : encodeURIComponent(role.key)}`,
    mayUpdate: caller.can(role.key === '' ? CREATE : UPDATE),
    mayDelete: role.key !== '' && caller.can(DELETE),
    ...permissionPicker(access, caller, role.permissions),
  })

  /** The key comes from the name: `Support team` becomes `tenant.support_team`. */
  async function createRole(tenantId: string, name: string, permissions: readonly string[], caller: Caller) {
    const base = `tenant.${keyOf(name)}`
    for (let attempt = 1; attempt <= MAX_KEY_ATTEMPTS; attempt++)
      try {
        return await roles.create(
          tenantId,
          { key: attempt === 1 ? base : `${base}_${attempt}`, name, permissions: [...permissions] },
          caller,
        )
      } catch (error) {
        if (!Problem.is(error) || error.code !== roleProblems.role_exists().code) throw error
      }
    throw roleProblems.role_exists()
  }

  const create = page({
    name: 'identity.role',
    path: `${PATH}/new`,
    title: 'New role',
    allow: CREATE,
    load: async ({ caller }) => ({ data: roleView(caller, { key: '', name: '', permissions: [] }) }),
    async post({ caller, tenantId, form }) {
      const permissions = chosenPermissions(form, caller, [])
      const shown = { ...roleView(caller, { key: '', name: form.name ?? '', permissions }), newKey: form.key ?? '' }
      return submit(shown, async () => {
        const { name, key } = newForm(form, ['name', 'key'])
        if (key === undefined) await createRole(tenantId, name, permissions, caller)
        else await roles.create(tenantId, { key, name, permissions }, caller)
        return { redirect: `${PATH}?done=created` }
      })
    },
  })

  const edit = page({
    name: 'identity.role',
    path: `${PATH}/:key`,
    title: 'Role',
    allow: 'identity.role.read',
    async load({ caller, tenantId, params }) {
      const role = await find(tenantId, String(params.key))
      if (role.builtIn) return { redirect: PATH }
      return { data: roleView(caller, role), title: role.name }
    },
    async post({ caller, tenantId, params, form }) {
      const key = String(params.key)
      const shown = async () => {
        const { name, permissions: stored } = await find(tenantId, key)
        const permissions = form.intent === 'delete' ? stored : chosenPermissions(form, caller, stored)
        return roleView(caller, { key, name: form.name ?? name, permissions })
      }
      return submit(shown, () => change(tenantId, key, form, caller))
    },
  })

  async function change(tenantId: string, key: string, form: Form, caller: Caller) {
    if (form.intent === 'delete') {
      assertPermission(caller, DELETE)
      await roles.remove(tenantId, key, caller)
      return { redirect: `${PATH}?done=deleted` }
    }
    assertPermission(caller, UPDATE)
    const { name } = nameForm(form, ['name'])
    const patch = ({ permissions }: Pick<Role, 'permissions'>) => ({
      name,
      permissions: chosenPermissions(form, caller, permissions),
    })
    await roles.update(tenantId, key, patch, caller)
    return { redirect: `${PATH}?done=saved` }
  }

  return [list, create, edit]
}

function keyOf(name: string): string {
  const key = slugOf(name)
    .replaceAll('-', '_')
    .replace(/^[^a-z]+/, '')
    .slice(0, MAX_KEY_NAME)
  return key === '' ? 'role' : key
}
