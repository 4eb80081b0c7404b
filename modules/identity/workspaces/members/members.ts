/** Members of a tenant and their roles. */
import {
  type Caller,
  common,
  type Deps,
  decodeCursor,
  foldedContaining,
  invalidField,
  type PageOf,
  pageLimit,
  statement,
  together,
  toPage,
  type Unit,
  wording,
} from '@larder-dev/larder/kernel'
import { emailKey } from '@larder-dev/larder/kernel/internal'
import { type AuditActor, type AuditRecorder, actorOf } from '../../audit/audit-log.ts'
import { isCustomer, isCustomerSql } from '../../domain/customers.ts'
import { OWNER } from '../../domain/fixed-roles.ts'
import { assertInPerson } from '../../domain/in-person.ts'
import { iso, timeAt } from '../../domain/time.ts'
import type { IdentitySettings } from '../../options.ts'
import type { ProfileValues } from '../../ports.ts'
import type { Profiles } from '../../users/profiles.ts'
import type { Member } from '../../users/records/member.ts'
import { apiKeyTable } from '../keys/records.ts'
import { workspaceProblems } from '../problems.ts'
import { memberTable } from '../records.ts'
import type { AccessChanges } from '../roles/access-changes.ts'
import type { RightsService } from '../roles/rights.ts'
import { lockMembersStep, lockTenant } from '../tenant-record.ts'
import { memberProblems } from './problems.ts'
import { requireSeat } from './seats.ts'

export interface MemberQuery {
  readonly limit?: number
  readonly cursor?: string
  readonly 'filter[role]'?: string
  readonly 'filter[email]'?: string
  /** Separated by commas. */
  readonly 'filter[id][in]'?: string
  readonly 'filter[userId][in]'?: string
  /** Part of a name or an address. */
  readonly q?: string
}
export interface Members {
  list(tenantId: string, query: MemberQuery): Promise<PageOf<Member>>
  /** Without the customers of a product of people. */
  listStaff(tenantId: string, query: MemberQuery): Promise<PageOf<Member>>
  /**
   * The caller needs all permissions of the roles that they add or remove. Throws `last_owner`, and `impersonated` if an
   * operator would change the roles of the person in whose name they act.
   */
  setRoles(tenantId: string, memberId: string, roles: readonly string[], caller: Caller): Promise<Member>
  /**
   * Gives the member one role of scope tenant in place of the others, except for the roles of owners and operators.
   * Throws `not_found`.
   */
  setRole(tenantId: string, userId: string, role: string, actor: AuditActor): Promise<Member>
  /**
   * Also deletes the API keys that the member created. Throws `last_owner`, `one_workspace` if the caller would leave
   * a product of people, and `impersonated` if an operator would leave in the name of the person.
   */
  remove(tenantId: string, memberId: string, caller: Caller): Promise<void>
  /** Throws `not_found`. */
  get(tenantId: string, memberId: string): Promise<Member>
  /** Roles that follow from groups of a provider. The last owner stays one. Needs the tenant's lock. */
  applyRoles(unit: Unit, tenantId: string, memberId: string, roles: readonly string[], actor: AuditActor): Promise<void>
  /** Makes the member an owner and takes the owner role from the caller. Throws `not_owner`. */
  transferOwnership(tenantId: string, memberId: string, caller: Caller): Promise<Member>
}
interface Row {
  id: string
  user_id: string
  email: string
  name: string | null
  roles: string[]
  profile: ProfileValues
  created_at: Date
  updated_at: Date
  suspended_at: Date | null
}
type Needs = Deps<'database' | 'events' | 'clock', 'entitlements'> & {
  readonly audit: AuditRecorder
  readonly accessChanges: AccessChanges
  readonly rights: RightsService
  readonly profiles: Profiles
  readonly settings: Pick<IdentitySettings, 'defaultRole' | 'customerRole'>
}
const MEMBERS = `select m.id, m.user_id, u.email, u.name, m.roles, m.profile, m.created_at, m.updated_at, m.suspended_at
  from identity_members m join identity_users u on u.id = m.user_id`
const listing = (more: string) =>
  statement(
    `${MEMBERS} where m.tenant_id = $tenantId and m.id > $after and m.roles @> $roles ${more}
     and ($emailKey::text is null or u.email_key = $emailKey)
     and ($words::text is null or larder_folded(u.name) like $words or larder_folded(u.email) like $words)
     and ($ids::text[] is null or m.id = any ($ids)) and ($userIds::text[] is null or m.user_id = any ($userIds))
   order by m.id limit $limit`,
  )
