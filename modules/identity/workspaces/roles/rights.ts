/** The permissions of a user in a tenant, and the permissions they can grant. */
import {
  type Caller,
  common,
  type Deps,
  invalidField,
  missingPermission,
  together,
  type Unit,
  wording,
} from '@larder-dev/larder/kernel'
import type { RoleEntry } from '@larder-dev/larder/kernel/internal'
import { isCustomer } from '../../domain/customers.ts'
import { OWNER } from '../../domain/fixed-roles.ts'
import { assertRecentProof } from '../../domain/recent-proof.ts'
import type { IdentitySettings } from '../../options.ts'
import { apiKeyTable } from '../keys/records.ts'
import { firstMissing, intersectPatterns } from './domain/permission-patterns.ts'
import { roleTable } from './records.ts'

export interface Rights {
  readonly tenantId: string
  /** Empty if a platform role gives access to a tenant that the user is no member of. */
  readonly memberId: string
  readonly roles: readonly string[]
  /** See `Caller`. */
  readonly isCustomer: boolean
  /** Whether an operator has suspended the customer. */
  readonly isSuspended: boolean
  /** Patterns of scope tenant. */
  readonly tenant: readonly string[]
  /** Patterns of scope platform: assigned in the operator's tenant, effective in every tenant. */
  readonly platform: readonly string[]
}
export interface RightsService {
  /** Roles of identity, the modules and the recipe, by key. */
  builtIn(): ReadonlyMap<string, RoleEntry>
  /** Returns null for an unknown tenant or a user without rights in it. `tenant` is an id or a slug. */
  find(unit: Unit, userId: string, tenant: string): Promise<Rights | null>
  /** Null for a user without rights in the tenant. */
  fromRow(row: RightsRow): Rights | null
  /** Whether the permissions of these roles depend on the tenant's own roles. */
  hasCustomRoles(roles: readonly string[]): boolean
  /** An API key has the rights that both the key and its creator have. `permissions: null` sets no limit. */
  restrictToApiKey(rights: Rights, permissions: readonly string[] | null): Rights
  /** An operator who acts as a user has the user's rights in the tenant, without platform rights and secrets. */
  restrictToImpersonation(rights: Rights): Rights
  /** Whether these roles in the operator's tenant include the permission to act as a user. */
  mayImpersonate(roles: readonly string[]): boolean
  /** Reads the rights again inside the current transaction, because those of the request may be cached. */
  ofCaller(caller: Caller, tenantId: string): Promise<Rights>
  /** Includes platform rights, which row level security hides from other tenants. */
  ofCallerWithPlatform(caller: Caller, tenantId: string): Promise<Rights>
  /** Throws 422 for a role that the tenant can't assign. */
  assertAssignable(tenantId: string, roles: readonly string[]): Promise<void>
  /** Throws 403 unless the caller has all permissions of these roles, and a recent proof for roles of owners and operators. */
  assertCallerCanGrant(caller: Caller, tenantId: string, roles: readonly string[]): Promise<void>
}
export const IMPERSONATE = 'identity.user.impersonate'
/** They outlast an impersonation, or can't be undone. */
const NEVER_IMPERSONATED: readonly string[] = [
  'identity.api_key.create',
  'identity.api_key.update',
  'identity.api_key.delete',
  'identity.tenant.delete',
  'identity.sso.manage',
]
type CustomRoles = Readonly<Record<string, readonly string[]>>
/** What the rights of a user in a tenant consist of. */
export interface RightsRow {
  tenant_id: string
  member_id: string | null
  roles: string[] | null
  customer_suspended: boolean | null
  operator_roles: string[] | null
  custom_roles: CustomRoles | null
}

/** The columns of `RightsRow`, from the memberships `m` and `o`. `tenant` is the table with the tenant. */
export const rightsColumns = (tenant: string): string => `${tenant}.tenant_id, m.id as member_id, m.roles,
    m.suspended_at is not null as customer_suspended, o.roles as operator_roles,
    (select jsonb_object_agg(r.key, r.permissions) from identity_roles r
     where r.tenant_id = m.tenant_id and r.key = any (m.roles)) as custom_roles`
/** Joins the membership `m` of a user in a tenant. */
export const joinMember = (tenantId: string, userId: string): string =>
  `left join identity_members m on m.tenant_id = ${tenantId} and m.user_id = ${userId}`
/** Joins the membership `o` of a user in the operator's tenant, which is `$3`. */
export const joinOperator = (userId: string): string =>
  `left join identity_members o on o.tenant_id = $3 and o.user_id = ${userId}`

const selectRights = (column: 'tenant_id' | 'slug') => `
  select ${rightsColumns('t')} from identity_tenants t ${joinMember('t.tenant_id', '$2')} ${joinOperator('$2')}
  where t.${column} = $1`

type Needs = Deps<'database' | 'systemDatabase' | 'access' | 'operator' | 'clock'> & {
  readonly settings: Pick<IdentitySettings, 'customerRole'>
}

