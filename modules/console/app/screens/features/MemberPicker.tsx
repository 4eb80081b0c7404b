/** Chooses a member, found by name or email: of the workspace of the console or, for operators, of another one. */

import { useCallback, useState } from 'react'
import { useGet } from '../../public.ts'
import { FirstMatch, MAX_MATCHES } from './FirstMatch.tsx'
import { useFeatureTexts } from './texts.ts'

interface Props {
  /** The workspace of the members, or null for that of the console. */
  readonly tenantId: string | null
  /** User ID, or empty. */
  readonly value: string
  readonly onChange: (userId: string) => void
}

export function MemberPicker({ tenantId, value, onChange }: Props) {
  const c = useFeatureTexts()
  const [q, setQ] = useState('')
  const members = useGet(tenantId === null ? '/v1/identity/members' : '/v1/identity/admin/tenants/{id}/members', {
    path: { id: tenantId ?? '' },
    query: { limit: MAX_MATCHES, ...(q && { q }) },
  })
  return (
    <FirstMatch
      q={q}
      onSearch={setQ}
      matches={members.data?.data}
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
  const [q, setQ] = useState('')
  const tenants = useGet('/v1/identity/admin/tenants', { query: { limit: MAX_MATCHES, ...(q && { q }) } })
  return (
    <>
      <FirstMatch
        q={q}
        onSearch={setQ}
        matches={tenants.data?.data}
        texts={{ search: c.findWorkspace, label: c.workspace, none: c.noWorkspace }}
        optionOf={({ id, name, slug }) => [id, `${name} · ${slug}`]}
        value={tenantId}
        onChange={chooseTenant}
      />
      {tenantId !== '' && <MemberPicker key={tenantId} tenantId={tenantId} value={userId} onChange={chooseUser} />}
    </>
  )
}
