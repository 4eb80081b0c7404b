/** The properties of a record: its content, and beside it its state, its times, its ID and what it refers to. */

import { type ReactNode, useState } from 'react'
import { Button } from '../components/Button.tsx'
import { FullValue, isEmpty } from '../components/Facts.tsx'
import { RecordReference } from '../components/RecordName.tsx'
import { MAX_CELL_LENGTH } from '../components/Value.tsx'
import type { Collection } from '../data/collection.ts'
import { useDocument } from '../data/document.ts'
import { isIdentifier } from '../data/record-ids.ts'
import type { Resource, Row, States } from '../data/resources.ts'
import { fill, useTexts } from '../locales/index.ts'
import { CollectionCell } from './CollectionCell.tsx'
import { useCollectionTexts } from './collection-texts.ts'
import { kindOf } from './columns.tsx'
import { labelIn } from './generic.ts'
import styles from './RowFacts.module.css'

interface Props {
  readonly resource: Resource
  readonly record: Row
}
const SYSTEM = ['createdAt', 'createdBy', 'updatedAt', 'revision', 'version', 'id']
const STATE = /^(status|state|visibility)$/
/** Types of fields whose values are other records. */
const LINKS: readonly string[] = ['reference', 'member']

export function RecordFacts({ resource, record }: Props) {
  const t = useTexts()
  const c = useCollectionTexts()
  const { data: document } = useDocument()
  const [isAll, setAll] = useState(false)
  const { list, get } = resource.operations
  const collection = document?.collection(list.id)
  const schema = get && document?.reply(get.id)
  const names = Object.keys(collection?.fields ?? record).filter(name => name in record && !SYSTEM.includes(name))
  const isBeside = (name: string): boolean => {
    const type = collection?.fields[name]?.type
    return (
      STATE.test(name) ||
      kindOf(name, collection, schema, document?.schemas ?? {}) === 'time' ||
      (type === undefined ? isIdentifier(record[name]) : LINKS.includes(type))
    )
  }
  const isShown = (name: string) => isAll || !isEmpty(record[name])
  const own = names.filter(name => !isBeside(name))
  const system = SYSTEM.filter(name => !isEmpty(record[name]))
  const beside = [...names.filter(isBeside).sort((a, b) => Number(STATE.test(b)) - Number(STATE.test(a))), ...system]
  const empty = names.filter(name => isEmpty(record[name]))
  const factOf = (name: string): ReactNode => (
    <div key={name}>
      <dt>{labelIn(resource, name)}</dt>
      <dd dir="auto">
        {collection ? (
          <FieldValue name={name} states={resource.states[name]} collection={collection} value={record[name]} />
        ) : isEmpty(record[name]) ? (
          <span className="muted">{t('notSet')}</span>
        ) : (
          <FullValue name={name} value={record[name]} currency={record.currency} words={resource} depth={0} />
        )}
      </dd>
    </div>
  )
  const content = own.filter(isShown).map(factOf)
  return (
    <div className={styles.record}>
      <div className={styles.content}>
        {content.length > 0 && <dl className="properties panel">{content}</dl>}
        {empty.length > 0 && (
          <Button kind="quiet" icon={isAll ? 'eye-off' : 'eye'} aria-expanded={isAll} onPress={() => setAll(!isAll)}>
            {isAll ? c.hideEmpty : fill(c.showEmpty, { count: empty.length })}
          </Button>
        )}
      </div>
      <dl className={`properties panel ${styles.beside}`}>{beside.filter(isShown).map(factOf)}</dl>
    </div>
  )
}

interface ValueProps {
  readonly name: string
  readonly states: States | undefined
  readonly collection: Collection
  readonly value: unknown
}

/** A text of several lines, or one that a cell would cut. */
export const isLong = (value: unknown): value is string =>
  typeof value === 'string' && (value.length > MAX_CELL_LENGTH || value.includes('\n'))

/** In full, unlike in a cell. */
export function FieldValue({ name, states, collection, value }: ValueProps) {
  const t = useTexts()
  const field = collection.fields[name]
  if (isEmpty(value)) return <span className="muted">{t('notSet')}</span>
  if (field?.type === 'json')
    return <FullValue name={name} value={value} currency={undefined} words={undefined} depth={0} />
  if (isIdentifier(value) && SYSTEM.includes(name)) return <RecordReference name={name} id={value} />
  if (isLong(value)) return <pre className="prose">{value}</pre>
  return <CollectionCell name={name} states={states} field={field} value={value} />
}
