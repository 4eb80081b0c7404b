/** What PostgreSQL has to store for the tables of a module, for tools that compare it with a database. */
import type { TProperties, TSchema } from 'typebox'
import { Table } from './table.ts'
import { type Column, columnsOf } from './table-columns.ts'

type Kind = Column['kind']

export interface StoredColumn {
  readonly name: string
  readonly kind: Kind
  /** The kind of an array's items. */
  readonly itemKind: Kind | undefined
  /** Undefined if the schema allows any JSON value. */
  readonly isNullable: boolean | undefined
  /** The value of new records, unless an insert has another. */
  readonly default: unknown
  /** The only values, if they are words that the code lists. */
  readonly words: readonly string[] | undefined
  /** Bounds of an integer. */
  readonly minimum: number | undefined
  readonly maximum: number | undefined
}
export interface StoredTable {
  readonly name: string
  readonly columns: readonly StoredColumn[]
  /** Name of the column that identifies a record; undefined if the records don't have it. */
  readonly key: string | undefined
}

interface ColumnSchema {
  readonly anyOf?: readonly ColumnSchema[]
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly items?: TSchema
  readonly minimum?: number
  readonly maximum?: number
}

/** A schema without one of them allows null. */
const DESCRIBING_KEYWORDS = ['type', 'enum', 'const', 'anyOf', 'allOf', 'oneOf', '$ref']

/** The tables among the values. Tables of one name are views of one table: it has the columns of all. */
export function storedTables(values: readonly unknown[]): StoredTable[] {
  const found = new Map<string, StoredTable>()
  for (const value of values)
    if (value instanceof Table) {
      const table = storedTable(value)
      const known = found.get(table.name)
      found.set(table.name, known ? merged(known, table) : table)
    }
  return [...found.values()]
}

function storedTable({ name, schema, options, all }: Table<unknown, unknown, object>): StoredTable {
  const properties: TProperties = { ...schema.properties, ...options.hidden }
  const defaults = (options.defaults ?? {}) as Readonly<Record<string, unknown>>
  const columns = all.map(column =>
    storedColumn(column, properties[column.property] as ColumnSchema, defaults[column.property]),
  )
  const key = String(options.key ?? 'id')
  return { name, columns, key: all.find(({ property }) => property === key)?.name }
}

function storedColumn({ name, kind, isNullable }: Column, schema: ColumnSchema, value: unknown): StoredColumn {
  const parts = schema.anyOf?.filter(({ type }) => type !== 'null') ?? [schema]
  const [only = {}] = parts.length === 1 ? parts : [{ anyOf: parts }]
  const isAny = !DESCRIBING_KEYWORDS.some(keyword => keyword in only)
  const { items, minimum, maximum } = only
  return {
    name,
    kind,
    itemKind: kind === 'array' && items ? columnsOf({ items }, {})[0]?.kind : undefined,
    isNullable: isAny ? undefined : isNullable,
    default: value,
    words: kind === 'text' ? wordsOf(parts) : undefined,
    minimum,
    maximum,
  }
}

/** Undefined if a part allows other texts. */
function wordsOf(parts: readonly ColumnSchema[]): string[] | undefined {
  const lists = parts.map(part => part.enum ?? (part.const === undefined ? undefined : [part.const]))
  return lists.every(list => list !== undefined) ? lists.flat().map(String) : undefined
}

function merged(one: StoredTable, other: StoredTable): StoredTable {
  const columns = new Map(one.columns.map(column => [column.name, column]))
  for (const column of other.columns) {
    const known = columns.get(column.name)
    columns.set(column.name, known ? widest(known, column) : column)
  }
  return { name: one.name, columns: [...columns.values()], key: one.key ?? other.key }
}

const widest = (one: StoredColumn, other: StoredColumn): StoredColumn => ({
  ...one,
  isNullable: one.isNullable || other.isNullable,
  default: one.default ?? other.default,
  words: one.words && other.words && [...new Set([...one.words, ...other.words])],
})
