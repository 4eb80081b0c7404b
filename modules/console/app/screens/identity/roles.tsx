import { Badge, MAX_PAGE, useGet, usePermissions, useResources } from '../../public.ts'
/** Roles by their names. */

export function useRoles() {
  const { may } = usePermissions()
  const { data } = useGet('/v1/identity/roles', {
    query: { limit: MAX_PAGE },
    isEnabled: may('identity.role.read'),
  })
  const { data: resources = [] } = useResources()
  /** Those of the recipe and of modules, also of other workspaces. */
  const words = resources.find(({ states }) => states.roles)?.states.roles
  return {
    nameOf: (key: string): string => data?.data.find(role => role.key === key)?.name ?? words?.[key]?.title ?? key,
  }
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