const LIST = listing('')
const LIST_STAFF = listing(`and not ${isCustomerSql('m.roles', '$customerRole')}`)

export function createMembers({
  database,
  events,
  clock,
  audit,
  accessChanges,
  rights,
  profiles,
  settings,
  entitlements,
}: Needs): Members {
  const toMember = ({ id, user_id, email, name, roles, profile, created_at, updated_at }: Row): Member => ({
    id,
    userId: user_id,
    email,
    name,
    roles,
    profile: profiles.memberFields()?.read(profile) ?? {},
    createdAt: iso(created_at),
    updatedAt: iso(updated_at),
  })

  async function find(unit: Unit, tenantId: string, memberId: string): Promise<Row> {
    const { rows } = await unit.query<Row>(`${MEMBERS} where m.tenant_id = $1 and m.id = $2`, [tenantId, memberId])
    if (!rows[0]) throw common.not_found({ what: 'member' })
    return rows[0]
  }

  /** Needs the tenant's lock: otherwise two owners who leave at once would each count the other. */
  async function isLastOwner(unit: Unit, tenantId: string, { id, roles }: Row): Promise<boolean> {
    if (!roles.includes(OWNER)) return false
    const { rowCount } = await unit.query(
      'select 1 from identity_members where tenant_id = $1 and $2 = any (roles) and id <> $3 limit 1',
      [tenantId, OWNER, id],
    )
    return rowCount === 0
  }

  async function assertOwnerRemains(unit: Unit, tenantId: string, leaving: Row): Promise<void> {
    if (await isLastOwner(unit, tenantId, leaving)) throw memberProblems.last_owner()
  }

  async function announceRoles(unit: Unit, tenantId: string, before: Row, roles: readonly string[], actor: AuditActor) {
    const { id: memberId, user_id: userId, roles: previous } = before
    await audit.record(unit, {
      tenantId,
      action: 'member.roles_changed',
      actor,
      subject: memberId,
      details: { userId, roles, previous },
    })
    const payload = { memberId, userId, roles: [...roles], previous }
    await events.publish('identity.member.roles_changed', { tenantId, subject: memberId, payload })
    // By user, not by tenant: roles in the operator's tenant are effective everywhere.
    accessChanges.revoked({ userId })
  }

  async function replaceRoles(unit: Unit, tenantId: string, before: Row, roles: readonly string[], actor: AuditActor) {
    if (before.suspended_at !== null) throw memberProblems.suspended_customer()
    const updatedAt = timeAt(clock)
    // Customers have no seat.
    if (isCustomer(settings, before.roles) && !isCustomer(settings, roles))
      await requireSeat({ entitlements }, tenantId)
    await unit.defer([memberTable.updateStep({ tenantId, id: before.id }, { roles, updatedAt })])
    await announceRoles(unit, tenantId, before, roles, actor)
    return { ...toMember(before), roles: [...roles], updatedAt }
  }

  async function list(tenantId: string, query: MemberQuery, isStaffOnly = false): Promise<PageOf<Member>> {
    const [after = ''] = decodeCursor(query.cursor, 1) ?? []
    const limit = pageLimit(query)
    const { 'filter[email]': email, 'filter[role]': role, q: words } = query
    const { 'filter[id][in]': ids, 'filter[userId][in]': userIds } = query
    const values = {
      tenantId,
      after: String(after),
      roles: role === undefined ? [] : [role],
      emailKey: email === undefined ? null : emailKey(email),
      words: words === undefined ? null : foldedContaining(words),
      ids: ids?.split(',') ?? null,
      userIds: userIds?.split(',') ?? null,
      limit: limit + 1,
    }
    const { customerRole } = settings
    const step = isStaffOnly && customerRole !== undefined ? LIST_STAFF({ ...values, customerRole }) : LIST(values)
    const { rows } = await database.tenant(tenantId).query<Row>(...step)
    const { data, nextCursor } = toPage(rows, limit, row => [row.id])
    return { data: data.map(toMember), nextCursor }
  }

  return {
    get: async (tenantId, memberId) => toMember(await find(database.tenant(tenantId), tenantId, memberId)),

    async transferOwnership(tenantId, memberId, caller) {
      return database.tenant(tenantId).transaction(async unit => {
        const own = caller.memberId
        if (own === undefined || own === '' || caller.impersonatedBy !== undefined) throw memberProblems.not_owner()
        if (own === memberId) throw invalidField('/memberId', 'own_membership', wording('must be another member'))
        const { from, to } = await together({
          lock: lockTenant(unit, tenantId),
          members: unit.query(...lockMembersStep(tenantId, [own, memberId])),
          from: find(unit, tenantId, own),
          to: find(unit, tenantId, memberId),
        })
        if (!from.roles.includes(OWNER)) throw memberProblems.not_owner()
        const remaining = from.roles.filter(role => role !== OWNER)
        const owner = to.roles.includes(OWNER)
          ? toMember(to)
          : await replaceRoles(unit, tenantId, to, [OWNER, ...to.roles], actorOf(caller))
        const left = remaining.length > 0 ? remaining : [settings.defaultRole]
        await replaceRoles(unit, tenantId, from, left, actorOf(caller))
        return owner
      })
    },

    async setRoles(tenantId, memberId, roles, caller) {
      return database.tenant(tenantId).transaction(async unit => {
        const { before } = await together({
          lock: lockTenant(unit, tenantId),
          before: find(unit, tenantId, memberId),
          assignable: rights.assertAssignable(tenantId, roles),
        })
        const added = roles.filter(role => !before.roles.includes(role))
        const removed = before.roles.filter(role => !roles.includes(role))
        const changed = [...added, ...removed]
        if (changed.length > 0 && before.user_id === caller.userId) assertInPerson(caller)
        await together({
          grantable: rights.assertCallerCanGrant(caller, tenantId, changed),
          owner: roles.includes(OWNER) ? undefined : assertOwnerRemains(unit, tenantId, before),
        })
        return changed.length === 0 ? toMember(before) : replaceRoles(unit, tenantId, before, roles, actorOf(caller))
      })
    },

    async setRole(tenantId, userId, role, actor) {
      return database.tenant(tenantId).transaction(async unit => {
        const { found } = await together({
          lock: lockTenant(unit, tenantId),
          found: unit.query<Row>(`${MEMBERS} where m.tenant_id = $1 and m.user_id = $2`, [tenantId, userId]),
          assignable: rights.assertAssignable(tenantId, [role]),
        })
        const [before] = found.rows
        if (!before) throw common.not_found({ what: 'member' })
        const isKept = (key: string) => key === OWNER || rights.builtIn().get(key)?.scope === 'platform'
        const roles = [...new Set([...before.roles.filter(isKept), role])]
        const isSame = roles.length === before.roles.length && roles.every(key => before.roles.includes(key))
        return isSame ? toMember(before) : replaceRoles(unit, tenantId, before, roles, actor)
      })
    },

    async applyRoles(unit, tenantId, memberId, roles, actor) {
      const before = await find(unit, tenantId, memberId)
      const keepsOwner = !roles.includes(OWNER) && (await isLastOwner(unit, tenantId, before))
      const next = keepsOwner ? [OWNER, ...roles] : roles
      const isSame = next.length === before.roles.length && next.every(role => before.roles.includes(role))
      // Who is suspended signs in without new roles, and gets them at the next time.
      if (!isSame && before.suspended_at === null) await replaceRoles(unit, tenantId, before, next, actor)
    },

    async remove(tenantId, memberId, caller) {
      await database.tenant(tenantId).transaction(async unit => {
        const { member } = await together({ lock: lockTenant(unit, tenantId), member: find(unit, tenantId, memberId) })
        const { user_id: userId } = member
        if (userId === caller.userId) assertInPerson(caller)
        // They would have an account that leads nowhere. They can delete it.
        if (userId === caller.userId && settings.customerRole !== undefined) throw workspaceProblems.one_workspace()
        await together({
          grantable: userId === caller.userId ? undefined : rights.assertCallerCanGrant(caller, tenantId, member.roles),
          owner: assertOwnerRemains(unit, tenantId, member),
        })
        await unit.defer([
          memberTable.deleteStep({ tenantId, id: memberId }),
          apiKeyTable.deleteStep({ tenantId, createdBy: userId }),
        ])
        const actor = actorOf(caller)
        await audit.record(unit, { tenantId, action: 'member.removed', actor, subject: memberId, details: { userId } })
        await events.publish('identity.member.removed', { tenantId, subject: memberId, payload: { memberId, userId } })
        accessChanges.revoked({ userId })
      })
    },

    list,
    listStaff: (tenantId, query) => list(tenantId, query, true),
  }
}
