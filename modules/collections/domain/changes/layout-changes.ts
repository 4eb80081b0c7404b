/** Layouts while collections are changed. Pure. */

import { historyTableName, joinTableName } from '../declarations/naming.ts'
import { type CollectionLayout, type FieldLayout, withKeyNames } from '../tables/layout.ts'
import { type ForeignKey, foreignKeysOf, historyForeignKey } from '../tables/table-sql.ts'
import { isConvertible } from './field-changes.ts'

export const columnsOf = ({ fields }: CollectionLayout): Map<string, string> =>
  new Map(fields.map(({ name, column }) => [name, column]))

export const tablesOf = ({ name, table, fields, history }: CollectionLayout): string[] => [
  table,
  ...fields.flatMap(({ joinTable }) => joinTable ?? []),
  ...(history ? [historyTableName(name)] : []),
]

export const allForeignKeys = (layout: CollectionLayout): ForeignKey[] => [
  ...layout.fields.flatMap(field => foreignKeysOf(field, layout)),
  ...(layout.history ? [historyForeignKey(layout)] : []),
]

export const describeType = ({ type, reference }: FieldLayout): string =>
  reference ? `${reference.many ? 'references' : 'reference'} to ${reference.to}` : type

export const isSameExpression = (from: FieldLayout, target: CollectionLayout): boolean => {
  const to = target.fields.find(({ name }) => name === from.name)
  return to !== undefined && from.expression === to.expression && from.of === to.of
}

export const isKeptIn = (field: FieldLayout, target: CollectionLayout): boolean => {
  const to = target.fields.find(({ name }) => name === field.name)
  return to !== undefined && isConvertible(field, to)
}

/** The layout without this field in its keys, indexes, periods, capacity and search. */
export function withoutKeys(layout: CollectionLayout, field: string): CollectionLayout {
  const { unique, uniqueWhere, indexes, noOverlap, capacity, search, ...rest } = layout
  const isOther = (names: readonly string[]) => !names.includes(field)
  return {
    ...rest,
    unique: unique.filter(isOther),
    ...(uniqueWhere && {
      uniqueWhere: uniqueWhere.filter(({ fields, where }) => isOther(fields) && isOther(Object.keys(where))),
    }),
    ...(indexes && { indexes: indexes.filter(isOther) }),
    ...(noOverlap && isOther([...noOverlap.by, noOverlap.from, noOverlap.to]) && { noOverlap }),
    ...(capacity && isOther([capacity.of, ...Object.keys(capacity.where ?? {})]) && { capacity }),
    search: search.filter(name => name !== field),
  }
}

export const withReferences = (
  layout: CollectionLayout,
  renamed: ReadonlyMap<string, { name: string; table: string }>,
): CollectionLayout => ({
  ...layout,
  fields: layout.fields.map(field => {
    const to = field.reference && renamed.get(field.reference.to)
    return field.reference && to ? { ...field, reference: { ...field.reference, to: to.name, table: to.table } } : field
  }),
})

/** References of a restored collection lead to the tables that exist now. */
export const refreshReferences = (layout: CollectionLayout, target: CollectionLayout): CollectionLayout => ({
  ...layout,
  fields: layout.fields.map(field => {
    const reference = target.fields.find(({ name }) => name === field.name)?.reference
    return field.reference && reference?.to === field.reference.to
      ? { ...field, reference: { ...reference, onDelete: field.reference.onDelete } }
      : field
  }),
})

export const renameCollection = (before: CollectionLayout, { name, table }: CollectionLayout): CollectionLayout => ({
  ...before,
  name,
  table,
  fields: before.fields.map(field =>
    field.joinTable === null ? field : { ...field, joinTable: joinTableName(name, field.name) },
  ),
})

export const renameField = (
  layout: CollectionLayout,
  before: FieldLayout,
  { name, column, joinTable }: FieldLayout,
): CollectionLayout => {
  const rename = (other: string) => (other === before.name ? name : other)
  return {
    ...layout,
    fields: layout.fields.map(field =>
      field === before
        ? { ...field, name, column, joinTable: field.joinTable === null ? null : (joinTable ?? field.joinTable) }
        : field,
    ),
    ...withKeyNames(layout, rename),
    search: layout.search.map(rename),
  }
}
