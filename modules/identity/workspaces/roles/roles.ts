/** Roles: built-in ones of identity, the modules and the recipe, and custom roles of a tenant. */
import {
  byCodeUnits,
  type Caller,
  type Deps,
  decodeCursor,
  invalidField,
  missingPermission,
  type PageOf,
  pageLimit,
  together,
  toPage,
  type Unit,
  wording,
} from '@larder-dev/larder/kernel'
import { anyCovers, covers, type PermissionEntry, type RoleEntry } from '@larder-dev/larder/kernel/internal'
import { type AuditRecorder, actorOf } from '../../audit/audit-log.ts'
import { isCustomerSql } from '../../domain/customers.ts'
import { FIXED_ROLES } from '../../domain/fixed-roles.ts'
import { timeAt } from '../../domain/time.ts'
import type { IdentitySettings } from '../../options.ts'
import { lockTenant } from '../tenant-record.ts'
import type { AccessChanges } from './access-changes.ts'
import { firstMissing } from './domain/permission-patterns.ts'
import { roleProblems } from './problems.ts'
import { type CustomRole, type Role, roleTable } from './records.ts'
import type { RightsService } from './rights.ts'

/** All roles of a workspace are read at once. */
const MAX_ROLES = 200

export type RolePatch = Partial<Omit<CustomRole, 'key'>>
export interface Roles {
  /** Ordered by key. */
  list(tenantId: string, query: { limit?: number; cursor?: string }): Promise<PageOf<Role>>
  /** All of them, by key. */
  all(tenantId: string): Promise<readonly Role[]>
  /** Whether a role has an effect in the tenant. */
  isEffective(tenantId: string, key: string): boolean
  /** The permissions that a role gives in the tenant, with their titles. */
  granted(tenantId: string, role: Pick<Role, 'scope' | 'permissions'>): readonly PermissionEntry[]
  /** Role → how many members of the tenant have it. Customers of a product of people aren't counted. */
  uses(tenantId: string): Promise<ReadonlyMap<string, number>>
  /**
   * Throws `role_exists`, `too_many_roles`, 422 for unknown permissions, and 403 for permissions that the caller doesn't
   * hold.
   */
  create(tenantId: string, role: CustomRole, caller: Caller): Promise<Role>
  /** A patch can depend on the role. */
  update(
    tenantId: string,
    key: string,
    patch: RolePatch | ((before: CustomRole) => RolePatch),
    caller: Caller,
  ): Promise<Role>
  /** Throws `role_in_use` if a member or a pending invitation has the role. */
  remove(tenantId: string, key: string, caller: Caller): Promise<void>
  /** Throws 422 for a permission that is unknown or that a tenant's role can't contain. */
  assertPermissionsExist(permissions: readonly string[]): void
  /** Throws 403 if the caller doesn't hold one of the permissions. */
  assertCallerHolds(tenantId: string, caller: Caller, permissions: readonly string[]): Promise<void>
}
type Needs = Deps<'database' | 'clock' | 'access' | 'operator'> & {
  readonly audit: AuditRecorder
  readonly accessChanges: AccessChanges
  readonly rights: RightsService
  readonly settings: Pick<IdentitySettings, 'customerRole'>
}
const COUNT_USES = `select role, count(*)::int as members from identity_members m, unnest(m.roles) as role
  where m.tenant_id = $1 and not ${isCustomerSql('m.roles', '$2')} group by role`

