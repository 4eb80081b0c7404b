/** Columns of a list: values, headers that sort, and inputs while the list is edited. */
import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { Person } from '../components/Avatar.tsx'
import type { ColumnKind } from '../components/column-widths.ts'
import type { Column } from '../components/Table.tsx'
import { AMOUNT, Cell, STATE } from '../components/Value.tsx'
import type { Collection } from '../data/collection.ts'
import type { Field, FieldKind } from '../data/form-model.ts'
import { isPeople } from '../data/people.ts'
import { keyOf, labelOf, type Resource, type Row, type Scope, valueAt } from '../data/resources.ts'
import { type JsonSchema, resolveSchema, type Schemas, unwrap } from '../data/schema.ts'
import { CollectionCell } from './CollectionCell.tsx'
import { labelIn, recordUrl, searchOf, statesIn } from './generic.ts'

const InlineCell = lazy(() => import('./InlineCell.tsx'))

/** Types of the fields of a collection. */
const FIELD_KINDS: Readonly<Record<string, ColumnKind>> = {
  money: 'number',
  integer: 'number',
  number: 'number',
  date: 'time',
  datetime: 'time',
  enum: 'state',
  boolean: 'boolean',
  reference: 'link',
  member: 'link',
}

/** What the values of a property are, by the field of the collection or the schema of the rows. */
export function kindOf(
  name: string,
  collection: Collection | undefined,
  row: JsonSchema | undefined,
  schemas: Schemas,
): ColumnKind {
  const field = collection?.fields[name]
  if (field) return FIELD_KINDS[field.type] ?? 'text'
  const { schema } = unwrap(propertyAt(row, name, schemas), schemas)
  if (schema.format === 'date-time' || schema.format === 'date' || TIME.test(name)) return 'time'
  if (schema.type === 'boolean') return 'boolean'
  if (schema.type === 'integer' || schema.type === 'number' || AMOUNT.test(name)) return 'number'
  return STATE.test(name) ? 'state' : 'text'
}
const TIME = /(At|_at)$/

/** The schema of `a.b`. */
const propertyAt = (row: JsonSchema | undefined, path: string, schemas: Schemas): JsonSchema =>
  path.split('.').reduce<JsonSchema>((schema, name) => {
    const inner = unwrap(resolveSchema(schema, schemas), schemas).schema
    return inner.properties?.[name] ?? {}
  }, row ?? {})

/** The schema of the rows of a list. */
export const rowSchemaOf = (list: JsonSchema | undefined, schemas: Schemas): JsonSchema | undefined =>
  resolveSchema(list?.properties?.data ?? {}, schemas).items

/** The first column leads to the record. */
export function columnOf(
  resource: Resource,
  collection: Collection | undefined,
  name: string,
  isFirst: boolean,
  scope: Scope,
  kind?: ColumnKind,
): Column<Row> {
  const value = (row: Row) =>
    collection ? (
      <CollectionCell
        name={name}
        field={collection.fields[name]}
        states={resource.states[name]}
        value={valueAt(row, name)}
      />
    ) : (
      <Cell
        name={name}
        value={valueAt(row, name)}
        currency={row.currency}
        states={statesIn(resource, name)}
        isLink={isFirst}
      />
    )
  const hasAvatar = isFirst && isPeople(resource)
  const cell = hasAvatar
    ? (row: Row) => <Person name={labelOf(resource, row)}>{valueAt(row, name) ? value(row) : undefined}</Person>
    : value
  return {
    id: name,
    kind: isFirst && kind !== 'number' ? 'text' : kind,
    title: labelIn(resource, name),
    cell:
      isFirst && (resource.operations.get || resource.operations.update)
        ? row => (
            <Link className="row-link" to={recordUrl(resource, keyOf(resource, row))} search={searchOf(scope)}>
              {valueAt(row, name) ? cell(row) : labelOf(resource, row)}
            </Link>
          )
        : cell,
  }
}

/** Pixels of inputs in a cell, with its padding: a date has a button, and a chosen row its name and two buttons. */
const INPUT_WIDTHS: Partial<Readonly<Record<FieldKind, number>>> = {
  text: 200,
  number: 124,
  money: 124,
  boolean: 124,
  enum: 156,
  date: 164,
  dateTime: 244,
  reference: 236,
  member: 236,
}

/** The input of a column whose values can be changed in the list. */
export function editorOf(
  resource: Resource,
  name: string,
  editable: readonly Field[],
  scope: Scope,
  shown: Column<Row>['cell'],
): Partial<Column<Row>> {
  const { update } = resource.operations
  const field = editable.find(each => each.name === name)
  if (!field || !update) return {}
  return {
    inputWidth: INPUT_WIDTHS[field.kind],
    cell: row => (
      <Suspense fallback={shown(row)}>
        <InlineCell resource={resource} update={update} scope={scope} field={field} row={row} />
      </Suspense>
    ),
  }
}

/** Ascending, then descending, then the default order. */
export function sortOf(
  name: string,
  sorts: readonly string[],
  sort: string | undefined,
  onSort: (sort: string | undefined) => void,
): Column<Row>['sort'] {
  if (!sorts.includes(name) || !sorts.includes(`-${name}`)) return undefined
  if (sort === name) return { direction: 'ascending', onSort: () => onSort(`-${name}`) }
  if (sort === `-${name}`) return { direction: 'descending', onSort: () => onSort(undefined) }
  return { direction: 'none', onSort: () => onSort(name) }
}
