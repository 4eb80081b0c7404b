/** Finds the workspaces and members that an operator names in a request. */
import { common, type Deps, idPattern, type Registrations } from '@larder-dev/larder/kernel'
import { type Subject, workspaceOf } from '../domain/subject.ts'

const SEAT_KEY = 'identity.seat'
const TENANT_ID = new RegExp(idPattern('ten'))
const MEMBER_ID = new RegExp(idPattern('mem'))

/** Identity depends on billing's port, so billing can't depend on identity's: members are found through the registry. */
export interface TenantLookup {
  /** Throws `not_found` for a tenant that doesn't exist. */
  assertExists(tenantId: string): Promise<void>
  /** Throws `not_found` for a tenant that doesn't exist. */
  workspace(tenantId: string): Promise<Subject>
  /** Throws `not_found` for an ID that isn't of a member of the operator's workspace. */
  member(memberId: string): Promise<Subject>
  /** Undefined for somebody who isn't a member of the operator's workspace. */
  ofUser(userId: string): Promise<Subject | undefined>
}

export function createTenantLookup({
  usage,
  registry,
  operator,
}: Deps<'usage' | 'registry' | 'operator'>): TenantLookup {
  /** Every tenant has an owner, who uses a seat. */
  async function assertExists(tenantId: string): Promise<void> {
    const isCounted = usage.keys().includes(SEAT_KEY)
    if (!TENANT_ID.test(tenantId) || (isCounted && (await usage.count(SEAT_KEY, tenantId)) === 0))
      throw common.not_found({ what: 'workspace' })
  }

  async function found(kind: 'userOfMember' | 'memberOfUser', id: string): Promise<string | undefined> {
    for (const { value } of registry.collect<Registrations[typeof kind]>(kind)) {
      const other = await value(operator.tenantId, id)
      if (other !== undefined) return other
    }
    return undefined
  }

  return {
    assertExists,
    async workspace(tenantId) {
      await assertExists(tenantId)
      return workspaceOf(tenantId)
    },
    async member(memberId) {
      const userId = MEMBER_ID.test(memberId) ? await found('userOfMember', memberId) : undefined
      if (userId === undefined) throw common.not_found({ what: 'member' })
      return { tenantId: operator.tenantId, memberId, userId }
    },
    async ofUser(userId) {
      const memberId = await found('memberOfUser', userId)
      return memberId === undefined ? undefined : { tenantId: operator.tenantId, memberId, userId }
    },
  }
}
