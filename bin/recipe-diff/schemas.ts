/** Compares JSON Schemas of two API documents. Pure. */
import { isDeepStrictEqual } from 'node:util'
import type { Schema } from '../client/document.ts'

/** Who reads values of a schema: the product (requests) or its clients (replies and events). */
export interface Readers {
  readonly requests: boolean
  readonly replies: boolean
}

export interface SchemaDifference {
  readonly text: string
  /** Whether clients of the earlier recipe fail. */
  readonly isBreaking: boolean
}

/** Keywords that don't limit values. */
const ANNOTATIONS = new Set(['title', 'description', 'examples', 'deprecated', 'readOnly', 'writeOnly', '$comment'])
/** Keywords of which a larger value accepts more. */
const UPPER = ['maxLength', 'maximum', 'exclusiveMaximum', 'maxItems', 'maxProperties']
/** Keywords of which a smaller value accepts more. */
const LOWER = ['minLength', 'minimum', 'exclusiveMinimum', 'minItems', 'minProperties']
const COMPARED = new Set([
  '$ref',
  'type',
  'enum',
  'const',
  'properties',
  'required',
  'items',
  'additionalProperties',
  'anyOf',
  'oneOf',
  'default',
  ...UPPER,
  ...LOWER,
])

/** Lists differences by the path of the value. References are compared by name: each component is compared on its own. */
export function compareSchemas(before: unknown, after: unknown, readers: Readers, path = ''): SchemaDifference[] {
  const [old, now] = [toObject(before), toObject(after)]
  if (isDeepStrictEqual(old, now)) return []
  if (old.$ref !== undefined || now.$ref !== undefined)
    return old.$ref === now.$ref && old.$ref !== undefined
      ? compareParts({ ...old, $ref: undefined }, { ...now, $ref: undefined }, readers, path)
      : [broken(path, `${name(old)} → ${name(now)}`)]
  const [variants, later] = [variantsOf(old), variantsOf(now)]
  return variants.length > 1 || later.length > 1
    ? compareVariants(variants, later, readers, path)
    : compareParts(variants[0] as Schema, later[0] as Schema, readers, path)
}

/** `true` accepts any value. */
const toObject = (schema: unknown): Schema =>
  typeof schema === 'object' && schema !== null ? (schema as Schema) : schema === false ? { not: {} } : {}

const name = (schema: Schema): string =>
  typeof schema.$ref === 'string'
    ? (schema.$ref.split('/').at(-1) as string)
    : [schema.type ?? (Array.isArray(schema.anyOf ?? schema.oneOf) ? 'a choice' : 'another schema')].flat().join(' or ')

/** Alternatives of a value, each with one type. */
function variantsOf(schema: Schema): Schema[] {
  const { anyOf, oneOf, ...rest } = schema
  const alternatives = (anyOf ?? oneOf) as Schema[] | undefined
  // `required` in alternatives only says which properties belong together.
  if (alternatives?.every(inner => 'type' in inner || '$ref' in inner || 'enum' in inner || 'const' in inner))
    return alternatives.flatMap(inner => variantsOf({ ...rest, ...inner }))
  if (!Array.isArray(schema.type)) return [schema]
  return (schema.type as string[]).map(type => ({ ...(type === 'null' ? {} : schema), type }))
}

function compareVariants(
  before: readonly Schema[],
  after: readonly Schema[],
  readers: Readers,
  path: string,
): SchemaDifference[] {
  const has = (list: readonly Schema[], schema: Schema) =>
    list.some(other => isDeepStrictEqual(limits(other), limits(schema)))
  const gone = before.filter(schema => !has(after, schema))
  const added = after.filter(schema => !has(before, schema))
  const pairs = gone.flatMap(schema => {
    const other = added.find(each => name(each) === name(schema))
    return other ? [[schema, other] as const] : []
  })
  if (gone.length === 1 && added.length === 1 && pairs.length === 0)
    return [broken(path, `type ${name(gone[0] as Schema)} → ${name(added[0] as Schema)}`)]
  return [
    ...pairs.flatMap(([old, now]) => compareSchemas(old, now, readers, path)),
    ...gone
      .filter(schema => !pairs.some(([old]) => old === schema))
      .map(schema => difference(path, `no longer ${name(schema)}`, readers.requests)),
    ...added
      .filter(schema => !pairs.some(([, now]) => now === schema))
      .map(schema => difference(path, `may be ${name(schema)}`, readers.replies)),
  ]
}

const limits = (schema: Schema): Schema =>
  Object.fromEntries(Object.entries(schema).filter(([keyword]) => !ANNOTATIONS.has(keyword)))

