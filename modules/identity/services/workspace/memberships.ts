/** How a user joins a tenant: by creating it, by an invitation, or by claiming the operator's tenant. */
import { type Deps, newId, type Unit } from '@larder-dev/larder/kernel'
import { iso, timeAt } from '../../domain/time.ts'
import type { Membership, MembershipWithTenant } from '../../records/tenant.ts'
import type { AuditActor, AuditRecorder } from '../access/audit-log.ts'
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
  /** Needs the tenant's lock, under which the user isn't a member. */
  add(unit: Unit, member: NewMember, actor: AuditActor): Promise<Membership>
  find(unit: Unit, tenantId: string, userId: string): Promise<Membership | null>
  /** The membership in the tenant of an invitation. */
  ofInvited(unit: Unit, invitationId: string, userId: string): Promise<Membership | null>
  /** Oldest first. The first one is the user's home tenant. */
  ofUser(userId: string): Promise<MembershipWithTenant[]>
}

type Needs = Deps<'systemDatabase' | 'events' | 'clock'> & {
  readonly audit: AuditRecorder
}

export function createMemberships({ systemDatabase, events, clock, audit }: Needs): Memberships {
  async function findWhere(unit: Unit, condition: string, values: readonly string[]): Promise<Membership | null> {
    const { rows } = await unit.query<MembershipRow>(
      `select id, tenant_id, user_id, roles, created_at from identity_members where ${condition}`,
      values,
    )
    return rows[0] ? toMembership(rows[0]) : null
  }

  return {
    find: (unit, tenantId, userId) => findWhere(unit, 'tenant_id = $1 and user_id = $2', [tenantId, userId]),
    ofInvited: (unit, invitationId, userId) =>
      findWhere(unit, 'tenant_id = (select tenant_id from identity_invitations where id = $1) and user_id = $2', [
        invitationId,
        userId,
      ]),
    async add(unit, { tenantId, userId, roles }, actor) {
      const [memberId, createdAt] = [newId('mem'), timeAt(clock)]
      await unit.defer([
        [
          `insert into identity_members (tenant_id, id, user_id, roles, created_at, updated_at)
           values ($1, $2, $3, $4, $5, $5)`,
          [tenantId, memberId, userId, roles, createdAt],
        ],
      ])
      const details = { userId, roles }
      await audit.record(unit, { tenantId, action: 'member.joined', actor, subject: memberId, details })
      const payload = { memberId, userId, roles: [...roles] }
      await events.publish('identity.member.joined', { tenantId, subject: memberId, payload })
      return { id: memberId, tenantId, userId, roles: [...roles], createdAt }
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
