/** How a user joins a tenant: by creating it, by an invitation, or by claiming the operator's tenant. */
import { type Deps, newId, type Unit } from '@larder-dev/larder/kernel'
import type { AuditActor, AuditRecorder } from '../../audit/audit-log.ts'
import { timeAt } from '../../domain/time.ts'
import { type Membership, type MembershipWithTenant, memberTable, tenantTable } from '../records.ts'
import { onPlan } from '../tenant-record.ts'

interface NewMember {
  readonly tenantId: string
  readonly userId: string
  readonly roles: readonly string[]
  /** The invitation by which they join. */
  readonly invitationId?: string | undefined
}
export interface Memberships {
  /** Without an entry in the audit log: that of the caller says it. Needs the tenant's lock, under which the user isn't a member. */
  insert(unit: Unit, member: NewMember): Promise<Membership>
  /** Inserts the member, and records that they joined. */
  add(unit: Unit, member: NewMember, actor: AuditActor): Promise<Membership>
  find(unit: Unit, tenantId: string, userId: string): Promise<Membership | null>
  /** The membership in the tenant of an invitation. */
  ofInvited(unit: Unit, invitationId: string, userId: string): Promise<Membership | null>
  /**
   * Locks the memberships of the user, for changes that write them after the user: an address, or a person at the provider
   * of a workspace. Call it before the user is locked; see `lockTenant`.
   */
  lockOf(unit: Unit, userId: string): Promise<void>
  /** Oldest first. The first one is the user's home tenant. */
  ofUser(userId: string): Promise<MembershipWithTenant[]>
}

type Needs = Deps<'systemDatabase' | 'events' | 'clock'> & {
  readonly audit: AuditRecorder
}

export function createMemberships({ systemDatabase, events, clock, audit }: Needs): Memberships {
  const insert: Memberships['insert'] = async (unit, { tenantId, userId, roles }) => {
    const [memberId, createdAt] = [newId('mem'), timeAt(clock)]
    const membership = { id: memberId, tenantId, userId, roles: [...roles], createdAt }
    await unit.defer([memberTable.insertStep({ ...membership, updatedAt: createdAt })])
    const payload = { memberId, userId, roles: [...roles] }
    await events.publish('identity.member.joined', { tenantId, subject: memberId, payload })
    return membership
  }

  return {
    insert,
    find: async (unit, tenantId, userId) => (await memberTable.find(unit, { tenantId, userId })) ?? null,
    async ofInvited(unit, invitationId, userId) {
      const [membership] = await memberTable.query(
        unit,
        `select ${memberTable.columns()} from identity_members
         where tenant_id = (select tenant_id from identity_invitations where id = $1) and user_id = $2`,
        [invitationId, userId],
      )
      return membership ?? null
    },
    async add(unit, member, actor) {
      const { tenantId, ...details } = member
      const membership = await insert(unit, member)
      await audit.record(unit, { tenantId, action: 'member.joined', actor, subject: membership.id, details })
      return membership
    },
    async lockOf(unit, userId) {
      await unit.query('select from identity_members where user_id = $1 order by tenant_id for no key update', [userId])
    },
    async ofUser(userId) {
      const { members, tenants } = await systemDatabase.acrossTenants('a user lists all their memberships').all({
        members: [
          `select ${memberTable.columns()} from identity_members where user_id = $1 order by created_at, id`,
          [userId],
        ],
        tenants: [
          `select ${tenantTable.columns('t')} from identity_tenants t join identity_members m on m.tenant_id = t.tenant_id
           where m.user_id = $1`,
          [userId],
        ],
      })
      const known = new Map(tenantTable.records(tenants.rows as object[]).map(tenant => [tenant.id, tenant]))
      return memberTable.records(members.rows as object[]).flatMap(membership => {
        // The user may have left it between the two statements.
        const tenant = known.get(membership.tenantId)
        return tenant ? [{ ...membership, tenant: onPlan(tenant) }] : []
      })
    },
  }
}