function compareParts(before: Schema, after: Schema, readers: Readers, path: string): SchemaDifference[] {
  if (before.type !== after.type && name(before) !== name(after))
    return [broken(path, `type ${name(before)} → ${name(after)}`)]
  return [
    ...compareValues(before, after, readers, path),
    ...compareBounds(before, after, readers, path),
    ...compareProperties(before, after, readers, path),
    ...('items' in before || 'items' in after ? compareSchemas(before.items, after.items, readers, `${path}[]`) : []),
    ...compareOthers(before, after, readers, path),
    ...otherKeywords(before, after, readers, path),
  ]
}

function compareValues(before: Schema, after: Schema, { requests }: Readers, path: string): SchemaDifference[] {
  const [old, now] = [valuesOf(before), valuesOf(after)]
  if (!old && !now) return []
  if (!old) return [difference(path, `only ${now?.join(', ')}`, requests)]
  if (!now) return [difference(path, 'any value', false)]
  const gone = old.filter(value => !now.includes(value))
  const added = now.filter(value => !old.includes(value))
  return [
    ...(gone.length > 0 ? [difference(path, `no longer ${gone.join(', ')}`, requests)] : []),
    ...(added.length > 0 ? [difference(path, `new value ${added.join(', ')}`, false)] : []),
  ]
}

const valuesOf = (schema: Schema): string[] | undefined =>
  Array.isArray(schema.enum)
    ? schema.enum.map(value => JSON.stringify(value))
    : 'const' in schema
      ? [JSON.stringify(schema.const)]
      : undefined

const compareBounds = (before: Schema, after: Schema, { requests }: Readers, path: string): SchemaDifference[] =>
  [...UPPER, ...LOWER].flatMap(keyword => {
    const [old, now] = [before[keyword] as number | undefined, after[keyword] as number | undefined]
    if (old === now) return []
    const isUpper = UPPER.includes(keyword)
    const isTighter = now !== undefined && (old === undefined || (isUpper ? now < old : now > old))
    return [difference(path, `${keyword} ${old ?? 'none'} → ${now ?? 'none'}`, requests && isTighter)]
  })

function compareProperties(before: Schema, after: Schema, readers: Readers, path: string): SchemaDifference[] {
  const [old, now] = [propertiesOf(before), propertiesOf(after)]
  const [required, requires] = [requiredOf(before), requiredOf(after)]
  const at = (property: string) => (path === '' ? property : `${path}.${property}`)
  return [...new Set([...Object.keys(old), ...Object.keys(now), ...required, ...requires])].flatMap(property => {
    const [had, has] = [Object.hasOwn(old, property), Object.hasOwn(now, property)]
    if (had && !has) return [broken(at(property), 'removed')]
    const isRequired = requires.includes(property)
    if (!had && has)
      return [difference(at(property), isRequired ? 'new, required' : 'new', isRequired && readers.requests)]
    return [
      ...(isRequired === required.includes(property)
        ? []
        : [
            isRequired
              ? difference(at(property), 'required', readers.requests)
              : difference(at(property), 'optional', readers.replies),
          ]),
      ...(had ? compareSchemas(old[property], now[property], readers, at(property)) : []),
    ]
  })
}

const propertiesOf = ({ properties }: Schema) => (properties ?? {}) as Readonly<Record<string, unknown>>
const requiredOf = ({ required }: Schema) => (required ?? []) as readonly string[]

/** Properties that have no name in the schema. */
function compareOthers(before: Schema, after: Schema, readers: Readers, path: string): SchemaDifference[] {
  const [old, now] = [before.additionalProperties ?? true, after.additionalProperties ?? true]
  if (isDeepStrictEqual(old, now)) return []
  if (now === false) return [difference(path, 'no other properties', readers.requests)]
  if (old === false) return [difference(path, 'other properties', false)]
  return compareSchemas(old, now, readers, `${path}.*`)
}

function otherKeywords(before: Schema, after: Schema, { requests }: Readers, path: string): SchemaDifference[] {
  const known = (keyword: string) => COMPARED.has(keyword) || ANNOTATIONS.has(keyword) || keyword.startsWith('x-')
  const keywords = new Set([...Object.keys(before), ...Object.keys(after)].filter(keyword => !known(keyword)))
  const changed = [...keywords].filter(keyword => !isDeepStrictEqual(before[keyword], after[keyword]))
  const ofDefault = isDeepStrictEqual(before.default, after.default)
    ? []
    : [difference(path, `default ${toText(before.default)} → ${toText(after.default)}`, false)]
  return [
    ...ofDefault,
    ...changed.map(keyword => difference(path, `${keyword} changed`, requests && after[keyword] !== undefined)),
  ]
}

const toText = (value: unknown): string => (value === undefined ? 'none' : JSON.stringify(value))

const difference = (path: string, text: string, isBreaking: boolean): SchemaDifference => ({
  text: path === '' ? text : `${path}: ${text}`,
  isBreaking,
})
const broken = (path: string, text: string): SchemaDifference => difference(path, text, true)
