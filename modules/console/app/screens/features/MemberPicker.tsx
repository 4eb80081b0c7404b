/** Chooses a member, found by name or email: of the workspace of the console or, for operators, of another one. */

import { useCallback } from 'react'
import type { Api } from '../../public.ts'
import { FirstMatch } from './FirstMatch.tsx'
import { useFeatureTexts } from './texts.ts'

/** The members of a workspace, of the console's own for null. */
const pathOf = (tenantId: string | null): string =>
  tenantId === null ? '/v1/identity/members' : `/v1/identity/admin/tenants/${encodeURIComponent(tenantId)}/members`

interface Props {
  readonly tenantId: string | null
  /** User ID, or empty. */
  readonly value: string
  readonly onChange: (userId: string) => void
}

export function MemberPicker({ tenantId, value, onChange }: Props) {
  const c = useFeatureTexts()
  return (
    <FirstMatch<Api.Member>
      path={pathOf(tenantId)}
      texts={{ search: c.findMember, label: c.member, none: c.noMember }}
      optionOf={({ userId, name, email }) => [userId, name ? `${name} · ${email}` : email]}
      value={value}
      onChange={onChange}
    />
  )
}

interface AnywhereProps {
  readonly tenantId: string
  readonly userId: string
  readonly onChange: (tenantId: string, userId: string) => void
}

export function MemberOfAnyWorkspace({ tenantId, userId, onChange }: AnywhereProps) {
  const c = useFeatureTexts()
  const chooseTenant = useCallback((chosen: string) => onChange(chosen, ''), [onChange])
  const chooseUser = useCallback((chosen: string) => onChange(tenantId, chosen), [tenantId, onChange])
  return (
    <>
      <FirstMatch<Api.TenantSummary>
        path="/v1/identity/admin/tenants"
        texts={{ search: c.findWorkspace, label: c.workspace, none: c.noWorkspace }}
        optionOf={({ id, name, slug }) => [id, `${name} · ${slug}`]}
        value={tenantId}
        onChange={chooseTenant}
      />
      {tenantId !== '' && <MemberPicker key={tenantId} tenantId={tenantId} value={userId} onChange={chooseUser} />}
    </>
  )
}
