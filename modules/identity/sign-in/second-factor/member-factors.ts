import type { Deps } from '@larder-dev/larder/kernel'
import { actorOf } from '../../audit/audit-log.ts'
import { OWNER } from '../../domain/fixed-roles.ts'
import type { MemberFactors } from '../../workspaces/members/member-factors.ts'
import type { Members } from '../../workspaces/members/members.ts'
import { memberProblems } from '../../workspaces/members/problems.ts'
import { secondFactorProblems } from './problems.ts'
import type { SecondFactors } from './second-factors.ts'

type Needs = Deps<'systemDatabase'> & {
  readonly members: Members
  readonly secondFactors: SecondFactors
}

export function createMemberFactors({ systemDatabase, members, secondFactors }: Needs): MemberFactors {
  return {
    async remove(tenantId, memberId, caller) {
      const { userId } = await members.get(tenantId, memberId)
      if (!caller.roles.includes(OWNER) || caller.impersonatedBy !== undefined) throw memberProblems.not_owner()
      const { rowCount } = await systemDatabase
        .acrossTenants('an owner may weaken only accounts that belong to their own workspaces')
        .query(
          `select from identity_members m where m.user_id = $1 and not exists (
             select from identity_members o where o.tenant_id = m.tenant_id and o.user_id = $2 and $3 = any (o.roles))`,
          [userId, caller.userId, OWNER],
        )
      if (rowCount !== 0) throw secondFactorProblems.member_elsewhere()
      await secondFactors.reset(userId, actorOf(caller), tenantId)
    },
  }
}
