/**
 * Converts the TypeBox schemas of modules to draft-07, which the YAML language server supports. Objects are closed, so that
 * a misspelled key is an error, and keys with a default are no longer required.
 */

export type Json = { readonly [key: string]: unknown }

export interface Converted {
  readonly schema: Json
  /** Entries for the `definitions` of the document: `#/definitions/<prefix><name>`. */
  readonly definitions: Json
}

/** @param prefix makes the names of definitions unique in a document with several modules. */
export function toDraft07(schema: unknown, prefix = ''): Converted {
  const definitions: Record<string, unknown> = {}
  const converted = convert(schema as Json, { prefix, definitions, open: false })
  return { schema: converted as Json, definitions }
}

interface Conversion {
  readonly prefix: string
  readonly definitions: Record<string, unknown>
  /** True for a part of `allOf`: closing it would reject the keys of the other parts. */
  readonly open: boolean
}

const OF_SCHEMA = ['additionalProperties', 'additionalItems', 'not', 'contains', 'propertyNames', 'if', 'then', 'else']
const OF_LIST = ['anyOf', 'oneOf', 'allOf']
const OF_MAP = ['properties', 'patternProperties', 'dependencies']
const DROPPED = [
  '$defs',
  'definitions',
  '$id',
  '$schema',
  '$anchor',
  '$comment',
  'unevaluatedProperties',
  'unevaluatedItems',
]

function convert(schema: unknown, conversion: Conversion): unknown {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return schema
  const source = downgrade(schema as Json)
  for (const [name, definition] of Object.entries({ ...(source.$defs as Json), ...(source.definitions as Json) }))
    conversion.definitions[conversion.prefix + name] = convert(definition, { ...conversion, open: false })
  const inner = { ...conversion, open: false }
  const target: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(source)) {
    if (DROPPED.includes(key)) continue
    if (key === '$ref') target.$ref = reference(String(value), conversion.prefix)
    else if (OF_SCHEMA.includes(key)) target[key] = convert(value, inner)
    else if (OF_LIST.includes(key))
      target[key] = (value as unknown[]).map(entry =>
        convert(entry, key === 'allOf' ? { ...conversion, open: true } : inner),
      )
    else if (OF_MAP.includes(key)) target[key] = mapValues(value as Json, entry => convert(entry, inner))
    else if (key === 'items')
      target.items = Array.isArray(value) ? value.map(entry => convert(entry, inner)) : convert(value, inner)
    else target[key] = value
  }
  return withDefaults(closed(constantsToEnum(target), conversion.open))
}

/** Replaces keywords of later drafts with those of draft-07. */
function downgrade(schema: Json): Json {
  const { prefixItems, dependentRequired, unevaluatedProperties, ...rest } = schema
  return {
    ...rest,
    ...(prefixItems !== undefined && { items: prefixItems, additionalItems: rest.items ?? true }),
    ...(dependentRequired !== undefined && { dependencies: dependentRequired }),
    ...(unevaluatedProperties === false && !rest.allOf && { additionalProperties: false }),
  }
}

const reference = (ref: string, prefix: string): string => {
  const name = ref.replace(/^#\/(\$defs|definitions)\//, '')
  return name === '#' ? '#' : `#/definitions/${prefix}${name}`
}

const mapValues = (map: Json, work: (value: unknown) => unknown): Json =>
  Object.fromEntries(Object.entries(map).map(([key, value]) => [key, work(value)]))

/** Converts `anyOf` of constants to `enum`, which gives better completion and error messages. */
function constantsToEnum(schema: Record<string, unknown>): Record<string, unknown> {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf) || !anyOf.every(entry => 'const' in (entry as Json))) return schema
  const types = new Set(anyOf.map(entry => (entry as Json).type))
  const [type] = types
  return { ...rest, ...(types.size === 1 && type ? { type } : {}), enum: anyOf.map(entry => (entry as Json).const) }
}

function closed(schema: Record<string, unknown>, open: boolean): Record<string, unknown> {
  const names = schema.properties ?? schema.patternProperties
  if (open || schema.type !== 'object' || !names || 'additionalProperties' in schema || 'allOf' in schema) return schema
  return { ...schema, additionalProperties: false }
}

/** Gives objects whose keys all have defaults the default `{}`, and makes keys with a default optional. */
function withDefaults(schema: Record<string, unknown>): Record<string, unknown> {
  if (!schema.properties || !Array.isArray(schema.required)) return schema
  const required = schema.required as string[]
  const properties = Object.entries(schema.properties as Json).map(([key, value]) => [
    key,
    required.includes(key) && hasOnlyDefaults(value as Json) ? { ...(value as Json), default: {} } : value,
  ])
  const known = Object.fromEntries(properties) as Record<string, Json | undefined>
  const left = required.filter(key => known[key]?.default === undefined)
  const { required: _, ...rest } = schema
  return { ...rest, properties: known, ...(left.length > 0 && { required: left }) }
}

const hasOnlyDefaults = (schema: Json): boolean =>
  schema.type === 'object' &&
  schema.properties !== undefined &&
  schema.required === undefined &&
  schema.default === undefined
