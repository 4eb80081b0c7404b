/** Invented values that match a schema. Pure. */
import { isRecord } from '@larder-dev/larder/kernel'
import type { Schema } from '../types.ts'

export const SAMPLE_ID = '01jh8m2c5v7q9x3f4g6k8n0prt'
const SAMPLE_TIME = '2026-01-15T09:00:00.000Z'
const MAX_DEPTH = 8

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': SAMPLE_TIME,
  date: '2026-01-15',
  time: '09:00:00Z',
  email: 'ada@example.test',
  uri: 'https://example.test/',
  'uri-reference': '/example',
  hostname: 'example.test',
  ipv4: '192.0.2.1',
  uuid: '0b5c2f7e-9d41-4c8a-8f6e-3a1d7b2c9e54',
}
/** Most patterns of schemas accept one of these. */
const COMMON = ['text', 'en', 'EUR', '1h', '09:00', '1', '1.5', '#336699', 'a-b', 'a.b', '+491701234567', '/a']

/** @param name of the property, from which texts are made. */
export function sampleOf(schema: Schema, name = 'text', depth = 0): unknown {
  if ('const' in schema) return schema.const
  const [first] = [...list(schema.enum), ...list(schema.examples)]
  if (first !== undefined) return first
  if ('default' in schema) return schema.default
  const options = [...list(schema.anyOf), ...list(schema.oneOf)] as Schema[]
  if (options.length > 0) {
    const chosen = options.find(({ type }) => type !== 'null')
    return chosen ? sampleOf({ ...schema, anyOf: undefined, oneOf: undefined, ...chosen }, name, depth) : null
  }
  const parts = list(schema.allOf) as Schema[]
  if (parts.length > 0) return Object.assign({}, ...parts.map(part => sampleOf(part, name, depth)))
  const type = [schema.type].flat().find(each => each !== 'null')
  if (type === 'array') return schema.maxItems === 0 || depth > MAX_DEPTH ? [] : [itemOf(schema, name, depth)]
  if (type === 'object' || isRecord(schema.properties)) return objectOf(schema, depth)
  if (type === 'string') return textOf(schema, name)
  if (type === 'boolean') return true
  if (type === 'integer' || type === 'number') return numberOf(schema)
  return type === undefined ? name : null
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const itemOf = (schema: Schema, name: string, depth: number) =>
  sampleOf((schema.items ?? {}) as Schema, name.replace(/s$/, ''), depth + 1)

function objectOf(schema: Schema, depth: number): object {
  if (depth > MAX_DEPTH) return {}
  const properties = Object.entries((schema.properties ?? {}) as Readonly<Record<string, Schema>>)
  return Object.fromEntries(properties.map(([name, inner]) => [name, sampleOf(inner, name, depth + 1)]))
}

function numberOf({ minimum, exclusiveMinimum, maximum }: Schema): number {
  if (typeof minimum === 'number') return minimum
  if (typeof exclusiveMinimum === 'number') return exclusiveMinimum + 1
  return typeof maximum === 'number' ? Math.min(1, maximum) : 1
}

function textOf({ format, pattern, minLength, maxLength }: Schema, name: string): string {
  if (typeof format === 'string' && FORMATS[format] !== undefined) return FORMATS[format]
  const fits = (text: string): boolean =>
    (typeof pattern !== 'string' || new RegExp(pattern, 'u').test(text)) &&
    (typeof minLength !== 'number' || text.length >= minLength) &&
    (typeof maxLength !== 'number' || text.length <= maxLength)
  const [, prefix] = typeof pattern === 'string' ? (/^\^([a-z]+)_\[/.exec(pattern) ?? []) : []
  const named = [...(prefix === undefined ? [] : [`${prefix}_${SAMPLE_ID}`]), textFor(name), SAMPLE_ID, ...COMMON]
  const long = typeof minLength === 'number' ? textFor(name).padEnd(minLength, 'x') : ''
  const short = typeof maxLength === 'number' ? textFor(name).slice(0, maxLength) : ''
  return [...named, long, short].find(fits) ?? textFor(name)
}

function textFor(name: string): string {
  if (/(By|^user|userId)$/.test(name)) return `usr_${SAMPLE_ID}`
  if (/^id$|Id$/.test(name)) return SAMPLE_ID
  if (/email/i.test(name)) return 'ada@example.test'
  if (/url$/i.test(name)) return 'https://example.test/'
  if (/^locale$/.test(name)) return 'en'
  const words = name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]/g, ' ')
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
