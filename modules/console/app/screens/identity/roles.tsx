/** Roles of the workspace by their names, and the choice of roles for a member. */
import { Badge } from '../../components/Badge.tsx'
import { type ListOf, MAX_PAGE, useGet } from '../../data/get.ts'
import { usePermissions } from '../../data/session.ts'
import { useIdentityTexts } from './texts.ts'

/** Paths of screens. */
export const INVITATIONS: string = '/identity/invitations'
export const NEW_INVITATION: string = `${INVITATIONS}/new`

export interface RoleOption {
  readonly key: string
  readonly name: string
  readonly scope: string
}

export function useRoles() {
  const { may } = usePermissions()
  const { data } = useGet<ListOf<RoleOption>>('/v1/identity/roles', {
    query: { limit: MAX_PAGE },
    isEnabled: may('identity.role.read'),
  })
  const roles = data?.data ?? []
  return { roles, nameOf: (key: string): string => roles.find(role => role.key === key)?.name ?? key }
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

interface ChoiceProps {
  readonly roles: readonly RoleOption[]
  readonly chosen: readonly string[]
  readonly onChange: (chosen: readonly string[]) => void
}

export function RoleChoice({ roles, chosen, onChange }: ChoiceProps) {
  const c = useIdentityTexts()
  return (
    <fieldset className="role-choice">
      <legend>{c.roles}</legend>
      {roles.map(({ key, name }) => (
        <label key={key} className="choice">
          <input
            type="checkbox"
            checked={chosen.includes(key)}
            onChange={({ target }) =>
              onChange(target.checked ? [...chosen, key] : chosen.filter(other => other !== key))
            }
          />
          <span>
            {name} {name !== key && <code className="muted">{key}</code>}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
