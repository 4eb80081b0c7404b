/** Describes JSON Schemas and values in error messages and in the reference. */

import { stringify } from 'yaml'
import { DURATION_PATTERN, formatList, POSITIVE_DURATION_PATTERN, SIZE_PATTERN } from '../base/index.ts'
import type { Json } from './draft07.ts'

const NAMES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'true or false',
  object: 'a map',
  array: 'a list',
  null: 'null',
}
const FORMATS: Readonly<Record<string, string>> = {
  email: 'an email address',
  uri: 'a URL such as https://acme.example',
  'date-time': 'a time such as 2026-01-31T12:00:00Z',
  date: 'a date such as 2026-01-31',
}

/** `a string`, `a duration such as 15m`, `one of a, b`, `a string or null`. */
export function schemaToText(schema: Json | undefined): string {
  if (!schema) return 'a value'
  const options = (schema.anyOf ?? schema.oneOf) as Json[] | undefined
  if (options) return [...new Set(options.map(schemaToText))].join(' or ')
  if ('const' in schema) return toYaml(schema.const)
  if (Array.isArray(schema.enum)) return `one of ${formatList(schema.enum.map(toYaml))}`
  const format = formatToText(schema)
  if (format) return format
  const type = [schema.type ?? 'value'].flat() as string[]
  const item = schema.type === 'array' && schema.items && !Array.isArray(schema.items) ? schema.items : undefined
  if (item) return `a list of ${plural(schemaToText(item as Json))}`
  return type.map(name => NAMES[name] ?? 'a value').join(' or ')
}

/** Describes a known pattern or format. */
export function formatToText(schema: Json): string | undefined {
  if (schema.pattern === DURATION_PATTERN) return 'a duration such as 500ms, 30s, 15m, 12h or 7d, up to 99999d'
  if (schema.pattern === POSITIVE_DURATION_PATTERN)
    return 'a duration such as 500ms, 30s, 15m, 12h or 7d, more than zero and up to 99999d'
  if (schema.pattern === SIZE_PATTERN) return 'a size such as 64KiB, 100MiB or 1GB'
  return FORMATS[String(schema.format)]
}

const plural = (text: string): string =>
  text.replace(/^an? (string|integer|number|map|list)/, '$1s').replace(/^an email address/, 'email addresses')

/** A value as YAML, in one line. */
export const toYaml = (value: unknown): string =>
  truncate(stringify(value, { collectionStyle: 'flow', lineWidth: 0 }).trim())

/** A value in a message, strings in double quotes. */
export const quoted = (value: unknown): string =>
  typeof value === 'string' ? `"${truncate(value)}"` : truncate(JSON.stringify(value) ?? String(value))

const truncate = (text: string): string => (text.length > 60 ? `${text.slice(0, 59)}…` : text)

/** A valid value, if the schema has one. */
export function example(schema: Json | undefined): unknown {
  if (!schema) return undefined
  const [first] = (schema.examples as unknown[] | undefined) ?? (schema.enum as unknown[] | undefined) ?? []
  if (first !== undefined) return first
  if (schema.default !== undefined) return schema.default
  if (schema.const !== undefined) return schema.const
  if (schema.pattern === DURATION_PATTERN || schema.pattern === POSITIVE_DURATION_PATTERN) return '15m'
  if (schema.pattern === SIZE_PATTERN) return '100MiB'
  return undefined
}

/** `name: Acme  # The product's display name`: a line to add to the recipe. */
export function lineFor(key: string, schema: Json | undefined): string {
  const value = example(schema)
  const line = `${key}: ${value === undefined ? '…' : toYaml(value)}`
  const about =
    typeof schema?.description === 'string' ? schema.description : value === undefined ? schemaToText(schema) : ''
  return about ? `${line}  # ${about}` : line
}
