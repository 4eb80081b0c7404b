/** How a user joins a tenant: by creating it, by an invitation, or by claiming the operator's tenant. */
import { type Deps, newId, type Unit } from '@larder-dev/larder/kernel'
import { iso, timeAt } from '../../domain/time.ts'
import type { AuditActor, AuditRecorder } from '../audit/audit-log.ts'
import { type Membership, type MembershipWithTenant, memberTable } from '../records.ts'
import { onPlan } from '../tenant-record.ts'

/** Columns of the workspace of a membership. */
interface TenantColumns {
  readonly name: string
  readonly slug: string
  readonly created_at: Date
  readonly updated_at: Date
}
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
      const rows = await memberTable.query<TenantColumns>(
        systemDatabase.acrossTenants('a user lists all their memberships'),
        `select ${memberTable.columns('m')}, t.name, t.slug, t.created_at, t.updated_at
         from identity_members m join identity_tenants t on t.tenant_id = m.tenant_id
         where m.user_id = $1 order by m.created_at, m.id`,
        [userId],
      )
      return rows.map(({ name, slug, created_at: createdAt, updated_at: updatedAt, ...membership }) => ({
        ...membership,
        tenant: onPlan({ id: membership.tenantId, name, slug, createdAt: iso(createdAt), updatedAt: iso(updatedAt) }),
      }))
    },
  }
}
