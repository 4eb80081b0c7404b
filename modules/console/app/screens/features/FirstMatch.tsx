/** Chooses one of the matches of a search on the server. */

import { useEffect } from 'react'
import { FilterSelect, TypedInput } from '../../public.ts'

/** Matches that one search shows. */
export const MAX_MATCHES = 50

interface Props<Match> {
  readonly q: string
  readonly onSearch: (q: string) => void
  /** Undefined until they are loaded. */
  readonly matches: readonly Match[] | undefined
  readonly texts: { readonly search: string; readonly label: string; readonly none: string }
  readonly optionOf: (match: Match) => readonly [id: string, text: string]
  /** ID of the chosen match, or empty. */
  readonly value: string
  readonly onChange: (id: string) => void
}

export function FirstMatch<Match>({ q, onSearch, matches, texts, optionOf, value, onChange }: Props<Match>) {
  const options = matches?.map(optionOf)
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
