/** Names that a collection or field can't have. Pure. */
import { SYSTEM_FIELDS } from './collection.ts'

/** Characters. */
export const MAX_NAME_LENGTH = 40
/** Two underscores separate a collection from the name of a join table. */
export const COLLECTION_NAME_PATTERN = '^[a-z][a-z0-9]*(_[a-z0-9]+)*$'
export const FIELD_NAME_PATTERN = '^[a-z][A-Za-z0-9]*$'

/** Words that routes over several collections may have after `/v1/data/` one day. */
const API_WORDS = ['aggregate', 'batch', 'export', 'import', 'schema', 'search', 'trash']
/** Names that JavaScript reads on every object, or that make a row a promise. */
const OBJECT_KEYS = [...Object.getOwnPropertyNames(Object.prototype), 'prototype', 'then', 'toJSON']
/** Other columns and members of a row, columns that PostgreSQL adds, and words of filters. */
const ROW_WORDS = ['tenantId', 'deletedAt', 'search', 'highlights', 'or', 'and', 'not', 'ctid', 'xmin', 'xmax', 'cmin']
const COLUMN_WORDS = ['cmax', 'tableoid']

const RESERVED_COLLECTIONS: readonly string[] = [...API_WORDS, ...OBJECT_KEYS]
const RESERVED_FIELDS: readonly string[] = [...OBJECT_KEYS, ...ROW_WORDS, ...COLUMN_WORDS]

export const isReservedCollection = (name: string): boolean => RESERVED_COLLECTIONS.includes(name)
/** Why a field can't have this name; undefined if it can. */
export function reservedFieldReason(name: string): string | undefined {
  if ((SYSTEM_FIELDS as readonly string[]).includes(name)) return 'every row has this field'
  return RESERVED_FIELDS.includes(name) ? 'the name is reserved' : undefined
}
