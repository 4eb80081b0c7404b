/** Columns of a table, derived from the schema of its records. */
import type { TProperties, TSchema } from 'typebox'
import { isTime } from '../base/index.ts'

/** How PostgreSQL stores the values of a property. */
type Kind = 'text' | 'integer' | 'number' | 'boolean' | 'timestamp' | 'bytes' | 'array' | 'json'

export interface Column {
  readonly property: string
  readonly name: string
  /** The quoted name, because it may be a reserved word. */
  readonly sql: string
  readonly kind: Kind
  readonly isNullable: boolean
  /** Converts a value of a record to a parameter; absent if they are equal. */
  readonly encode?: (value: unknown) => unknown
  /** Converts a value of a row to one of a record; absent if they are equal. Not called for null. */
  readonly decode?: (value: never) => unknown
}

export const quote = (name: string): string => `"${name}"`

/** `createdAt` → `created_at`. */
const snakeCase = (property: string): string => property.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

export const columnsOf = (properties: TProperties, names: Readonly<Record<string, string | undefined>>): Column[] =>
  Object.entries(properties).map(([property, schema]) => {
    const { value, isNullable } = withoutNull(schema)
    const kind = kindOf(value)
    const name = names[property] ?? snakeCase(property)
    return { property, name, sql: quote(name), kind, isNullable, ...conversionsOf(kind, value) }
  })

interface JsonSchema {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly format?: string
  readonly contentEncoding?: string
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
}

function withoutNull(schema: TSchema): { value: JsonSchema; isNullable: boolean } {
  const { anyOf } = schema as JsonSchema
  const others = anyOf?.filter(({ type }) => type !== 'null')
  if (!anyOf || others?.length === anyOf.length) return { value: schema, isNullable: false }
  return { value: others?.length === 1 ? (others[0] as JsonSchema) : { anyOf: others ?? [] }, isNullable: true }
}

function kindOf({ type, format, contentEncoding, items, ...rest }: JsonSchema): Kind {
  if (type === 'string') return format === 'date-time' ? 'timestamp' : contentEncoding ? 'bytes' : 'text'
  if (type === 'integer' || type === 'number' || type === 'boolean') return type
  if (type === 'array') return items && !['array', 'json'].includes(kindOf(items)) ? 'array' : 'json'
  const isText =
    typeof (rest.const ?? rest.enum?.[0]) === 'string' || rest.anyOf?.every(part => kindOf(part) === 'text')
  return isText ? 'text' : 'json'
}

function conversionsOf(kind: Kind, schema: object): Pick<Column, 'encode' | 'decode'> {
  if (kind === 'json') return { encode: value => (value === null ? null : JSON.stringify(value)) }
  if (kind === 'timestamp' && !isTime(schema)) return { decode: (value: Date) => value.toISOString() }
  // The driver returns bigint and numeric as text.
  if (kind === 'integer' || kind === 'number') return { decode: (value: number | string) => Number(value) }
  return {}
}
