/** Properties of a record, by their titles. */

import { Fragment, type ReactNode } from 'react'
import { isIdentifier } from '../data/record-ids.ts'
import type { Resource } from '../data/resources.ts'
import { fieldLabel, useTexts } from '../locales/index.ts'
import styles from './Facts.module.css'
import { RecordName, RecordReference } from './RecordName.tsx'
import { Cell, MAX_CELL_LENGTH } from './Value.tsx'

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
/** More or longer items stand below each other. */
const MAX_WORDS = 6
const MAX_WORD_LENGTH = 40

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
          <dd dir="auto">
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

/** A value in full: lists as lists, and objects by their properties. */
export function FullValue({ name, value, currency, words, depth }: ValueProps) {
  const t = useTexts()
  if (isIdentifier(value)) return <RecordReference name={name} id={value} />
  if (typeof value === 'string' && value.length > MAX_CELL_LENGTH) return <pre className="prose">{value}</pre>
  if (typeof value !== 'object' || value === null)
    return <Cell name={name} value={value} currency={currency} states={words?.states[name]} />
  if (depth > MAX_DEPTH || SCHEMA.test(name)) return <pre className="code">{JSON.stringify(value, null, 2)}</pre>
  if (Array.isArray(value)) {
    const isPlain = value.every(item => typeof item !== 'object' && String(item).length <= MAX_WORD_LENGTH)
    const item = (each: unknown): ReactNode =>
      typeof each === 'object' && each !== null ? (
        <FullValue name={name} value={each} currency={currency} words={words} depth={depth + 1} />
      ) : isIdentifier(each) ? (
        <RecordName id={each} />
      ) : (
        (words?.states[name]?.[String(each)]?.title ?? String(each))
      )
    return isPlain && value.length <= MAX_WORDS ? (
      value.map((each, index) => (
        <Fragment key={String(each)}>
          {index > 0 && ', '}
          {item(each)}
        </Fragment>
      ))
    ) : (
      <ol className={styles.items}>
        {value.map((each, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: items have no keys
          <li key={index}>{item(each)}</li>
        ))}
      </ol>
    )
  }
  const facts = factsOf(value, words)
  if (facts.every(([, , each]) => isEmpty(each))) return <span className="muted">{t('none')}</span>
  return <Facts facts={facts} currency={currency} words={words} isFull depth={depth + 1} />
}
