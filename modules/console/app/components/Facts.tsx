/** Properties of a record, by their titles. */
import { Fragment } from 'react'
import type { Resource } from '../data/resources.ts'
import { fieldLabel, useTexts } from '../locales/index.ts'
import { RecordName, RecordReference } from './RecordName.tsx'
import { Cell, isIdentifier, MAX_CELL_LENGTH } from './Value.tsx'

/** The name is that of the property, unique in a list. It decides how the value is shown: `status` as a badge. */
export type Fact = readonly [title: string, name: string, value: unknown]

/** Texts of properties and their values, by the names of the properties. */
type Words = Pick<Resource, 'labels' | 'states'>

interface Props {
  readonly facts: readonly Fact[]
  readonly label?: string
  /** Shows long texts and objects in full. */
  readonly isFull?: boolean
  /** Currency of the record's amounts. */
  readonly currency?: unknown
  /** Also of the properties of objects inside. */
  readonly words?: Words | undefined
  /** Level of an object inside the record. */
  readonly depth?: number
}
/** Objects below are shown as JSON. */
const MAX_DEPTH = 2
const SCHEMA = /schema$/i

export const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

/** Without those that have no value. */
export function Facts({ facts, label, isFull = false, currency, words, depth = 0 }: Props) {
  const shown = facts.filter(([, , value]) => !isEmpty(value))
  return (
    <dl className={`properties ${depth > 0 ? 'nested' : 'panel'}`} aria-label={label}>
      {shown.map(([title, name, value]) => (
        <div key={name}>
          <dt>{title}</dt>
          <dd>
            {isFull ? (
              <FullValue name={name} value={value} currency={currency} words={words} depth={depth} />
            ) : isIdentifier(value) ? (
              <RecordReference name={name} id={value} />
            ) : (
              <Cell name={name} value={value} currency={currency} states={words?.states[name]} />
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** The properties of an object, in its order. */
export const factsOf = (record: object, words?: Words): readonly Fact[] =>
  Object.entries(record).map(([name, value]) => [words?.labels[name] ?? fieldLabel(name), name, value])

interface ValueProps {
  readonly name: string
  readonly value: unknown
  readonly currency: unknown
  readonly words: Words | undefined
  readonly depth: number
}

function FullValue({ name, value, currency, words, depth }: ValueProps) {
  const t = useTexts()
  if (isIdentifier(value)) return <RecordReference name={name} id={value} />
  if (typeof value === 'string' && value.length > MAX_CELL_LENGTH) return <pre className="prose">{value}</pre>
  if (typeof value !== 'object' || value === null)
    return <Cell name={name} value={value} currency={currency} states={words?.states[name]} />
  const isPlainList = Array.isArray(value) && value.every(item => typeof item !== 'object')
  if (isPlainList)
    return value.map((item, index) => (
      <Fragment key={String(item)}>
        {index > 0 && ', '}
        {isIdentifier(item) ? <RecordName id={item} /> : (words?.states[name]?.[String(item)]?.title ?? String(item))}
      </Fragment>
    ))
  if (depth > MAX_DEPTH || Array.isArray(value) || SCHEMA.test(name))
    return <pre className="code">{JSON.stringify(value, null, 2)}</pre>
  const facts = factsOf(value, words)
  if (facts.every(([, , each]) => isEmpty(each))) return <span className="muted">{t('none')}</span>
  return <Facts facts={facts} currency={currency} words={words} isFull depth={depth + 1} />
}
