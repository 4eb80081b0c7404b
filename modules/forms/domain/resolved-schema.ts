/** A schema as a form sees it: references followed, parts that count together in one. Pure. */
import { isFields } from 'larder/kernel'
import { type Json, resolve } from './schema-traversal.ts'

export interface View {
  readonly own: Json
  readonly type: string
  readonly properties: ReadonlyMap<string, Json>
  readonly required: ReadonlySet<string>
  /** Of an enum, a const, or alternatives that are each one value. */
  readonly choices: readonly Choice[] | undefined
}
export interface Choice {
  readonly value: unknown
  readonly label: string
}

interface Gathered {
  readonly keywords: Record<string, unknown>
  readonly properties: Map<string, Json>
  readonly required: Set<string>
}

const ALWAYS = ['allOf'] as const
/** What may count: their fields are shown, and none of them is asked for before an entry says so. */
const PERHAPS = ['anyOf', 'oneOf', 'then', 'else', 'dependentSchemas'] as const

export function viewOf(root: Json, schema: Json): View {
  const gathered: Gathered = { keywords: {}, properties: new Map(), required: new Set() }
  gather(root, schema, gathered, true)
  const { keywords, properties, required } = gathered
  const choices = choicesOf(keywords)
  return { own: keywords, type: typeOf(keywords, properties, choices), properties, required, choices }
}

function gather(root: Json, schema: Json, into: Gathered, certain: boolean): void {
  const { properties, required, ...rest } = schema
  if (certain) for (const [key, value] of Object.entries(rest)) into.keywords[key] ??= value
  if (certain && Array.isArray(required)) for (const name of required) into.required.add(String(name))
  for (const [name, inner] of Object.entries(isFields(properties) ? properties : {}))
    if (isFields(inner) && !into.properties.has(name)) into.properties.set(name, inner)
  const target = typeof schema.$ref === 'string' ? resolve(root, schema.$ref) : undefined
  if (target) gather(root, target.schema, into, certain)
  for (const keyword of ALWAYS) for (const part of partsOf(schema[keyword])) gather(root, part, into, certain)
  for (const keyword of PERHAPS) for (const part of partsOf(schema[keyword])) gather(root, part, into, false)
}

/** One schema, a list or a map of them. */
function partsOf(value: unknown): Json[] {
  if (Array.isArray(value)) return value.filter(isFields)
  if (!isFields(value)) return []
  const isMap = Object.values(value).every(isFields) && !('properties' in value) && !('not' in value)
  return isMap ? (Object.values(value) as Json[]) : [value]
}

function choicesOf({ enum: values, const: only, oneOf, anyOf }: Json): Choice[] | undefined {
  if (Array.isArray(values)) return values.map(value => ({ value, label: wordFor(value) }))
  if (only !== undefined) return [{ value: only, label: wordFor(only) }]
  for (const list of [oneOf, anyOf])
    if (Array.isArray(list) && list.length > 0 && list.every(part => isFields(part) && 'const' in part))
      return list.map(({ const: value, title }) => ({
        value,
        label: typeof title === 'string' ? title : wordFor(value),
      }))
  return undefined
}

export function wordFor(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (value === null) return 'None'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function typeOf({ type, items }: Json, properties: View['properties'], choices: View['choices']): string {
  const named = Array.isArray(type) ? type.find(name => name !== 'null') : type
  if (typeof named === 'string') return named
  if (properties.size > 0) return 'object'
  if (items !== undefined) return 'array'
  return choices?.every(({ value }) => typeof value === 'boolean') ? 'boolean' : 'string'
}
