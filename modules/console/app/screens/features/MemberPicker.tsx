/** Chooses a member, found by name or email: of the workspace of the console or, for operators, of another one. */

import { useState } from 'react'
import { useGet } from '../../public.ts'
import { FirstMatch, MAX_MATCHES } from './FirstMatch.tsx'
import { useFeatureTexts } from './texts.ts'

interface Props {
  /** The workspace of the members, or null for that of the console. */
  readonly tenantId: string | null
  /** User ID, or empty. */
  readonly value: string
  readonly onChange: (userId: string) => void
  /** 1 when a search begins and -1 when it ends. */
  readonly onProgress: (change: 1 | -1) => void
}

export function MemberPicker({ tenantId, value, onChange, onProgress }: Props) {
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
      onProgress={onProgress}
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
  readonly onTenant: (tenantId: string) => void
  readonly onUser: (userId: string) => void
  /** 1 when a search begins and -1 when it ends. */
  readonly onProgress: (change: 1 | -1) => void
}

export function MemberOfAnyWorkspace({ tenantId, userId, onTenant, onUser, onProgress }: AnywhereProps) {
  const c = useFeatureTexts()
  const [q, setQ] = useState('')
  const tenants = useGet('/v1/identity/admin/tenants', { query: { limit: MAX_MATCHES, ...(q && { q }) } })
  return (
    <>
      <FirstMatch
        q={q}
        onSearch={setQ}
        onProgress={onProgress}
        matches={tenants.data?.data}
        texts={{ search: c.findWorkspace, label: c.workspace, none: c.noWorkspace }}
        optionOf={({ id, name, slug }) => [id, `${name} · ${slug}`]}
        value={tenantId}
        onChange={onTenant}
      />
      {tenantId !== '' && (
        <MemberPicker key={tenantId} tenantId={tenantId} value={userId} onChange={onUser} onProgress={onProgress} />
      )}
    </>
  )
}
