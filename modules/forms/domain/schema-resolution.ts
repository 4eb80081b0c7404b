/** Merges a schema with the schemas that it references or combines, as a form displays it. Pure. */
import { isRecord } from '@larder-dev/larder/kernel'
import { type Json, resolveReference } from './schema-traversal.ts'

export interface ResolvedSchema {
  readonly keywords: Json
  readonly type: string
  readonly properties: ReadonlyMap<string, Json>
  readonly required: ReadonlySet<string>
  /** From an enum, a const, or alternatives that are one value each. */
  readonly choices: readonly Choice[] | undefined
}
export interface Choice {
  readonly value: unknown
  readonly label: string
}

interface Collected {
  readonly keywords: Record<string, unknown>
  readonly properties: Map<string, Json>
  readonly required: Set<string>
}

const CERTAIN_KEYWORDS = ['allOf'] as const
/** Apply to some entries only: their fields are shown, but not marked as required. */
const CONDITIONAL_KEYWORDS = ['anyOf', 'oneOf', 'then', 'else', 'dependentSchemas'] as const

export function resolveSchema(root: Json, schema: Json): ResolvedSchema {
  const collected: Collected = { keywords: {}, properties: new Map(), required: new Set() }
  collect(root, schema, collected, true)
  const { keywords, properties, required } = collected
  const choices = choicesOf(keywords)
  return { keywords: keywords, type: typeOf(keywords, properties, choices), properties, required, choices }
}

function collect(root: Json, schema: Json, into: Collected, certain: boolean): void {
  const { properties, required, ...rest } = schema
  if (certain) for (const [key, value] of Object.entries(rest)) into.keywords[key] ??= value
  if (certain && Array.isArray(required)) for (const name of required) into.required.add(String(name))
  for (const [name, inner] of Object.entries(isRecord(properties) ? properties : {}))
    if (isRecord(inner) && !into.properties.has(name)) into.properties.set(name, inner)
  const target = typeof schema.$ref === 'string' ? resolveReference(root, schema.$ref) : undefined
  if (target) collect(root, target.schema, into, certain)
  for (const keyword of CERTAIN_KEYWORDS)
    for (const subschema of schemasIn(schema[keyword])) collect(root, subschema, into, certain)
  for (const keyword of CONDITIONAL_KEYWORDS)
    for (const subschema of schemasIn(schema[keyword])) collect(root, subschema, into, false)
}

/** A schema, or a list or map of schemas. */
function schemasIn(value: unknown): Json[] {
  if (Array.isArray(value)) return value.filter(isRecord)
  if (!isRecord(value)) return []
  const isMap = Object.values(value).every(isRecord) && !('properties' in value) && !('not' in value)
  return isMap ? (Object.values(value) as Json[]) : [value]
}

function choicesOf({ enum: values, const: only, oneOf, anyOf }: Json): Choice[] | undefined {
  if (Array.isArray(values)) return values.map(value => ({ value, label: displayValue(value) }))
  if (only !== undefined) return [{ value: only, label: displayValue(only) }]
  for (const list of [oneOf, anyOf])
    if (Array.isArray(list) && list.length > 0 && list.every(subschema => isRecord(subschema) && 'const' in subschema))
      return list.map(({ const: value, title }) => ({
        value,
        label: typeof title === 'string' ? title : displayValue(value),
      }))
  return undefined
}

export type ValueTexts = Readonly<Record<'true' | 'false' | 'null', string>>
const ENGLISH: ValueTexts = { true: 'Yes', false: 'No', null: 'None' }

export function displayValue(value: unknown, texts = ENGLISH): string {
  if (typeof value === 'boolean' || value === null) return texts[`${value}`]
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function typeOf(
  { type, items }: Json,
  properties: ResolvedSchema['properties'],
  choices: ResolvedSchema['choices'],
): string {
  const named = Array.isArray(type) ? type.find(name => name !== 'null') : type
  if (typeof named === 'string') return named
  if (properties.size > 0) return 'object'
  if (items !== undefined) return 'array'
  return choices?.every(({ value }) => typeof value === 'boolean') ? 'boolean' : 'string'
}
