/** Names of the members of the workspace, by the id of the user. */
import { type ListOf, MAX_PAGE, useGet } from '../../data/get.ts'
import { useMe, usePermissions } from '../../data/session.ts'

interface Fellow {
  readonly userId: string
  readonly name: string | null
  readonly email: string
}

export function useNames() {
  const { may } = usePermissions()
  const { data: me } = useMe()
  const { data } = useGet<ListOf<Fellow>>('/v1/identity/members', {
    query: { limit: MAX_PAGE },
    isEnabled: may('identity.member.read'),
  })
  const names = new Map(data?.data.map(({ userId, name, email }) => [userId, name ?? email]))
  if (me?.user) names.set(me.user.id, me.user.name ?? me.user.email)
  return names
}
