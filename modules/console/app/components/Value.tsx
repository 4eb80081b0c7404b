/** Shows a property of a record. All values are text: nothing of a record is read as markup. */
import { Fragment, useContext } from 'react'
import { isIdentifier } from '../data/record-ids.ts'
import type { States } from '../data/resources.ts'
import { isDuration, UNITS, unitOf } from '../locales/durations.ts'
import {
  fieldLabel,
  formatDuration,
  formatMoney,
  formatNumber,
  formatPercent,
  languageName,
  useTexts,
  wordOf,
} from '../locales/index.ts'
import { StateBadge } from './Badge.tsx'
import { Icon } from './Icon.tsx'
import { InList } from './in-list.ts'
import { RecordName } from './RecordName.tsx'
import { Time } from './Time.tsx'
import styles from './Value.module.css'

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/
export const STATE = /(^|\.)(status|state|visibility|kind|type|interval|period|category|managedBy)$/i
/** Longer texts are cut in a cell. */
export const MAX_CELL_LENGTH = 120

/** Amounts in minor units, in records that have a `currency`. */
export const AMOUNT = /(^|\.)(price|amount|total)$/i
/** Fractions of 1. */
const SHARE = /(^|\.)successRate$/
const CURRENCY = /^[A-Z]{3}$/

interface Props {
  readonly name: string
  readonly value: unknown
  /** Currency of the record's amounts. */
  readonly currency?: unknown
  /** Words for its values. */
  readonly states?: States | undefined
  /** Whether the cell is a link already. */
  readonly isLink?: boolean
}

export function Cell({ name, value, currency, states, isLink = false }: Props) {
  const t = useTexts()
  const isInList = useContext(InList)
  if (value === undefined || value === null || value === '') return <span className="muted">–</span>
  if (typeof value === 'boolean')
    return (
      <span className={value ? styles.yes : 'muted'}>
        {value ? (
          <>
            <Icon name="check" /> {t('yes')}
          </>
        ) : (
          t('no')
        )}
      </span>
    )
  if (typeof value === 'number' && AMOUNT.test(name) && typeof currency === 'string' && CURRENCY.test(currency))
    return <span className="number">{formatMoney(value, currency)}</span>
  if (typeof value === 'number' && isDuration(name)) return <>{formatDuration(value * UNITS[unitOf(name)])}</>
  if (typeof value === 'number')
    return <span className="number">{SHARE.test(name) ? formatPercent(value) : formatNumber(value)}</span>
  if (typeof value === 'string') {
    const isState = STATE.test(name) && /^[\w-]{2,24}$/.test(value)
    if (isState || states?.[value]?.tone) return <StateBadge states={states} value={value} />
    if (INSTANT.test(value)) return <Time value={value} isExact={!isInList} />
    if (name === 'locale') return <>{languageName(value)}</>
    // Narrowed, a text that is no ID would be no text.
    if (isIdentifier(value as unknown)) return <RecordName id={value} as={isLink ? 'text' : 'link'} />
    if (states?.[value]) return <>{wordOf(value, states)}</>
    return <>{value.length > MAX_CELL_LENGTH ? `${value.slice(0, MAX_CELL_LENGTH)}…` : value}</>
  }
  const { names, texts, more } = partsOf(value, states)
  return (
    <>
      {names.map((id, index) => (
        <Fragment key={id}>
          {index > 0 && ', '}
          <RecordName id={id} as={isLink ? 'text' : 'link'} />
        </Fragment>
      ))}
      {names.length > 0 && texts.length > 0 && ', '}
      {texts.join(', ')}
      {names.length + texts.length === 0 && '–'}
      {more > 0 && ` +${more}`}
    </>
  )
}

/** Items of a list that a cell shows. */
const MAX_ITEMS = 3

/** The records that a list or an object refers to, and its other items. */
function partsOf(value: unknown, states?: States) {
  const items = Array.isArray(value) ? value : [value]
  const shown = items.slice(0, MAX_ITEMS).map(item => summaryOf(item, states))
  return {
    names: [...new Set(shown.filter(isIdentifier))],
    texts: shown.filter(text => !isIdentifier(text)),
    more: items.length - shown.length,
  }
}

/** The ID of a record without a name of its own. */
function summaryOf(value: unknown, states?: States): string {
  if (Array.isArray(value)) return value.map(item => summaryOf(item, states)).join(', ') || '–'
  if (typeof value === 'object' && value !== null) {
    const record = value as Record<string, unknown>
    const name = record.title ?? record.name ?? record.label ?? record.key ?? record.email ?? record.id ?? record.userId
    return typeof name === 'string'
      ? name
      : Object.keys(record)
          .map(key => fieldLabel(key))
          .join(', ') || '–'
  }
  return states?.[String(value)]?.title ?? String(value ?? '–')
}
