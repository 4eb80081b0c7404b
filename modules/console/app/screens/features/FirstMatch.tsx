/** Chooses one of the matches of a search on the server. */

import { useEffect, useState } from 'react'
import { FilterSelect, TypedInput } from '../../public.ts'

/** Matches that one search shows. */
export const MAX_MATCHES = 50

interface Props<Match> {
  readonly q: string
  readonly onSearch: (q: string) => void
  /** Counts the searches under way, whose answers may choose somebody else: 1 when one begins and -1 when it ends. */
  readonly onProgress: (change: 1 | -1) => void
  /** Undefined until they are loaded. */
  readonly matches: readonly Match[] | undefined
  readonly texts: { readonly search: string; readonly label: string; readonly none: string }
  readonly optionOf: (match: Match) => readonly [id: string, text: string]
  /** ID of the chosen match, or empty. */
  readonly value: string
  readonly onChange: (id: string) => void
}

export function FirstMatch<Match>({
  q,
  onSearch,
  onProgress,
  matches,
  texts,
  optionOf,
  value,
  onChange,
}: Props<Match>) {
  // Shown during a search, so that nothing below moves while somebody presses it.
  const [last, setLast] = useState(matches)
  if (matches && matches !== last) setLast(matches)
  const options = (matches ?? last)?.map(optionOf)
  const isSearching = matches === undefined
  useEffect(() => {
    if (!isSearching) return
    onProgress(1)
    return () => onProgress(-1)
  }, [isSearching, onProgress])
  const first = options?.[0]?.[0] ?? ''
  const isShown = options === undefined || options.some(([id]) => id === value)
  useEffect(() => {
    // The first match is chosen, so that typing a name is enough.
    if (!isShown && first !== value) onChange(first)
  }, [isShown, first, value, onChange])
  return (
    <>
      <TypedInput label={texts.search} maxLength={120} value={q} onChange={onSearch} />
      {options?.length === 0 ? (
        <span className="muted" role="status">
          {texts.none}
        </span>
      ) : (
        <FilterSelect label={texts.label} value={value} all={null} options={options ?? []} onChange={onChange} />
      )}
    </>
  )
}
