/** A cell of an imported file as the import reads it: `wahr` as Yes, `2026-01-31` as a day. The text itself if it can't be read. */
import { splitCurrency } from '../../../../kernel/base/money.ts'
import type { Collection, CollectionField } from '../data/collection.ts'
import type { Resource } from '../data/resources.ts'
import { CollectionCell } from './CollectionCell.tsx'
import { amountInWords } from './imported-amounts.ts'

const DAY = /^\d{4}-\d\d-\d\d$/
const TIME = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:?\d\d)$/
const IDENTIFIER = /^[a-z0-9_]+_[0-9a-z]{26}$/
const NUMBER = /^-?\d+(\.\d+)?$/
const GERMAN_NUMBER = /^-?(\d+|\d{1,3}(\.\d{3})+)(,\d+)?$/
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
  ['wahr', true],
  ['falsch', false],
])

interface Props {
  /** The name in the file: `price (EUR)`. */
  readonly header: string
  readonly text: string
  readonly resource: Resource
  readonly collection: Collection | undefined
  /** Of a column of amounts whose unit is known. */
  readonly currency: string | undefined
  readonly amounts: string
  readonly decimalComma: boolean
}

export function ImportedCell({ header, text, resource, collection, currency, amounts, decimalComma }: Props) {
  const name = header.trim()
  const field = collection?.fields[name] ?? collection?.fields[splitCurrency(name)?.name ?? '']
  if (!field || text.trim() === '') return <>{text}</>
  if (field.type === 'money') return <>{amountInWords(text, currency, amounts, decimalComma)}</>
  const value = readValue(field, text.trim(), decimalComma)
  if (value === undefined) return <>{text}</>
  return <CollectionCell name={name} field={field} states={resource.states[name]} value={value} />
}

/** Undefined for texts, and for what the import refuses. */
function readValue({ type, reference }: CollectionField, text: string, decimalComma: boolean): unknown {
  switch (type) {
    case 'boolean':
      return BOOLEANS.get(text.toLowerCase())
    case 'date':
      return DAY.test(text) && isInstant(text) ? text : undefined
    case 'datetime':
      return TIME.test(text) && isInstant(text) ? new Date(text).toISOString() : undefined
    case 'integer':
    case 'number':
      return numberOf(text, decimalComma && type === 'number')
    case 'enum':
      return text
    case 'reference':
    case 'member': {
      // A name of the other row stays as it is.
      const ids = reference?.many ? text.split(/[,;]/).map(part => part.trim()) : [text]
      return ids.every(id => IDENTIFIER.test(id)) ? (reference?.many ? ids : text) : undefined
    }
    default:
      return undefined
  }
}

const isInstant = (text: string): boolean => !Number.isNaN(Date.parse(text))

function numberOf(text: string, decimalComma: boolean): number | undefined {
  if (NUMBER.test(text)) return Number(text)
  return decimalComma && GERMAN_NUMBER.test(text) ? Number(text.replaceAll('.', '').replace(',', '.')) : undefined
}
