/** Chooses a member of the workspace, found by name or email. */
import { useEffect, useState } from 'react'
import { FilterSelect } from '../../components/FilterSelect.tsx'
import { TypedInput } from '../../components/TypedInput.tsx'
import type { MemberList } from '../../data/api-types.ts'
import { useGet } from '../../data/get.ts'
import { useFeatureTexts } from './texts.ts'

/** Members that one search shows. */
const MAX_MEMBERS = 50

interface Props {
  /** User ID, or empty. */
  readonly value: string
  readonly onChange: (userId: string) => void
}

export function MemberPicker({ value, onChange }: Props) {
  const c = useFeatureTexts()
  const [q, setQ] = useState('')
  const members = useGet<MemberList>('/v1/identity/members', {
    query: { limit: MAX_MEMBERS, ...(q && { q }) },
  })
  const found = members.data?.data
  useEffect(() => {
    // The first match is chosen, so that typing a name is enough.
    if (found && !found.some(({ userId }) => userId === value)) onChange(found[0]?.userId ?? '')
  }, [found, value, onChange])
  return (
    <>
      <TypedInput label={c.findMember} maxLength={200} value={q} onChange={setQ} />
      {found?.length === 0 ? (
        <span className="muted" role="status">
          {c.noMember}
        </span>
      ) : (
        <FilterSelect
          label={c.member}
          value={value}
          all={null}
          options={(found ?? []).map(({ userId, name, email }) => [userId, name ? `${name} · ${email}` : email])}
          onChange={onChange}
        />
      )}
    </>
  )
}
