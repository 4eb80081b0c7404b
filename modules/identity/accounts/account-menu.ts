/** The signed-in user and their workspaces, for the header of every page. */
import type { Deps } from '@larder-dev/larder/kernel'
import { OWNER } from '../domain/fixed-roles.ts'
import { initialsOf } from '../domain/initials.ts'
import type { RightsService } from '../workspaces/roles/rights.ts'

/** The page `/account/workspaces` lists and searches all of them. */
const MAX_WORKSPACES = 8

export interface MenuWorkspace {
  readonly id: string
  readonly name: string
  readonly initials: string
  /** Names of the user's roles there, the owner role first. */
  readonly roles: readonly string[]
  readonly current: boolean
}
export interface MenuUser {
  readonly name: string
  readonly email: string
  readonly initials: string
  readonly emailVerified: boolean
  readonly timeZone: string | null
}
/** What an operator has suspended: the person as a customer, or the workspace with this name. */
export interface MenuSuspension {
  readonly workspace: string | null
  readonly reason: string
}
export interface AccountMenu {
  /** Returns null for a deleted user. The current workspace is first, then the others by the time of joining. */
  read(
    userId: string,
    tenantId: string | undefined,
  ): Promise<{
    readonly user: MenuUser
    /** At most 8. */
    readonly workspaces: readonly MenuWorkspace[]
    readonly hasMore: boolean
    /** Null for a person who works in another workspace. */
    readonly suspension: MenuSuspension | null
  } | null>
}
interface Row {
  email: string
  name: string | null
  time_zone: string | null
  email_verified_at: Date | null
  tenant_id: string | null
  tenant: string
  roles: string[]
  custom_names: Readonly<Record<string, string>> | null
  customer_reason: string | null
  tenant_reason: string | null
}

const SELECT = `select u.email, u.name, u.time_zone, u.email_verified_at, t.tenant_id, t.name as tenant, m.roles,
    m.suspension_reason as customer_reason, s.reason as tenant_reason,
    (select jsonb_object_agg(r.key, r.name) from identity_roles r
     where r.tenant_id = m.tenant_id and r.key = any (m.roles)) as custom_names
  from identity_users u
  left join identity_members m on m.user_id = u.id
  left join identity_tenants t on t.tenant_id = m.tenant_id
  left join larder_suspended_tenants s on s.id = t.tenant_id
  where u.id = $1 order by t.tenant_id = $2 desc nulls last, m.created_at, m.id limit ${MAX_WORKSPACES + 1}`

type Needs = Deps<'systemDatabase'> & {
  readonly rights: RightsService
}

export function createAccountMenu({ systemDatabase, rights }: Needs): AccountMenu {
  const nameOf = (key: string, custom: Row['custom_names']) => rights.builtIn().get(key)?.name ?? custom?.[key] ?? key
  const ownerFirst = (roles: readonly string[]) => roles.toSorted((a, b) => Number(b === OWNER) - Number(a === OWNER))

  return {
    async read(userId, tenantId) {
      const { rows } = await systemDatabase
        .acrossTenants('the header of a page lists all workspaces of the user')
        .query<Row>(SELECT, [userId, tenantId ?? null])
      const [first] = rows
      if (!first) return null
      const { email, time_zone: timeZone, email_verified_at: verifiedAt } = first
      const name = first.name ?? email
      const workspaces = rows.slice(0, MAX_WORKSPACES).flatMap(row =>
        row.tenant_id === null
          ? []
          : {
              id: row.tenant_id,
              name: row.tenant,
              initials: initialsOf(row.tenant),
              roles: ownerFirst(row.roles).map(key => nameOf(key, row.custom_names)),
              current: row.tenant_id === tenantId,
            },
      )
      const user = { name, email, initials: initialsOf(name), emailVerified: verifiedAt !== null, timeZone }
      const hasMore = rows.length > MAX_WORKSPACES
      return { user, workspaces, hasMore, suspension: tenantId === undefined ? suspensionIn(rows) : null }
    },
  }
}

function suspensionIn(rows: readonly Row[]): MenuSuspension | null {
  for (const { customer_reason, tenant_reason, tenant } of rows) {
    if (customer_reason !== null) return { workspace: null, reason: customer_reason }
    if (tenant_reason !== null) return { workspace: tenant, reason: tenant_reason }
  }
  return null
}
