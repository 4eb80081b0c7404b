/** How a person comes into a tenant: by making it, by an invitation, by claiming the operator's. */
import { type Deps, newId, type Unit } from 'larder/kernel'
import { iso, timeAt } from '../domain/time.ts'
import type { Membership, MembershipOfTenant } from '../schemas.ts'
import type { Changes } from './access-changes.ts'
import type { Audit, By } from './audit.ts'
import { type TenantRow, toTenant } from './tenant-record.ts'

export interface MembershipRow {
  id: string
  tenant_id: string
  user_id: string
  roles: string[]
  created_at: Date
}
interface NewMember {
  readonly tenantId: string
  readonly userId: string
  readonly roles: readonly string[]
}

export function createMemberships(
  { database, events, clock }: Deps<'database' | 'events' | 'clock'>,
  { audit, changes }: { audit: Audit; changes: Changes },
) {
  /** A member already keeps what they have. */
  async function join(unit: Unit, { tenantId, userId, roles }: NewMember, by: By): Promise<Membership> {
    const { rows } = await unit.query<MembershipRow>(
      `insert into identity_members (tenant_id, id, user_id, roles, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $5) on conflict (tenant_id, user_id) do nothing
       returning id, tenant_id, user_id, roles, created_at`,
      [tenantId, newId('mem'), userId, roles, timeAt(clock)],
    )
    const [row] = rows
    if (!row) return (await find(unit, tenantId, userId)) as Membership
    const details = { userId, roles }
    await audit.record(unit, { tenantId, action: 'member.joined', by, subject: row.id, details })
    const payload = { memberId: row.id, userId, roles: [...roles] }
    await events.publish('identity.member.joined', { tenantId, subject: row.id, payload })
    changes.widened({ userId })
    return toMembership(row)
  }

  async function find(unit: Unit, tenantId: string, userId: string): Promise<Membership | null> {
    const { rows } = await unit.query<MembershipRow>(
      `select id, tenant_id, user_id, roles, created_at from identity_members where tenant_id = $1 and user_id = $2`,
      [tenantId, userId],
    )
    return rows[0] ? toMembership(rows[0]) : null
  }

  return {
    join,
    find,
    /** Oldest first: the first is the person's own workspace. */
    async ofUser(userId: string): Promise<MembershipOfTenant[]> {
      const { rows } = await database
        .system('a person sees all their memberships')
        .query<MembershipRow & Pick<TenantRow, 'name' | 'slug' | 'updated_at'> & { tenant_created_at: Date }>(
          `select m.id, m.tenant_id, m.user_id, m.roles, m.created_at, t.name, t.slug, t.updated_at,
             t.created_at as tenant_created_at
           from identity_members m join identity_tenants t on t.tenant_id = m.tenant_id
           where m.user_id = $1 order by m.created_at, m.id`,
          [userId],
        )
      return rows.map(row => ({
        ...toMembership(row),
        tenant: toTenant({ ...row, created_at: row.tenant_created_at }),
      }))
    },
  }
}
export type Memberships = ReturnType<typeof createMemberships>

const toMembership = (row: MembershipRow): Membership => ({
  id: row.id,
  tenantId: row.tenant_id,
  userId: row.user_id,
  roles: row.roles,
  createdAt: iso(row.created_at),
})
