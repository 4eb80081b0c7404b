/** PostgreSQL types of columns. Pure. */
import type { Field } from '../declarations/collection.ts'

export type ColumnType = 'text' | 'bigint' | 'double precision' | 'boolean' | 'date' | 'timestamptz' | 'jsonb'

const TYPES: { readonly [Type in Exclude<Field['type'], 'computed'>]: ColumnType } = {
  text: 'text',
  longtext: 'text',
  markdown: 'text',
  slug: 'text',
  email: 'text',
  url: 'text',
  integer: 'bigint',
  number: 'double precision',
  /** In the currency's smallest unit. */
  money: 'bigint',
  boolean: 'boolean',
  date: 'date',
  datetime: 'timestamptz',
  /** Milliseconds. */
  duration: 'bigint',
  enum: 'text',
  json: 'jsonb',
  /** An ID of the media module. */
  file: 'text',
  /** An ID of a user. */
  member: 'text',
  reference: 'text',
}
const COMPUTED_TYPES = {
  text: 'text',
  number: 'double precision',
  integer: 'bigint',
  boolean: 'boolean',
  date: 'date',
  datetime: 'timestamptz',
} as const

/** Whether a column has texts that people read, and not IDs. They are ordered as names. */
export const isNamed = ({ type, computed, reference }: Pick<Field, 'type' | 'computed' | 'reference'>): boolean =>
  !reference && type !== 'file' && type !== 'member' && columnType({ type, computed }) === 'text'

/** The order of names, the same on every server. See decision 0059. */
export const NAME_COLLATION = 'larder_names'

/** Not for a reference with `many`, which has a join table instead. */
export const columnType = ({ type, computed }: Pick<Field, 'type' | 'computed'>): ColumnType =>
  type === 'computed' ? COMPUTED_TYPES[computed?.of ?? 'text'] : TYPES[type]

/** True for a field with a column of its own. */
export const hasColumn = ({ reference }: Pick<Field, 'reference'>): boolean => !reference?.many

/** True for a column that PostgreSQL computes. A statement can't write it. */
export const isGenerated = ({ type }: Pick<Field, 'type'>): boolean => type === 'computed'
