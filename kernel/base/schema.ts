/** Schema helpers: one TypeBox object provides the type, the validation and the documentation. */
import type { TProperties, TSchema } from 'typebox'
import { CODE_KEYWORD, LANGUAGES_KEYWORD, NAME_KEYWORD, VISIBLE_KEYWORD } from './ajv-extensions.ts'
import { named, nameOf } from './json-schema.ts'
import type { LocalText } from './locale.ts'
import { Type } from './typebox.ts'

/** RFC 3339, UTC. */
export const Timestamp = Type.String({ format: 'date-time' })

const TIME = Symbol('larder.time')
/** A `Date` in the code, and RFC 3339, UTC, in JSON. */
export const Time = Type.Unsafe<Date>({ ...Timestamp, [TIME]: true })
/** Whether the schema is `Time`, or a copy of it with a description. */
export const isTime = (schema: object): boolean => TIME in schema

/** Bytes of a column. Base64 in JSON. */
export const Bytes = Type.Unsafe<Buffer>({ type: 'string', contentEncoding: 'base64' })

/** The value or null. */
export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

/** One of these words. */
export const OneOf = <const T extends readonly string[]>(
  words: T,
  options: { description?: string; default?: T[number] } = {},
) => Type.Unsafe<T[number]>({ type: 'string', enum: [...words], ...options })

/** A name or title: one line that isn't blank. Invisible characters are removed. `plain` rejects links. */
export const NameOf = (maxLength: number, kind: 'line' | 'plain' = 'line') =>
  Type.String({ minLength: 1, maxLength, pattern: '\\S', [NAME_KEYWORD]: kind })

/** A text, also of several lines, in which a reader sees something. */
export const RequiredText = (
  maxLength: number,
  options: { pattern?: string; description?: string; examples?: string[] } = {},
) => Type.String({ minLength: 1, maxLength, pattern: '\\S', [VISIBLE_KEYWORD]: true, ...options })

/** A code that a person types. Spaces, dashes and other digits than those of ASCII are taken as they are meant. */
export const CodeOf = (options: { minLength?: number; maxLength?: number; pattern?: string; description?: string }) =>
  Type.String({ ...options, [CODE_KEYWORD]: true })

/** One of the product's languages. A tag such as `de-AT` is matched to one. */
export const LanguageOf = (available: readonly string[], options: { description?: string } = {}) =>
  Type.Unsafe<string>({ ...OneOf(available, options), [LANGUAGES_KEYWORD]: [...available] })

/** BCP 47, as in the recipe's `locales`. */
export const LOCALE_PATTERN = '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$'

/** A text, or a map of locales to texts. See `pickText`. */
export const localTextOf = (text: TSchema) =>
  Type.Unsafe<LocalText>({
    anyOf: [
      text,
      { type: 'object', propertyNames: { pattern: LOCALE_PATTERN }, additionalProperties: text, minProperties: 1 },
    ],
  })

/** The response of every list: a page of records and the cursor of the next page. `Note` gives `NoteList`. */
export function listOf<T extends TSchema>(item: T) {
  const list = Type.Object({ data: Type.Array(item), nextCursor: Nullable(Type.String()) })
  const name = nameOf(item)
  return name === undefined ? list : named(`${name}List`, list)
}

/** `?limit=&cursor=` and the further parameters of the list. */
export const listQuery = <T extends TProperties = {}>(more: T = {} as T) =>
  Type.Object({
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'Records per page' })),
    cursor: Type.Optional(Type.String({ maxLength: 512, description: 'nextCursor of the previous page' })),
    ...more,
  })