export function createRoles(deps: Needs): Roles {
  const { database, clock, access, operator, audit, accessChanges, rights, settings } = deps
  const assertPermissionsExist: Roles['assertPermissionsExist'] = permissions => {
    const known = access.permissions().filter(({ scope }) => scope === 'tenant')
    permissions.forEach((pattern, index) => {
      if (pattern === '*' || known.some(({ key }) => covers(pattern, key))) return
      throw invalidField(
        `/permissions/${index}`,
        'unknown_permission',
        wording("a tenant's role can't contain {pattern}", { pattern }),
      )
    })
  }

  const assertCallerHolds: Roles['assertCallerHolds'] = async (tenantId, caller, permissions) => {
    const missing = firstMissing((await rights.ofCaller(caller, tenantId)).tenant, permissions)
    if (missing !== undefined) throw missingPermission(missing)
  }

  async function lockCustomRole(unit: Unit, tenantId: string, key: string): Promise<CustomRole> {
    if (rights.builtIn().has(key)) throw roleProblems.role_built_in()
    return roleTable.get(unit, { tenantId, key }, { lock: true })
  }

  const record = (
    unit: Unit,
    tenantId: string,
    action: string,
    { key, name, permissions }: CustomRole,
    caller: Caller,
  ) => audit.record(unit, { tenantId, action, actor: actorOf(caller), subject: key, details: { name, permissions } })

  async function all(tenantId: string): Promise<readonly Role[]> {
    const stored = await roleTable.findMany(database.tenant(tenantId), { tenantId })
    const builtIn = [...rights.builtIn().values()].filter(
      ({ scope }) => scope === 'tenant' || tenantId === operator.tenantId,
    )
    // A role that the recipe defines overrides a custom role with the same key.
    const custom = stored.filter(({ key }) => !rights.builtIn().has(key))
    return [...builtIn.map(fromBuiltInRole), ...custom.map(fromCustomRole)].sort((a, b) => byCodeUnits(a.key, b.key))
  }

  return {
    assertPermissionsExist,
    assertCallerHolds,

    async create(tenantId, role, caller) {
      return database.tenant(tenantId).transaction(async unit => {
        if (rights.builtIn().has(role.key)) throw roleProblems.role_exists()
        assertPermissionsExist(role.permissions)
        const now = timeAt(clock)
        const { own, inserted } = await together({
          lock: lockTenant(unit, tenantId),
          grantable: assertCallerHolds(tenantId, caller, role.permissions),
          own: unit.query('select from identity_roles where tenant_id = $1', [tenantId]),
          inserted: unit.query(
            ...roleTable.insertStep({ ...role, tenantId, createdAt: now, updatedAt: now }, 'on conflict do nothing'),
          ),
        })
        if (inserted.rowCount === 0) throw roleProblems.role_exists()
        if (own.rowCount >= MAX_ROLES) throw roleProblems.too_many_roles({ limit: MAX_ROLES })
        const created = roleTable.record(role)
        await record(unit, tenantId, 'role.created', created, caller)
        return fromCustomRole(created)
      })
    },

    async update(tenantId, key, patch, caller) {
      return database.tenant(tenantId).transaction(async unit => {
        const { before, held } = await together({
          before: lockCustomRole(unit, tenantId, key),
          held: rights.ofCaller(caller, tenantId),
        })
        const changes = typeof patch === 'function' ? patch(before) : patch
        const { permissions = before.permissions } = changes
        const added = permissions.filter(pattern => !before.permissions.includes(pattern))
        assertPermissionsExist(added)
        const missing = firstMissing(held.tenant, added)
        if (missing !== undefined) throw missingPermission(missing)
        const role = await roleTable.update(unit, { tenantId, key }, { ...changes, updatedAt: timeAt(clock) })
        await record(unit, tenantId, 'role.updated', role, caller)
        accessChanges.revoked({ tenantId })
        return fromCustomRole(role)
      })
    },

    async remove(tenantId, key, caller) {
      await database.tenant(tenantId).transaction(async unit => {
        // The lock prevents concurrent assignments of the role.
        const {
          role,
          uses: { rowCount },
        } = await together({
          lock: lockTenant(unit, tenantId),
          role: lockCustomRole(unit, tenantId, key),
          uses: unit.query(
            `select 1 from identity_members where tenant_id = $1 and $2 = any (roles)
             union all select 1 from identity_invitations
             where tenant_id = $1 and $2 = any (roles) and status = 'pending' and expires_at > $3 limit 1`,
            [tenantId, key, timeAt(clock)],
          ),
        })
        if (rowCount > 0) throw roleProblems.role_in_use()
        await unit.defer([roleTable.deleteStep({ tenantId, key })])
        await record(unit, tenantId, 'role.deleted', role, caller)
      })
    },

    // Paginated in memory: built-in roles aren't in the database.
    async list(tenantId, query) {
      const [after = null] = decodeCursor(query.cursor, 1) ?? []
      const limit = pageLimit(query)
      const roles = await all(tenantId)
      const rest = after === null ? roles : roles.filter(({ key }) => key > String(after))
      return toPage(rest, limit, role => [role.key])
    },
    all,
    isEffective(tenantId, key) {
      const role = rights.builtIn().get(key)
      if (!role || tenantId === operator.tenantId || Object.hasOwn(FIXED_ROLES, key)) return true
      const held = access.permissions().filter(permission => anyCovers(role.permissions, permission.key))
      return !role.operatorOnly && (held.length === 0 || held.some(({ operatorOnly }) => !operatorOnly))
    },
    granted: (tenantId, role) =>
      access
        .permissions()
        .filter(({ scope, operatorOnly }) => {
          const counts = scope === 'tenant' || role.scope === 'platform'
          return counts && (!operatorOnly || tenantId === operator.tenantId)
        })
        .filter(({ key }) => anyCovers(role.permissions, key)),
    async uses(tenantId) {
      const { rows } = await database
        .tenant(tenantId)
        .query<{ role: string; members: number }>(COUNT_USES, [tenantId, settings.customerRole ?? null])
      return new Map(rows.map(({ role, members }) => [role, members]))
    },
  }
}

const fromCustomRole = (role: CustomRole): Role => ({ description: null, scope: 'tenant', builtIn: false, ...role })
const fromBuiltInRole = ({ key, name, description, scope, permissions }: RoleEntry): Role => ({
  key,
  name,
  description,
  scope,
  permissions: [...permissions],
  builtIn: true,
})
