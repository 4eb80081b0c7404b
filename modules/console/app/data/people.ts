/** Names of the members of the workspace, by the id of the user. */
import type { MemberList } from './api-types.ts'
import { MAX_PAGE, useGet } from './get.ts'
import { useMe, usePermissions } from './session.ts'

export function useMemberNames() {
  const { may } = usePermissions()
  const { data: me } = useMe()
  const { data } = useGet<MemberList>('/v1/identity/members', {
    query: { limit: MAX_PAGE },
    isEnabled: may('identity.member.read'),
  })
  const names = new Map(data?.data.map(({ userId, name, email }) => [userId, name ?? email]))
  if (me) names.set(me.user.id, me.user.name ?? me.user.email)
  return names
}
