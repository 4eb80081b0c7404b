/** A value of a row by the type of its field: an amount with its currency, the name of a row instead of its ID. */
import { lazy, Suspense } from 'react'
import { Badge } from '../components/Badge.tsx'
import { Cell } from '../components/Value.tsx'
import type { CollectionField } from '../data/collection.ts'
import type { Row } from '../data/resources.ts'
import { formatMoney } from '../locales/index.ts'
import { useNamesOf, useSource, useUserNames } from './sources.ts'

const FileSummary = lazy(async () => ({ default: (await import('./FileInput.tsx')).FileSummary }))

interface Props {
  readonly name: string
  /** Undefined for properties that every row has. */
  readonly field: CollectionField | undefined
  readonly value: unknown
}

export function CollectionCell({ name, field, value }: Props) {
  const isSet = value !== undefined && value !== null && value !== ''
  if (isSet && name === 'createdBy') return <UserName id={String(value)} />
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
    case 'enum':
      return <Badge text={String(value)} />
    default:
      return <Cell name={name} value={value} />
  }
}

export const UserName = ({ id }: { readonly id: string }) => <>{useUserNames()(id)}</>

/** Names that fit into a cell. */
const MAX_NAMES = 3

function RowNames({ field, value }: { readonly field: CollectionField; readonly value: unknown }) {
  const source = useSource(field)
  const items = Array.isArray(value) ? value : [value]
  const shown = items.slice(0, MAX_NAMES)
  const nameOf = useNamesOf(
    source,
    shown.filter(item => typeof item === 'string'),
  )
  // Lists return rows instead of IDs.
  const names = shown.map(item =>
    typeof item === 'string' ? nameOf(item) : (source?.labelOf(item as Row) ?? String((item as Row).id)),
  )
  const more = items.length - shown.length
  return <>{names.length === 0 ? '–' : `${names.join(', ')}${more > 0 ? ` +${more}` : ''}`}</>
}
