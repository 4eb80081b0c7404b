/** Roles by their names. */
import { Badge } from '../../components/Badge.tsx'
import type { RoleList } from '../../data/api-types.ts'
import { MAX_PAGE, useGet } from '../../data/get.ts'
import { usePermissions } from '../../data/session.ts'
import { useIdentityTexts } from './texts.ts'

export function useRoles() {
  const { may } = usePermissions()
  const { data } = useGet<RoleList>('/v1/identity/roles', {
    query: { limit: MAX_PAGE },
    isEnabled: may('identity.role.read'),
  })
  const t = useIdentityTexts()
  const nameOf = (key: string): string => data?.data.find(role => role.key === key)?.name ?? otherRole(key)
  // Only the operator's workspace lists it.
  const otherRole = (key: string) => (key === 'platform.admin' ? t.platformAdmin : key)
  return { nameOf }
}

export function RoleBadges({ keys, nameOf }: { readonly keys: readonly string[]; nameOf: (key: string) => string }) {
  return (
    <span className="role-badges">
      {keys.map(key => (
        <Badge key={key} text={key} label={nameOf(key)} />
      ))}
    </span>
  )
}
