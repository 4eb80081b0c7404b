/** Roles: built in by identity, modules and recipe, and a tenant's own. */
import {
  byCodeUnits,
  type Caller,
  common,
  covers,
  type Deps,
  decodeCursor,
  type PageOf,
  pageLimit,
  type RoleEntry,
  toPage,
  type Unit,
} from 'larder/kernel'
import { firstLacking } from '../domain/permission-patterns.ts'
import { timeAt } from '../domain/time.ts'
import { invalidField, lacks, problems } from '../problems.ts'
import type { Role } from '../schemas.ts'
import type { Changes } from './access-changes.ts'
import { type Audit, byCaller } from './audit.ts'
import type { RightsService } from './rights.ts'
import { lockTenant } from './tenant-record.ts'

type Row = Pick<Role, 'key' | 'name' | 'permissions'>
interface Parts {
  readonly audit: Audit
  readonly changes: Changes
  readonly rights: RightsService
}

export function createRoles(
  { database, clock, access, operator }: Deps<'database' | 'clock' | 'access' | 'operator'>,
  { audit, changes, rights }: Parts,
) {
  /** Throws 422 for what this recipe does not know or a tenant's role cannot hold. */
  function mustExist(permissions: readonly string[]): void {
    const known = access.permissions().filter(({ scope }) => scope === 'tenant')
    permissions.forEach((pattern, index) => {
      if (pattern === '*' || known.some(({ key }) => covers(pattern, key))) return
      throw invalidField(`/permissions/${index}`, 'unknown_permission', `a tenant's role cannot hold ${pattern}`)
    })
  }

  /** Throws 403 where the caller lacks one: nobody grants what they lack. */
  async function mustHold(tenantId: string, caller: Caller, permissions: readonly string[]): Promise<void> {
    const lacking = firstLacking((await rights.of(caller, tenantId)).tenant, permissions)
    if (lacking !== undefined) throw lacks(lacking)
  }

  async function own(unit: Unit, tenantId: string, key: string): Promise<Row> {
    if (rights.builtIn().has(key)) throw problems.role_built_in()
    const { rows } = await unit.query<Row>(
      'select key, name, permissions from identity_roles where tenant_id = $1 and key = $2 for update',
      [tenantId, key],
    )
    if (!rows[0]) throw common.not_found({ what: 'role' })
    return rows[0]
  }

  async function create(tenantId: string, role: Row, caller: Caller): Promise<Role> {
    return database.tenant(tenantId).transaction(async unit => {
      if (rights.builtIn().has(role.key)) throw problems.role_exists()
      mustExist(role.permissions)
      await mustHold(tenantId, caller, role.permissions)
      const { rowCount } = await unit.query(
        `insert into identity_roles (tenant_id, key, name, permissions, created_at, updated_at)
         values ($1, $2, $3, $4, $5, $5) on conflict do nothing`,
        [tenantId, role.key, role.name, role.permissions, timeAt(clock)],
      )
      if (rowCount === 0) throw problems.role_exists()
      await record(unit, tenantId, 'role.created', role, caller)
      return ownRole(role)
    })
  }

  const record = (unit: Unit, tenantId: string, action: string, { key, name, permissions }: Row, caller: Caller) =>
    audit.record(unit, { tenantId, action, by: byCaller(caller), subject: key, details: { name, permissions } })

  async function update(
    tenantId: string,
    key: string,
    patch: Partial<Omit<Row, 'key'>>,
    caller: Caller,
  ): Promise<Role> {
    return database.tenant(tenantId).transaction(async unit => {
      const before = await own(unit, tenantId, key)
      const role = { ...before, ...patch }
      const added = role.permissions.filter(pattern => !before.permissions.includes(pattern))
      mustExist(added)
      await mustHold(tenantId, caller, added)
      await unit.query(
        `update identity_roles set name = $3, permissions = $4, updated_at = $5 where tenant_id = $1 and key = $2`,
        [tenantId, key, role.name, role.permissions, timeAt(clock)],
      )
      await record(unit, tenantId, 'role.updated', role, caller)
      changes.narrowed({ tenantId })
      return ownRole(role)
    })
  }

  async function remove(tenantId: string, key: string, caller: Caller): Promise<void> {
    await database.tenant(tenantId).transaction(async unit => {
      // Nobody is given the role while it goes.
      await lockTenant(unit, tenantId)
      const role = await own(unit, tenantId, key)
      const { rowCount } = await unit.query(
        `select 1 from identity_members where tenant_id = $1 and $2 = any (roles)
         union all select 1 from identity_invitations
         where tenant_id = $1 and $2 = any (roles) and status = 'pending' and expires_at > $3 limit 1`,
        [tenantId, key, timeAt(clock)],
      )
      if (rowCount > 0) throw problems.role_in_use()
      await unit.query('delete from identity_roles where tenant_id = $1 and key = $2', [tenantId, key])
      await record(unit, tenantId, 'role.deleted', role, caller)
    })
  }

  /** By key, built-in and own together: a recipe has few, a tenant some more, so the page is cut here. */
  async function list(tenantId: string, query: { limit?: number; cursor?: string }): Promise<PageOf<Role>> {
    const [after = null] = decodeCursor(query.cursor, 1) ?? []
    const limit = pageLimit(query)
    const { rows } = await database
      .tenant(tenantId)
      .query<Row>('select key, name, permissions from identity_roles where tenant_id = $1', [tenantId])
    const builtIn = [...rights.builtIn().values()].filter(
      ({ scope }) => scope === 'tenant' || tenantId === operator.tenantId,
    )
    // A key that a newer recipe took over is the recipe's: so it counts, so it is shown.
    const mine = rows.filter(({ key }) => !rights.builtIn().has(key))
    const all = [...builtIn.map(builtInRole), ...mine.map(ownRole)].sort((a, b) => byCodeUnits(a.key, b.key))
    const rest = after === null ? all : all.filter(({ key }) => key > String(after))
    return toPage(rest, limit, role => [role.key])
  }

  return { list, create, update, remove, mustExist, mustHold }
}
export type Roles = ReturnType<typeof createRoles>

const ownRole = ({ key, name, permissions }: Row): Role => ({ key, name, scope: 'tenant', permissions, builtIn: false })
const builtInRole = ({ key, name, scope, permissions }: RoleEntry): Role => ({
  key,
  name,
  scope,
  permissions: [...permissions],
  builtIn: true,
})
