/** Types of PostgreSQL for the columns of records. */
import type { StoredColumn } from '../../kernel/records/index.ts'
import type { DatabaseColumn } from './database.ts'

type Kind = StoredColumn['kind']

const MAX_INTEGER = 2 ** 31 - 1
const MIN_INTEGER = -(2 ** 31)

/** Types that store a kind without loss. */
const TYPES: Readonly<Record<Exclude<Kind, 'array'>, readonly string[]>> = {
  text: ['text', 'character varying', 'character', 'citext', 'uuid'],
  integer: ['bigint', 'integer', 'smallint', 'numeric'],
  number: ['double precision', 'numeric', 'real', 'bigint', 'integer', 'smallint'],
  boolean: ['boolean'],
  timestamp: ['timestamp with time zone'],
  bytes: ['bytea'],
  json: ['jsonb', 'json'],
}

/** Whether a column of the database stores the values of a record's column. */
export function fits(
  { kind, itemKind }: StoredColumn,
  { type, isEnum }: Pick<DatabaseColumn, 'type' | 'isEnum'>,
): boolean {
  if (kind !== 'array') return (kind === 'text' && isEnum) || TYPES[kind].includes(type)
  const item = type.endsWith('[]') ? type.slice(0, -2) : undefined
  return item !== undefined && itemKind !== undefined && itemKind !== 'array' && TYPES[itemKind].includes(item)
}

/** The type of a new column. */
export function columnType({ kind, itemKind, minimum, maximum }: StoredColumn): string {
  const isSmall = (minimum ?? -Infinity) >= MIN_INTEGER && (maximum ?? Infinity) <= MAX_INTEGER
  if (kind === 'integer' && isSmall) return 'integer'
  const base = kind === 'array' ? itemKind : kind
  const [type] = base === undefined || base === 'array' ? [] : TYPES[base].map(shortType)
  return kind === 'array' ? `${type}[]` : (type as string)
}

const shortType = (type: string): string => (type === 'timestamp with time zone' ? 'timestamptz' : type)