export function createRights({ database, systemDatabase, access, operator, clock, settings }: Needs): RightsService {
  const isPowerful = (role: string): boolean => role === OWNER || builtIn().get(role)?.scope === 'platform'
  let roleMap: ReadonlyMap<string, RoleEntry> | undefined
  const builtIn = () => {
    roleMap ??= new Map(access.roles().map(role => [role.key, role]))
    return roleMap
  }
  const patternsOf = (scope: RoleEntry['scope'], roles: readonly string[], custom: CustomRoles = {}): string[] => {
    const patterns = roles.flatMap(key => {
      const role = builtIn().get(key)
      if (role) return role.scope === scope ? role.permissions : []
      return scope === 'tenant' && Object.hasOwn(custom, key) ? (custom[key] ?? []) : []
    })
    return [...new Set(patterns)]
  }

  async function find(unit: Unit, userId: string, tenant: string): Promise<Rights | null> {
    const text = selectRights(tenant.includes('_') ? 'tenant_id' : 'slug')
    const { rows } = await unit.query<RightsRow>(text, [tenant, userId, operator.tenantId])
    return rows[0] ? fromRow(rows[0]) : null
  }

  function fromRow(row: RightsRow): Rights | null {
    const memberRoles = row.roles ?? []
    const platformRoles = (row.operator_roles ?? []).filter(key => builtIn().get(key)?.scope === 'platform')
    const platform = patternsOf('platform', platformRoles)
    if (row.member_id === null && platform.length === 0) return null
    return {
      tenantId: row.tenant_id,
      memberId: row.member_id ?? '',
      roles: [...new Set([...memberRoles, ...platformRoles])],
      isCustomer: row.member_id !== null && isCustomer(settings, memberRoles),
      isSuspended: row.customer_suspended ?? false,
      tenant: patternsOf('tenant', memberRoles, row.custom_roles ?? {}),
      platform,
    }
  }

  function restrictToApiKey(rights: Rights, permissions: readonly string[] | null): Rights {
    // Only a key of the operator's tenant can use platform permissions.
    const platform = rights.tenantId === operator.tenantId ? rights.platform : []
    if (permissions === null) return { ...rights, platform }
    return {
      ...rights,
      tenant: intersectPatterns(rights.tenant, permissions),
      platform: intersectPatterns(platform, permissions.filter(isExact)),
    }
  }

  const restrictToImpersonation: RightsService['restrictToImpersonation'] = held => {
    const permitted = access.permissions().flatMap(({ key, scope }) => (scope === 'tenant' ? key : []))
    const allowed = permitted.filter(key => !NEVER_IMPERSONATED.includes(key))
    return { ...held, tenant: intersectPatterns(held.tenant, allowed), platform: [] }
  }

  async function findForCaller(unit: Unit, caller: Caller, tenantId: string): Promise<Rights> {
    const { rights, key } = await together({
      rights: find(unit, caller.userId, tenantId),
      key: caller.kind === 'apiKey' ? apiKeyTable.find(unit, { id: caller.principalId }) : undefined,
    })
    if (!rights) throw common.not_a_member()
    if (caller.impersonatedBy !== undefined) return restrictToImpersonation(rights)
    if (caller.kind !== 'apiKey') return rights
    if (!key) throw common.unauthenticated()
    return restrictToApiKey(rights, key.permissions)
  }

  const ofCaller: RightsService['ofCaller'] = (caller, tenantId) =>
    findForCaller(database.tenant(tenantId), caller, tenantId)

  async function customRoles(tenantId: string, keys: readonly string[]): Promise<CustomRoles> {
    const roles = await roleTable.findMany(database.tenant(tenantId), { tenantId, key: keys })
    return Object.fromEntries(roles.map(({ key, permissions }) => [key, permissions]))
  }

  return {
    builtIn,
    find,
    fromRow,
    hasCustomRoles: roles => roles.some(key => !builtIn().has(key)),
    restrictToApiKey,
    restrictToImpersonation,
    mayImpersonate: roles => firstMissing(patternsOf('platform', roles), [IMPERSONATE]) === undefined,
    ofCaller,
    ofCallerWithPlatform: (caller, tenantId) =>
      findForCaller(
        systemDatabase.acrossTenants("platform roles are assigned in the operator's tenant"),
        caller,
        tenantId,
      ),

    async assertAssignable(tenantId, roles) {
      const custom = await customRoles(tenantId, roles)
      roles.forEach((key, index) => {
        const role = builtIn().get(key)
        const isAssignable = role
          ? role.scope === 'tenant' || tenantId === operator.tenantId
          : Object.hasOwn(custom, key)
        if (!isAssignable)
          throw invalidField(`/roles/${index}`, 'unknown_role', wording("role {key} doesn't exist", { key }))
      })
    },

    async assertCallerCanGrant(caller, tenantId, roles) {
      const { rights, custom } = await together({
        rights: ofCaller(caller, tenantId),
        custom: customRoles(tenantId, roles),
      })
      const missing =
        firstMissing(rights.tenant, patternsOf('tenant', roles, custom)) ??
        firstMissing(rights.platform, patternsOf('platform', roles))
      if (missing !== undefined) throw missingPermission(missing)
      if (roles.some(isPowerful)) assertRecentProof(caller, clock.now())
    },
  }
}

/** The kernel accepts platform permissions from an API key only if the key names them exactly. */
const isExact = (pattern: string): boolean => !pattern.endsWith('*')
