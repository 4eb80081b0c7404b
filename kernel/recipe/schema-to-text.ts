/** A JSON schema in words: what would be right at a place of a recipe. */

import { stringify } from 'yaml'
import { DURATION_PATTERN, SIZE_PATTERN, some } from '../base/index.ts'
import type { Json } from './draft07.ts'

const NAMES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'a map',
  array: 'a list',
  null: 'null',
}
const FORMATS: Readonly<Record<string, string>> = {
  email: 'an e-mail address',
  uri: 'an address such as https://acme.example',
  'date-time': 'a time such as 2026-01-31T12:00:00Z',
  date: 'a date such as 2026-01-31',
}

/** `text`, `a duration such as 15m`, `one of a, b`, `text or null`. */
export function schemaToText(schema: Json | undefined): string {
  if (!schema) return 'a value'
  const options = (schema.anyOf ?? schema.oneOf) as Json[] | undefined
  if (options) return [...new Set(options.map(schemaToText))].join(' or ')
  if ('const' in schema) return shown(schema.const)
  if (Array.isArray(schema.enum)) return `one of ${some(schema.enum.map(shown))}`
  const form = formInWords(schema)
  if (form) return form
  const type = [schema.type ?? 'value'].flat() as string[]
  const item = schema.type === 'array' && schema.items && !Array.isArray(schema.items) ? schema.items : undefined
  if (item) return `a list of ${plural(schemaToText(item as Json))}`
  return type.map(name => NAMES[name] ?? 'a value').join(' or ')
}

/** What the pattern or format of a text asks for, where that has a name. */
export function formInWords(schema: Json): string | undefined {
  if (schema.pattern === DURATION_PATTERN) return 'a duration such as 500ms, 30s, 15m, 12h or 7d'
  if (schema.pattern === SIZE_PATTERN) return 'a size such as 64KiB, 100MiB or 1GB'
  return FORMATS[String(schema.format)]
}

const plural = (words: string): string =>
  words === 'text' ? 'texts' : words.replace(/^an? (whole number|number|map|list)/, '$1s')

/** A value as the recipe would say it, in one line. */
export const shown = (value: unknown): string => {
  const text = stringify(value, { collectionStyle: 'flow', lineWidth: 0 }).trim()
  return text.length > 60 ? `${text.slice(0, 59)}…` : text
}

/** What could stand there; undefined where the schema does not say. */
export function example(schema: Json | undefined): unknown {
  if (!schema) return undefined
  const [first] = (schema.examples as unknown[] | undefined) ?? (schema.enum as unknown[] | undefined) ?? []
  if (first !== undefined) return first
  if (schema.default !== undefined) return schema.default
  if (schema.const !== undefined) return schema.const
  if (schema.pattern === DURATION_PATTERN) return '15m'
  if (schema.pattern === SIZE_PATTERN) return '100MiB'
  return undefined
}

/** `name: Acme (what people read)`: a line to add to the recipe. */
export function lineFor(key: string, schema: Json | undefined): string {
  const value = example(schema)
  const line = `${key}: ${value === undefined ? '…' : shown(value)}`
  const about =
    typeof schema?.description === 'string' ? schema.description : value === undefined ? schemaToText(schema) : ''
  // A word of capitals, such as ISO, stays one.
  const begins = /^[A-Z]{2}/.test(about) ? about : `${about.charAt(0).toLowerCase()}${about.slice(1)}`
  return about ? `${line}  (${begins})` : line
}
