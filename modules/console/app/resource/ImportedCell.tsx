/** A cell of an imported file as the import reads it: `wahr` as Yes, `2026-01-31` as a day. Marks what it refuses. */
import { plainNumber, splitCurrency } from '../../../../kernel/base/money.ts'
import { Icon } from '../components/Icon.tsx'
import type { Collection, CollectionField } from '../data/collection.ts'
import { isIdentifier } from '../data/record-ids.ts'
import type { Resource, States } from '../data/resources.ts'
import { CollectionCell } from './CollectionCell.tsx'
import { useCollectionTexts } from './collection-texts.ts'
import styles from './ImportedCell.module.css'
import { amountInWords } from './imported-amounts.ts'

const DAY = /^\d{4}-\d\d-\d\d$/
const TIME = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:?\d\d)$/
const NUMBER = /^-?\d+(\.\d+)?$/
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
  /** The currency of a column of amounts, if it is known. */
  readonly currency: string | undefined
  readonly amounts: string
  readonly decimalComma: boolean
}

export function ImportedCell({ header, text, resource, collection, currency, amounts, decimalComma }: Props) {
  const name = header.trim()
  const field = collection?.fields[name] ?? collection?.fields[splitCurrency(name)?.name ?? '']
  if (!field || text.trim() === '') return <>{text}</>
  const states = resource.states[name]
  if (field.type === 'money') {
    if (currency === undefined) return <>{text}</>
    return <>{amountInWords(text, currency, amounts, decimalComma) ?? <Refused text={text} />}</>
  }
  if (!TYPED.includes(field.type)) return <>{text}</>
  const value = readValue(field, text.trim(), { decimalComma, states })
  if (value === undefined) return isNamed(field) ? text : <Refused text={text} />
  return <CollectionCell name={name} field={field} states={states} value={value} />
}

const TYPED: readonly string[] = ['boolean', 'date', 'datetime', 'integer', 'number', 'enum', 'reference', 'member']
/** A row can be referred to by its name. */
const isNamed = ({ type }: CollectionField): boolean => type === 'reference' || type === 'member'

function Refused({ text }: { readonly text: string }) {
  const c = useCollectionTexts()
  return (
    <span className={styles.refused}>
      <Icon name="triangle-alert" /> {text} <span className="visually-hidden">({c.unreadable})</span>
    </span>
  )
}

interface Reading {
  readonly decimalComma: boolean
  readonly states: States | undefined
}

/** Undefined for what the import refuses, and for names of rows. */
function readValue({ type, reference }: CollectionField, text: string, { decimalComma, states }: Reading): unknown {
  switch (type) {
    case 'boolean':
      return BOOLEANS.get(text.toLowerCase())
    case 'date':
      return DAY.test(text) && isDay(text) ? text : undefined
    case 'datetime':
      return TIME.test(text) && isDay(text.slice(0, 10)) && isInstant(text) ? new Date(text).toISOString() : undefined
    case 'enum':
      return states === undefined || Object.hasOwn(states, text) ? text : undefined
    case 'reference':
    case 'member': {
      const ids = reference?.many ? text.split(/[,;]/).map(part => part.trim()) : [text]
      return ids.every(isIdentifier) ? (reference?.many ? ids : text) : undefined
    }
    default:
      return numberOf(text, decimalComma, type === 'integer')
  }
}

const isInstant = (text: string): boolean => !Number.isNaN(Date.parse(text))
/** `2026-02-30` is none, although it can be parsed. */
const isDay = (text: string): boolean => isInstant(text) && new Date(text).toISOString().startsWith(text)

function numberOf(text: string, decimalComma: boolean, isWhole: boolean): number | undefined {
  const written = plainNumber(text, decimalComma, isWhole)
  return written !== undefined && NUMBER.test(written) ? Number(written) : undefined
}
