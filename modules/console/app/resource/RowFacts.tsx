/** The properties of a record; those of a row with the names of what it refers to. Technical properties come last. */
import { Facts, factsOf, isEmpty } from '../components/Facts.tsx'
import { RecordReference } from '../components/RecordName.tsx'
import { isIdentifier, MAX_CELL_LENGTH } from '../components/Value.tsx'
import type { Collection } from '../data/collection.ts'
import { useDocument } from '../data/document.ts'
import type { Resource, Row, States } from '../data/resources.ts'
import { useTexts } from '../locales/index.ts'
import { CollectionCell } from './CollectionCell.tsx'
import { labelIn } from './generic.ts'
import './collection.css'

interface Props {
  readonly resource: Resource
  readonly collection: Collection
  readonly record: Row
}
const SYSTEM = ['id', 'createdAt', 'createdBy', 'updatedAt', 'revision', 'version']

export function RecordFacts({ resource, record }: Omit<Props, 'collection'>) {
  const { data: document } = useDocument()
  const collection = document?.collection(resource.operations.list.id)
  if (collection) return <RowFacts resource={resource} collection={collection} record={record} />
  const facts = factsOf(record, resource)
  const groups = [facts.filter(([, name]) => !SYSTEM.includes(name)), facts.filter(([, name]) => SYSTEM.includes(name))]
  return groups
    .filter(group => group.length > 0)
    .map(group => <Facts key={group[0]?.[1]} facts={group} words={resource} isFull currency={record.currency} />)
}

function RowFacts({ resource, collection, record }: Props) {
  const t = useTexts()
  const own = Object.keys(collection.fields).filter(name => name in record && !SYSTEM.includes(name))
  const isSet = (name: string) => !isEmpty(record[name])
  const empty = own.filter(name => !isSet(name))
  const groups = [own.filter(isSet), SYSTEM.filter(isSet)]
  return groups.map((names, index) => (
    <dl key={index === 0 ? 'own' : 'system'} className="properties panel">
      {names.map(name => (
        <div key={name}>
          <dt>{labelIn(resource, name)}</dt>
          <dd>
            <FieldValue name={name} states={resource.states[name]} collection={collection} value={record[name]} />
          </dd>
        </div>
      ))}
      {index === 0 && empty.length > 0 && (
        <div>
          <dt>{t('notSet')}</dt>
          <dd className="muted">{empty.map(name => labelIn(resource, name)).join(', ')}</dd>
        </div>
      )}
    </dl>
  ))
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
  if (isEmpty(value)) return <span className="muted">{t('notSet')}</span>
  if (collection.fields[name]?.type === 'json') return <pre className="code">{JSON.stringify(value, null, 2)}</pre>
  if (isIdentifier(value) && SYSTEM.includes(name)) return <RecordReference name={name} id={value} />
  if (isLong(value)) return <pre className="prose">{value}</pre>
  return <CollectionCell name={name} states={states} field={collection.fields[name]} value={value} />
}
