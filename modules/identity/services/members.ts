/** The people of a tenant and their roles. */
import { type Caller, common, type Deps, decodeCursor, type PageOf, pageLimit, toPage, type Unit } from 'larder/kernel'
import { emailKey } from '../domain/email.ts'
import { OWNER } from '../domain/fixed-roles.ts'
import { iso, timeAt } from '../domain/time.ts'
import { problems } from '../problems.ts'
import type { Member } from '../schemas.ts'
import type { Changes } from './access-changes.ts'
import { type Audit, byCaller } from './audit.ts'
import type { RightsService } from './rights.ts'
import { lockTenant } from './tenant-record.ts'

interface Row {
  id: string
  user_id: string
  email: string
  name: string | null
  roles: string[]
  created_at: Date
  updated_at: Date
}
export interface MemberQuery {
  readonly limit?: number
  readonly cursor?: string
  readonly 'filter[role]'?: string
  readonly 'filter[email]'?: string
}
interface Parts {
  readonly audit: Audit
  readonly changes: Changes
  readonly rights: RightsService
}
const SELECT = `select m.id, m.user_id, u.email, u.name, m.roles, m.created_at, m.updated_at
  from identity_members m join identity_users u on u.id = m.user_id where m.tenant_id = $1`

export function createMembers(
  { database, events, clock }: Deps<'database' | 'events' | 'clock'>,
  { audit, changes, rights }: Parts,
) {
  async function find(unit: Unit, tenantId: string, memberId: string): Promise<Row> {
    const { rows } = await unit.query<Row>(`${SELECT} and m.id = $2`, [tenantId, memberId])
    if (!rows[0]) throw common.not_found({ what: 'member' })
    return rows[0]
  }

  /** Under the tenant's lock, so that two who leave at once cannot both count the other. */
  async function keepsAnOwner(unit: Unit, tenantId: string, leaving: Row): Promise<void> {
    if (!leaving.roles.includes(OWNER)) return
    const { rowCount } = await unit.query(
      'select 1 from identity_members where tenant_id = $1 and $2 = any (roles) and id <> $3 limit 1',
      [tenantId, OWNER, leaving.id],
    )
    if (rowCount === 0) throw problems.last_owner()
  }

  async function setRoles(
    tenantId: string,
    memberId: string,
    roles: readonly string[],
    caller: Caller,
  ): Promise<Member> {
    return database.tenant(tenantId).transaction(async unit => {
      await lockTenant(unit, tenantId)
      const before = await find(unit, tenantId, memberId)
      await rights.mustKnow(tenantId, roles)
      const changed = [...roles.filter(r => !before.roles.includes(r)), ...before.roles.filter(r => !roles.includes(r))]
      await rights.mustCover(await rights.of(caller, tenantId), changed)
      if (!roles.includes(OWNER)) await keepsAnOwner(unit, tenantId, before)
      if (changed.length === 0) return toMember(before)
      await unit.query('update identity_members set roles = $3, updated_at = $4 where tenant_id = $1 and id = $2', [
        tenantId,
        memberId,
        roles,
        timeAt(clock),
      ])
      await rolesChanged(unit, tenantId, before, roles, caller)
      return toMember(await find(unit, tenantId, memberId))
    })
  }

  async function rolesChanged(unit: Unit, tenantId: string, before: Row, roles: readonly string[], caller: Caller) {
    const details = { userId: before.user_id, roles, previous: before.roles }
    await audit.record(unit, {
      tenantId,
      action: 'member.roles_changed',
      by: byCaller(caller),
      subject: before.id,
      details,
    })
    const payload = { memberId: before.id, userId: before.user_id, roles: [...roles], previous: before.roles }
    await events.publish('identity.member.roles_changed', { tenantId, subject: before.id, payload })
    // By user, not by tenant: a role of the operator's tenant counts everywhere.
    changes.narrowed({ userId: before.user_id })
  }

  /** Keys that the person made go with them: nobody's rights would stand behind those. */
  async function remove(tenantId: string, memberId: string, caller: Caller): Promise<void> {
    await database.tenant(tenantId).transaction(async unit => {
      await lockTenant(unit, tenantId)
      const member = await find(unit, tenantId, memberId)
      if (member.user_id !== caller.userId) await rights.mustCover(await rights.of(caller, tenantId), member.roles)
      await keepsAnOwner(unit, tenantId, member)
      const userId = member.user_id
      await unit.query('delete from identity_api_keys where tenant_id = $1 and user_id = $2', [tenantId, userId])
      await unit.query('delete from identity_members where tenant_id = $1 and id = $2', [tenantId, memberId])
      const by = byCaller(caller)
      await audit.record(unit, { tenantId, action: 'member.removed', by, subject: memberId, details: { userId } })
      await events.publish('identity.member.removed', { tenantId, subject: memberId, payload: { memberId, userId } })
      changes.narrowed({ userId })
    })
  }

  async function list(tenantId: string, query: MemberQuery): Promise<PageOf<Member>> {
    const [after = null] = decodeCursor(query.cursor, 1) ?? []
    const limit = pageLimit(query)
    const email = query['filter[email]']
    const { rows } = await database.tenant(tenantId).query<Row>(
      `${SELECT} and ($2::text is null or m.id > $2) and ($3::text is null or $3 = any (m.roles))
         and ($4::text is null or u.email_key = $4) order by m.id limit $5`,
      [tenantId, after, query['filter[role]'] ?? null, email === undefined ? null : emailKey(email), limit + 1],
    )
    const { data, nextCursor } = toPage(rows, limit, row => [row.id])
    return { data: data.map(toMember), nextCursor }
  }

  return { list, setRoles, remove }
}
export type Members = ReturnType<typeof createMembers>

const toMember = (row: Row): Member => ({
  id: row.id,
  userId: row.user_id,
  email: row.email,
  name: row.name,
  roles: row.roles,
  createdAt: iso(row.created_at),
  updatedAt: iso(row.updated_at),
})
