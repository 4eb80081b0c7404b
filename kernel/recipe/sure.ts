/**
 * A quick yes to the parts of a recipe that are right. Compiling a schema with ajv costs many times the rest of a
 * check, and is worth it only for a part of which something has to be told.
 */

import { Check } from 'typebox/schema'
import { isFields } from '../base/index.ts'
import type { Json } from './draft07.ts'

/**
 * Fills defaults into `value` as ajv does, and says whether it surely fits.
 * @param schema draft-07. False says no more than that ajv has to be asked.
 */
export const surelyFits = (schema: Json, value: unknown): boolean =>
  isPlain(schema, false) && fill(schema, value) && Check(schema, value)

/**
 * What ajv has to be asked of `value` after surelyFits said no: `schema`, where what surely fits, and what is neither
 * there nor asked for, may be anything.
 */
export function unsure(schema: Json, value: unknown): Json {
  if (!isFields(schema.properties) || !isFields(value)) return schema
  const fields = value as Json
  const required = [schema.required].flat()
  const rest = entriesOf(schema.properties).map(([key, inner]) => {
    if (!isFields(inner)) return [key, inner]
    if (fields[key] !== undefined) return [key, surelyFits(inner, fields[key]) ? {} : unsure(inner, fields[key])]
    const asked = 'default' in inner || required.includes(key) || !isPlain(inner, false)
    return [key, asked ? inner : {}]
  })
  return { ...schema, properties: Object.fromEntries(rest) }
}

const TYPES = ['string', 'number', 'integer', 'boolean', 'null', 'array', 'object']
/** What references lead to, and what lists hold by position, is looked up by ajv alone. */
const UNSURE = ['$ref', 'if', 'not', 'contains', 'dependencies', 'additionalItems']
/** These too where it depends on the value which of several schemas counts. */
const UNSURE_BRANCH = ['default', 'format']

function isPlain(schema: unknown, branch: boolean): boolean {
  if (!isFields(schema)) return typeof schema === 'boolean'
  if (schema.type !== undefined && ![schema.type].flat().every(type => TYPES.includes(type as string))) return false
  if (UNSURE.some(word => word in schema) || (branch && UNSURE_BRANCH.some(word => word in schema))) return false
  const { additionalProperties = true, items = true, propertyNames = true } = schema
  const same = [schema.properties, schema.patternProperties, schema.allOf].flatMap(valuesOf)
  const branches = [schema.anyOf, schema.oneOf].flatMap(valuesOf)
  return (
    [...same, additionalProperties, items].every(inner => isPlain(inner, branch)) &&
    [...branches, propertyNames].every(inner => isPlain(inner, true))
  )
}

/** False where a text has a format to hold: formats are ajv's. */
function fill(schema: unknown, value: unknown): boolean {
  if (!isFields(schema)) return true
  if (typeof value === 'string') return !('format' in schema) && valuesOf(schema.allOf).every(part => fill(part, value))
  const own = Array.isArray(value) ? value.map(entry => fill(schema.items, entry)) : fillFields(schema, value)
  return [...own, ...valuesOf(schema.allOf).map(part => fill(part, value))].every(Boolean)
}

function fillFields({ properties, patternProperties, additionalProperties }: Json, value: unknown): boolean[] {
  if (!isFields(value)) return []
  const fields = value as Record<string, unknown>
  const known = new Map(entriesOf(properties))
  for (const [key, schema] of known)
    if (fields[key] === undefined && isFields(schema) && schema.default !== undefined)
      fields[key] = structuredClone(schema.default)
  const patterns = entriesOf(patternProperties).map(([pattern, schema]) => ({
    pattern: new RegExp(pattern, 'u'),
    schema,
  }))
  return Object.entries(fields).flatMap(([key, inner]) => {
    const matching = patterns.filter(({ pattern }) => pattern.test(key)).map(({ schema }) => schema)
    const schemas = known.has(key) ? [known.get(key), ...matching] : matching
    return (schemas.length > 0 ? schemas : [additionalProperties]).map(schema => fill(schema, inner))
  })
}

const entriesOf = (value: unknown): [string, unknown][] => (isFields(value) ? Object.entries(value) : [])
const valuesOf = (value: unknown): unknown[] =>
  typeof value === 'object' && value !== null ? Object.values(value) : []
