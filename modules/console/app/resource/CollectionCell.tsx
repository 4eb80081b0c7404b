/** A value of a row by the type of its field: an amount with its currency, the name of a row instead of its ID. */
import { Fragment, lazy, Suspense, useContext } from 'react'
import { Person } from '../components/Avatar.tsx'
import { Badge } from '../components/Badge.tsx'
import { InList } from '../components/in-list.ts'
import { ScreenLink } from '../components/ScreenLink.tsx'
import { Cell } from '../components/Value.tsx'
import type { CollectionField } from '../data/collection.ts'
import type { States } from '../data/resources.ts'
import { formatDay, formatMoney, wordOf } from '../locales/index.ts'
import { recordUrl } from './generic.ts'
import { useNamesOf, useSource } from './sources.ts'

const FileSummary = lazy(async () => ({ default: (await import('./FileInput.tsx')).FileSummary }))

interface Props {
  readonly name: string
  /** Undefined for properties that every row has. */
  readonly field: CollectionField | undefined
  /** Words for its values. */
  readonly states?: States | undefined
  readonly value: unknown
}

export function CollectionCell({ name, field, states, value }: Props) {
  const isSet = value !== undefined && value !== null && value !== ''
  if (!isSet || !field) return <Cell name={name} value={value} />
  switch (field.type) {
    case 'money':
      return field.currency !== undefined && typeof value === 'number' ? (
        <span className="number">{formatMoney(value, field.currency)}</span>
      ) : (
        <Cell name={name} value={value} />
      )
    case 'reference':
    case 'member':
      return <RowNames field={field} value={value} />
    case 'file':
      return (
        <Suspense fallback="…">
          <FileSummary id={String(value)} isCell />
        </Suspense>
      )
    case 'date':
      return <time dateTime={String(value)}>{formatDay(String(value))}</time>
    case 'enum':
      return <Badge text={String(value)} label={wordOf(String(value), states)} />
    default:
      return <Cell name={name} value={value} />
  }
}

/** Names that fit into a cell. */
const MAX_NAMES = 3

/** Links, except in a list, whose rows lead to their own records. */
function RowNames({ field, value }: { readonly field: CollectionField; readonly value: unknown }) {
  const isInList = useContext(InList)
  const keys = (Array.isArray(value) ? value : [value]).map(String)
  const shown = isInList ? keys.slice(0, MAX_NAMES) : keys
  const source = useSource(field)
  const nameOf = useNamesOf(source, shown)
  const more = keys.length - shown.length
  const { resource } = source ?? {}
  if (shown.length === 0) return <>–</>
  return (
    <>
      {shown.map((key, index) => (
        <Fragment key={key}>
          {index > 0 && ', '}
          {field.type === 'member' ? (
            <Person name={nameOf(key)} />
          ) : resource?.operations.get && !isInList ? (
            <ScreenLink className="name-link" to={recordUrl(resource, key)}>
              {nameOf(key)}
            </ScreenLink>
          ) : (
            nameOf(key)
          )}
        </Fragment>
      ))}
      {more > 0 && ` +${more}`}
    </>
  )
}
