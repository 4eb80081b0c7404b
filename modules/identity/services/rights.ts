/** What a person may in a tenant, and what they may hand on. */
import { type Caller, common, type Deps, type RoleEntry, type Unit } from 'larder/kernel'
import { FIXED_ROLES } from '../domain/fixed-roles.ts'
import { firstLacking, intersect } from '../domain/permission-patterns.ts'
import { invalidField, lacks } from '../problems.ts'

export interface Rights {
  readonly tenantId: string
  /** Empty for a platform role that looks into a tenant it is no member of. */
  readonly memberId: string
  readonly roles: readonly string[]
  /** Patterns of scope tenant. */
  readonly tenant: readonly string[]
  /** Patterns of scope platform: held in the operator's tenant, good everywhere. */
  readonly platform: readonly string[]
}
type OwnRoles = Readonly<Record<string, readonly string[]>>
interface Row {
  tenant_id: string
  member_id: string | null
  roles: string[] | null
  operator_roles: string[] | null
  own: OwnRoles | null
}

const LOOK_UP = (column: 'tenant_id' | 'slug') => `
  select t.tenant_id, m.id as member_id, m.roles, o.roles as operator_roles,
    (select jsonb_object_agg(r.key, to_jsonb(r.permissions)) from identity_roles r
     where r.tenant_id = t.tenant_id and r.key = any (m.roles)) as own
  from identity_tenants t
  left join identity_members m on m.tenant_id = t.tenant_id and m.user_id = $2
  left join identity_members o on o.tenant_id = $3 and o.user_id = $2
  where t.${column} = $1`

export function createRights({ database, access, operator }: Deps<'database' | 'access' | 'operator'>) {
  let known: ReadonlyMap<string, RoleEntry> | undefined
  const builtIn = () => {
    known ??= new Map([...access.roles(), ...FIXED_ROLES].map(role => [role.key, role]))
    return known
  }
  const ofScope = (scope: RoleEntry['scope'], roles: readonly string[], own: OwnRoles = {}): string[] => {
    const patterns = roles.flatMap(key => {
      const role = builtIn().get(key)
      if (role) return role.scope === scope ? role.permissions : []
      return scope === 'tenant' && Object.hasOwn(own, key) ? (own[key] ?? []) : []
    })
    return [...new Set(patterns)]
  }

  /** Null where there is no such tenant, or nothing of it is theirs. `tenant` is an id or a slug. */
  async function lookUp(unit: Unit, userId: string, tenant: string): Promise<Rights | null> {
    const text = LOOK_UP(tenant.includes('_') ? 'tenant_id' : 'slug')
    const { rows } = await unit.query<Row>(text, [tenant, userId, operator.tenantId])
    const [row] = rows
    if (!row) return null
    const held = row.roles ?? []
    const platformRoles = (row.operator_roles ?? []).filter(key => builtIn().get(key)?.scope === 'platform')
    const platform = ofScope('platform', platformRoles)
    if (row.member_id === null && platform.length === 0) return null
    return {
      tenantId: row.tenant_id,
      memberId: row.member_id ?? '',
      roles: [...new Set([...held, ...platformRoles])],
      tenant: ofScope('tenant', held, row.own ?? {}),
      platform,
    }
  }

  /** An API key holds what both it and its creator hold; of scope platform only a key of the operator's own tenant. */
  function underKey(rights: Rights, ceiling: readonly string[] | null): Rights {
    const platform = rights.tenantId === operator.tenantId ? rights.platform : []
    if (ceiling === null) return { ...rights, platform }
    return { ...rights, tenant: intersect(rights.tenant, ceiling), platform: exactly(platform, ceiling) }
  }

  /** Read anew inside the unit of the change, not taken from what the request's way had cached. */
  const of = (caller: Caller, tenantId: string): Promise<Rights> => ofIn(database.tenant(tenantId), caller, tenantId)

  /** With what the operator's tenant adds, which is out of any other tenant's sight. */
  const whole = (caller: Caller, tenantId: string): Promise<Rights> =>
    ofIn(database.system("a platform role is held in the operator's tenant"), caller, tenantId)

  async function ofIn(unit: Unit, caller: Caller, tenantId: string): Promise<Rights> {
    const rights = await lookUp(unit, caller.userId, tenantId)
    if (!rights) throw common.not_a_member()
    if (caller.kind !== 'apiKey') return rights
    const { rows } = await unit.query<{ permissions: string[] | null }>(
      'select permissions from identity_api_keys where id = $1',
      [caller.principalId],
    )
    if (!rows[0]) throw common.unauthenticated()
    return underKey(rights, rows[0].permissions)
  }

  async function ownRoles(tenantId: string, keys: readonly string[]): Promise<OwnRoles> {
    const { rows } = await database
      .tenant(tenantId)
      .query<{ key: string; permissions: string[] }>(
        'select key, permissions from identity_roles where tenant_id = $1 and key = any ($2)',
        [tenantId, keys],
      )
    return Object.fromEntries(rows.map(({ key, permissions }) => [key, permissions]))
  }

  /** Throws 422 for a role that this tenant cannot give. */
  async function mustKnow(tenantId: string, roles: readonly string[]): Promise<void> {
    const own = await ownRoles(tenantId, roles)
    roles.forEach((key, index) => {
      const role = builtIn().get(key)
      const usable = role ? role.scope === 'tenant' || tenantId === operator.tenantId : Object.hasOwn(own, key)
      if (!usable) throw invalidField(`/roles/${index}`, 'unknown_role', `there is no role ${key} here`)
    })
  }

  /** Throws 403 unless the caller holds all that these roles hold: nobody gives or takes what they lack. */
  async function mustCover(rights: Rights, roles: readonly string[]): Promise<void> {
    const own = await ownRoles(rights.tenantId, roles)
    const lacking =
      firstLacking(rights.tenant, ofScope('tenant', roles, own)) ??
      firstLacking(rights.platform, ofScope('platform', roles))
    if (lacking !== undefined) throw lacks(lacking)
  }

  return { builtIn, lookUp, underKey, of, whole, mustKnow, mustCover }
}
export type RightsService = ReturnType<typeof createRights>

/** The kernel lets a key act on scope platform only where it names the permission itself. */
function exactly(platform: readonly string[], ceiling: readonly string[]): string[] {
  return intersect(
    platform,
    ceiling.filter(pattern => !pattern.endsWith('*')),
  )
}
