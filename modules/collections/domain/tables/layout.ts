/** The tables of collections, as they are recorded in the database and compared with the recipe. Pure. */
import type {
  Capacity,
  Collection,
  Collections,
  ComputedType,
  DefaultSource,
  Field,
  FieldType,
  Periods,
} from '../declarations/collection.ts'
import type { Where } from '../declarations/condition.ts'
import type { DeclaredCapacity, DeclaredKey } from '../declarations/declaration.ts'
import { joinTableName } from '../declarations/naming.ts'
import { type ColumnType, columnType, hasColumn } from '../fields/column-types.ts'

export interface FieldLayout {
  readonly name: string
  readonly type: FieldType
  /** The result type of a `computed` field. */
  readonly of: ComputedType | null
  readonly expression: string | null
  readonly column: string
  readonly columnType: ColumnType
  /** The join table of a reference with `many`, which has no column. */
  readonly joinTable: string | null
  readonly required: boolean
  readonly unique: boolean
  readonly index: boolean
  readonly default: unknown
  /** Absent in most layouts, and in those of earlier versions. */
  readonly defaultFrom?: DefaultSource
  readonly onUpdate?: '$now'
  readonly sequence?: string
  readonly reference: ReferenceLayout | null
  readonly rules: Rules
}
export interface ReferenceLayout {
  /** Name of the collection. */
  readonly to: string
  readonly table: string
  readonly shared: boolean
  readonly many: boolean
  readonly onDelete: 'restrict' | 'clear' | 'cascade'
}
/** What values must fit. */
export interface Rules {
  readonly minLength: number | null
  readonly maxLength: number | null
  readonly min: number | string | null
  readonly max: number | string | null
  readonly pattern: string | null
  readonly values: readonly string[] | null
}

export interface CollectionLayout {
  readonly name: string
  readonly table: string
  readonly scope: 'tenant' | 'shared'
  readonly fields: readonly FieldLayout[]
  readonly unique: readonly (readonly string[])[]
  /** Unique keys under a condition. Absent if there are none, as in layouts of earlier versions; so are the next ones. */
  readonly uniqueWhere?: readonly DeclaredKey[]
  /** Indexes of several fields. */
  readonly indexes?: readonly (readonly string[])[]
  readonly noOverlap?: Periods
  readonly capacity?: DeclaredCapacity
  /** Whether rows of people who are not signed in are marked. */
  readonly guests?: true
  /** Whether the rows of each person are counted. */
  readonly countsByPerson?: true
  readonly search: readonly string[]
  /**
   * 2: joined words are separated. 3: words without accents and in scripts without spaces, in a column that a trigger keeps.
   * Absent in layouts of earlier versions, and without a search.
   */
  readonly searchVersion?: number
  /** Whether there is a table of former versions. */
  readonly history: boolean
  readonly trash: boolean
}

/** A collection while it is changed. */
export interface Working {
  /** With the names after the change. */
  readonly layout: CollectionLayout
  /** The name before the change, for checks. */
  readonly table: string
  /** Field → its column before the change. */
  readonly columns: ReadonlyMap<string, string>
}

export function layoutOf(collection: Collection, collections: Collections): CollectionLayout {
  const { name, table, scope, fields, unique, index, noOverlap, capacity, access, search, history, trashMs } =
    collection
  const conditional = unique.flatMap(({ fields: names, where }) =>
    where ? [{ fields: names, where: inStoredOrder(where) }] : [],
  )
  return {
    name,
    table,
    scope,
    fields: [...fields.values()].map(field => fieldLayout(field, collection, collections)),
    unique: unique.flatMap(({ fields: names, where }) => (where ? [] : [names])),
    ...(conditional.length > 0 && { uniqueWhere: conditional }),
    ...(index.length > 0 && { indexes: index }),
    ...(noOverlap && { noOverlap }),
    ...(capacity && { capacity: capacityLayout(capacity) }),
    ...(access.guests && { guests: true }),
    ...(collection.countsByPerson && { countsByPerson: true }),
    search,
    ...(search.length > 0 && { searchVersion: 3 }),
    history: history > 0,
    trash: trashMs > 0,
  }
}

/** `jsonb` returns short keys first. In another order, the stored condition would differ from that of the recipe. */
const inStoredOrder = (where: Where): Where =>
  Object.fromEntries(
    sorted(Object.entries(where)).map(([name, operators]) => [
      name,
      typeof operators === 'object' ? Object.fromEntries(sorted(Object.entries(operators))) : operators,
    ]),
  )
const sorted = <Value>(entries: readonly [string, Value][]): [string, Value][] =>
  [...entries].sort(([a], [b]) => Buffer.byteLength(a) - Buffer.byteLength(b) || (a < b ? -1 : 1))

/** The keys, indexes, periods and the capacity of a layout with other names of fields. */
export const withKeyNames = (
  { unique, uniqueWhere, indexes, noOverlap, capacity }: CollectionLayout,
  rename: (field: string) => string,
) => ({
  unique: unique.map(key => key.map(rename)),
  ...(uniqueWhere && {
    uniqueWhere: uniqueWhere.map(({ fields, where }) => ({
      fields: fields.map(rename),
      where: whereNamed(where, rename),
    })),
  }),
  ...(indexes && { indexes: indexes.map(key => key.map(rename)) }),
  ...(noOverlap && { noOverlap: periodsNamed(noOverlap, rename) }),
  ...(capacity && { capacity: capacityNamed(capacity, rename) }),
})
const periodsNamed = ({ by, from, to }: Periods, rename: (field: string) => string): Periods => ({
  by: by.map(rename),
  from: rename(from),
  to: rename(to),
})
const whereNamed = (where: Where, rename: (field: string) => string): Where =>
  inStoredOrder(Object.fromEntries(Object.entries(where).map(([name, operators]) => [rename(name), operators])))
const capacityLayout = ({ of, max, key: { where } }: Capacity): DeclaredCapacity => ({
  of,
  max,
  ...(where && { where: inStoredOrder(where) }),
})
const capacityNamed = ({ of, max, where }: DeclaredCapacity, rename: (field: string) => string): DeclaredCapacity => ({
  of: rename(of),
  max: typeof max === 'string' ? `${rename(of)}${max.slice(of.length)}` : max,
  ...(where && { where: whereNamed(where, rename) }),
})

function fieldLayout(field: Field, { name: collection }: Collection, collections: Collections): FieldLayout {
  const { name, type, computed, column, required, unique, index, reference } = field
  const target = reference && collections.get(reference.to)
  return {
    name,
    type,
    of: computed?.of ?? null,
    expression: computed?.expression ?? null,
    column,
    columnType: columnType(field),
    joinTable: hasColumn(field) ? null : joinTableName(collection, name),
    required,
    unique,
    index,
    default: field.default ?? null,
    ...(field.defaultFrom && { defaultFrom: field.defaultFrom }),
    ...(field.onUpdate && { onUpdate: field.onUpdate }),
    ...(field.sequence !== undefined && { sequence: field.sequence }),
    reference: reference && target ? { ...reference, table: target.table, shared: target.scope === 'shared' } : null,
    rules: {
      minLength: field.minLength ?? null,
      maxLength: field.maxLength ?? null,
      min: field.min ?? null,
      max: field.max ?? null,
      pattern: field.pattern ?? null,
      values: field.values ?? null,
    },
  }
}
