/** Names that are made from the name of a collection or field. Pure. */
import { createHash } from 'node:crypto'
import { idPattern } from '@larder-dev/larder/kernel'

/** Bytes. PostgreSQL truncates longer identifiers. */
const MAX_IDENTIFIER_BYTES = 63
const HASH_LENGTH = 8
/** Characters. */
const MAX_ID_PREFIX = 16

/** `startsAt` → `starts_at`. Different names of fields have different columns. */
export const columnName = (field: string): string =>
  identifier(field.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`))

/** A name that PostgreSQL does not truncate: a long one ends with a hash instead. */
export function identifier(name: string): string {
  if (Buffer.byteLength(name) <= MAX_IDENTIFIER_BYTES) return name
  return `${name.slice(0, MAX_IDENTIFIER_BYTES - HASH_LENGTH - 1)}_${hash(name)}`
}

export const tableName = (collection: string): string => identifier(`data_${collection}`)
/** The table of a reference with `many`. */
export const joinTableName = (collection: string, field: string): string =>
  identifier(`data_${collection}__${columnName(field)}`)
export const historyTableName = (collection: string): string => identifier(`data_${collection}__history`)

/** `categories` → `category`, `course_tags` → `course_tag`, `classes` → `class`. */
export function singular(name: string): string {
  if (/[^aeiou]ies$/.test(name)) return `${name.slice(0, -3)}y`
  if (/(ss|x|zz|ch|sh|status|bonus|campus)es$/.test(name)) return name.slice(0, -2)
  return /[^su]s$/.test(name) && !name.endsWith('is') ? name.slice(0, -1) : name
}

/** `course_tags` → `CourseTags`. */
export const pascalCase = (name: string): string => name.split('_').map(capitalize).join('')

/** `courses` → `course`: the prefix of ids. Underscores would end it. */
export function idPrefix(collection: string): string {
  const name = singular(collection).replaceAll('_', '')
  if (name.length <= MAX_ID_PREFIX) return name
  return name.slice(0, MAX_ID_PREFIX - HASH_LENGTH) + hash(collection)
}

/** JSON Schema pattern of the id of a row. Any prefix, because rows of a renamed collection keep their ids. */
export const ROW_ID_PATTERN = idPattern('[a-z0-9]+')
const ROW_ID = new RegExp(ROW_ID_PATTERN)
/** Tells the id of a row from the value of a unique field. */
export const isRowId = (value: unknown): boolean => typeof value === 'string' && ROW_ID.test(value)

/** `course_tags` → `Course tag`. */
export const collectionLabel = (collection: string): string => capitalize(singular(collection).replaceAll('_', ' '))
/** `course_tags` → `Course tags`. */
export const collectionTitle = (collection: string): string => capitalize(collection.replaceAll('_', ' '))
/** `startsAt` → `Starts at`. */
export const fieldLabel = (field: string): string =>
  capitalize(field.replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`))

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
/** Eight characters that PostgreSQL doesn't fold. */
export const hash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, HASH_LENGTH)
