/** How a user joins a tenant: by creating it, by an invitation, or by claiming the operator's tenant. */
import { type Deps, inOrder, newId, type Unit } from 'larder/kernel'
import { iso, timeAt } from '../domain/time.ts'
import type { Membership, MembershipWithTenant } from '../routes/tenant-schemas.ts'
import type { AuditActor, AuditRecorder } from './audit-log.ts'
import { type TenantRow, toTenant } from './tenant-record.ts'

interface MembershipRow {
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
export interface Memberships {
  /** An existing member keeps their roles. */
  join(unit: Unit, member: NewMember, actor: AuditActor): Promise<Membership>
  find(unit: Unit, tenantId: string, userId: string): Promise<Membership | null>
  /** Oldest first. The first one is the user's home tenant. */
  ofUser(userId: string): Promise<MembershipWithTenant[]>
}

export function createMemberships(
  { systemDatabase, events, clock }: Deps<'systemDatabase' | 'events' | 'clock'>,
  { audit }: { readonly audit: AuditRecorder },
): Memberships {
  const find: Memberships['find'] = async (unit, tenantId, userId) => {
    const { rows } = await unit.query<MembershipRow>(
      `select id, tenant_id, user_id, roles, created_at from identity_members where tenant_id = $1 and user_id = $2`,
      [tenantId, userId],
    )
    return rows[0] ? toMembership(rows[0]) : null
  }

  return {
    find,
    async join(unit, { tenantId, userId, roles }, actor) {
      const insert = unit.query<MembershipRow>(
        `insert into identity_members (tenant_id, id, user_id, roles, created_at, updated_at)
         values ($1, $2, $3, $4, $5, $5) on conflict (tenant_id, user_id) do nothing
         returning id, tenant_id, user_id, roles, created_at`,
        [tenantId, newId('mem'), userId, roles, timeAt(clock)],
      )
      const [{ rows }, member] = await inOrder(insert, find(unit, tenantId, userId))
      const [row] = rows
      if (!row) return member as Membership
      const { id: memberId } = row
      await audit.record(unit, {
        tenantId,
        action: 'member.joined',
        actor,
        subject: memberId,
        details: { userId, roles },
      })
      const payload = { memberId, userId, roles: [...roles] }
      await events.publish('identity.member.joined', { tenantId, subject: memberId, payload })
      return toMembership(row)
    },
    async ofUser(userId) {
      const { rows } = await systemDatabase
        .acrossTenants('a user lists all their memberships')
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

const toMembership = (row: MembershipRow): Membership => ({
  id: row.id,
  tenantId: row.tenant_id,
  userId: row.user_id,
  roles: row.roles,
  createdAt: iso(row.created_at),
})
