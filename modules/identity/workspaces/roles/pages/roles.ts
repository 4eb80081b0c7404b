/** Roles of the current workspace: built-in ones to read, custom ones to edit. */
import { type Caller, common, type Deps, defineTexts, Problem, page, Type } from '@larder-dev/larder/kernel'
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
/** `?copy=` of the form: the preset that reads everything and changes nothing. The key of a role has dots. */
const VIEW_ONLY = 'view-only'
const READS = /\.read$/

const VIEW_ONLY_NAME = defineTexts('View only')

type Form = Readonly<Record<string, string>>

export function rolePages({ roles, settings, access }: Deps<'access'> & WorkspaceServices) {
  const offeredIn = async (tenantId: string) =>
    (await readRoles(roles, tenantId, { defaultRole: settings.defaultRole })).offered
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
      const rows = (await offeredIn(tenantId)).map(role => ({
        ...role,
        everything: role.permissions.includes('*'),
        granted: role.permissions.includes('*') ? [] : roles.granted(tenantId, role),
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

  /** What a new role begins with: those of the copied role, or of the preset, that the caller can grant. */
  async function copied(caller: Caller, tenantId: string, from: string): Promise<readonly string[]> {
    const permissions =
      from === VIEW_ONLY
        ? roles
            .granted(tenantId, { scope: 'tenant', permissions: ['*'] })
            .flatMap(({ key }) => (READS.test(key) ? key : []))
        : ((await copyable(tenantId)).find(({ key }) => key === from)?.permissions ?? [])
    return permissions.filter(pattern => anyCovers(caller.permissions, pattern))
  }
  const copyable = async (tenantId: string) => (await offeredIn(tenantId)).filter(({ scope }) => scope === 'tenant')

  async function newRoleView(caller: Caller, tenantId: string, role: Pick<Role, 'name' | 'permissions'>, from = '') {
    const names = (await copyable(tenantId)).map(({ key, name }) => ({ key, name }))
    const sources = [{ key: VIEW_ONLY, name: VIEW_ONLY_NAME }, ...names]
    return {
      ...roleView(caller, { key: '', ...role }),
      sources: sources.map(source => ({ ...source, chosen: source.key === from })),
    }
  }

  const roleView = (caller: Caller, role: Pick<Role, 'key' | 'name' | 'permissions'>) => ({
    key: role.key,
    name: role.name,
    newKey: '',
    sources: [],
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
    async load({ caller, tenantId, query: { copy = '' } }) {
      const permissions = [...(await copied(caller, tenantId, copy))]
      return { data: await newRoleView(caller, tenantId, { name: '', permissions }, copy) }
    },
    async post({ caller, tenantId, form }) {
      const permissions = chosenPermissions(form, caller, [])
      const shown = async () => ({
        ...(await newRoleView(caller, tenantId, { name: form.name ?? '', permissions })),
        newKey: form.key ?? '',
      })
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
