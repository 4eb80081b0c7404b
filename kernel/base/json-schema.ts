/**
 * Converts a TypeBox schema for three consumers: the validator of requests (JSON Schema 2020-12, closed objects), the
 * serializer of responses (draft-07) and OpenAPI 3.1 (2020-12). Pure.
 */
import type { TSchema } from 'typebox'
import { ADDRESS_KEYWORD } from './ajv-extensions.ts'

/** A JSON Schema as a plain object. */
export type JsonSchema = Record<string, unknown>

export interface Reader {
  /** Rejects unknown fields, unless a schema allows them explicitly. */
  readonly close: boolean
  readonly dialect: '2020-12' | 'draft-07'
  /** The path of shared definitions, for example `#/$defs/`. */
  readonly refs: string
  readonly definitions: Record<string, unknown>
  /**
   * Stores a named schema under `refs`; a reference replaces it. Without this, named schemas are inlined. `isPart` is
   * true in an intersection, whose parts are never closed.
   */
  readonly hoist?: (name: string, schema: TSchema, isPart: boolean) => void
}

const NAME = '~name'
const DOCS = '~docs'
const LEFT_OUT = '~leftOut'
const NAME_PATTERN = /^[A-Z][A-Za-z0-9]*$/

export interface NamedOptions {
  /**
   * Fields that handlers return although the schema doesn't have them, such as columns for internal use. Outside
   * production, other fields that a reply leaves out are reported in the log.
   */
  readonly leavesOut?: readonly string[]
}

/**
 * Names a schema in the API documents: PascalCase, one shape per name. The name survives `Type.Optional` and `Nullable`,
 * and is lost when properties are copied into another schema.
 */
export function named<T extends TSchema>(name: string, schema: T, { leavesOut }: NamedOptions = {}): T {
  if (!NAME_PATTERN.test(name)) throw new TypeError(`The schema name '${name}' is not in PascalCase`)
  const made = withHidden(schema, NAME, name)
  return leavesOut ? withHidden(made, LEFT_OUT, leavesOut) : made
}

/** Documents a value in more detail than it's serialized, for values that are sent as they are stored. */
export const documented = <T extends TSchema>(docs: TSchema, serialized: T): T => withHidden(serialized, DOCS, docs)

/** The fields of `leavesOut` in the schema and its parts. */
export function fieldsLeftOut(schema: unknown): ReadonlySet<string> {
  const fields = new Set<string>()
  const seen = new Set<object>()
  const collect = (part: unknown): void => {
    if (typeof part !== 'object' || part === null || seen.has(part)) return
    seen.add(part)
    for (const field of (part as { readonly [LEFT_OUT]?: readonly string[] })[LEFT_OUT] ?? []) fields.add(field)
    for (const inner of Object.values(part)) collect(inner)
  }
  collect(schema)
  return fields
}

/** A copy with a property that validators and serializers don't see. */
export const withHidden = <T extends TSchema>(schema: T, key: string, value: unknown): T =>
  Object.defineProperties({} as T, {
    ...Object.getOwnPropertyDescriptors(schema),
    [key]: { value, configurable: true },
  })

export const docsOf = (schema: object): TSchema | undefined => (schema as { readonly [DOCS]?: TSchema })[DOCS]
export const nameOf = (schema: object): string | undefined => (schema as { readonly [NAME]?: string })[NAME]

const MAPS = ['properties', 'patternProperties', 'dependentSchemas']
const LISTS = ['anyOf', 'oneOf', 'allOf', 'prefixItems']
const SINGLE = ['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains', 'propertyNames']

/** A deep copy of the schema for this consumer. `reader.definitions` collects the targets of `$ref`. */
export const schemaFor = (reader: Reader, schema: TSchema): JsonSchema => copy(reader, schema, false)

/** The same, with its definitions included. */
export function wholeSchema(reader: Omit<Reader, 'definitions' | 'refs'>, schema: TSchema): JsonSchema {
  const definitions: Record<string, unknown> = {}
  const key = reader.dialect === 'draft-07' ? 'definitions' : '$defs'
  const made = schemaFor({ ...reader, definitions, refs: `#/${key}/` }, schema)
  return Object.keys(definitions).length > 0 ? { ...made, [key]: definitions } : made
}

function copy(reader: Reader, node: object, isPart: boolean): JsonSchema {
  const name = reader.hoist && nameOf(node)
  if (name !== undefined) {
    reader.hoist?.(name, node as TSchema, isPart)
    return { $ref: `${reader.refs}${name}` }
  }
  const docs = reader.hoist && docsOf(node)
  if (docs) return copy(reader, docs, isPart)
  const schema = splitTypes(nullable({ ...node } as JsonSchema, reader), reader)
  const { $defs, $id, ...rest } = schema
  const made: JsonSchema = {}
  for (const [name, part] of Object.entries(($defs ?? {}) as Record<string, TSchema>))
    if (reader.hoist) reader.hoist(name, part, false)
    else reader.definitions[name] ??= copy(reader, part, false)
  for (const [key, value] of Object.entries(rest)) made[key] = copyKeyword(reader, key, value)
  if (Array.isArray(rest.items)) tuple(made, reader)
  if (reader.hoist) openMap(made)
  if (reader.close && made.format === 'email') made[ADDRESS_KEYWORD] = true
  if (reader.close && !isPart) closeObject(made)
  return made
}

function copyKeyword(reader: Reader, key: string, value: unknown): unknown {
  if (key === '$ref' && typeof value === 'string' && !value.startsWith('#')) return `${reader.refs}${value}`
  if (typeof value !== 'object' || value === null) return value
  if (MAPS.includes(key))
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, copy(reader, part, false)]))
  if (LISTS.includes(key) && Array.isArray(value)) return value.map(part => copy(reader, part, key === 'allOf'))
  if (!SINGLE.includes(key)) return value
  return Array.isArray(value) ? value.map(part => copy(reader, part, false)) : copy(reader, value, key === 'not')
}

/** TypeBox emits draft-07 tuples. */
function tuple(made: JsonSchema, reader: Reader): void {
  if (reader.dialect === 'draft-07') return
  made.prefixItems = made.items
  delete made.items
  if (made.additionalItems === false) made.items = false
  delete made.additionalItems
}

/** TypeBox's `Record`, in documents: generators of clients read the values of a map from `additionalProperties` alone. */
function openMap(made: JsonSchema): void {
  const { patternProperties, additionalProperties } = made
  const [[pattern, value] = [], ...others] = Object.entries((patternProperties ?? {}) as JsonSchema)
  if (pattern !== '^.*$' || others.length > 0 || additionalProperties !== undefined) return
  made.additionalProperties = value
  delete made.patternProperties
}

/** Closes an intersection as a whole, because each part declares only its own fields. */
function closeObject(made: JsonSchema): void {
  if (made.additionalProperties !== undefined || made.unevaluatedProperties !== undefined) return
  if (made.allOf !== undefined) made.unevaluatedProperties = false
  else if (made.properties !== undefined && made.patternProperties === undefined)
    made[made.anyOf || made.oneOf ? 'unevaluatedProperties' : 'additionalProperties'] = false
}

/** Merges `X or null` into one schema, for one clear error message and faster serialization. */
function nullable(schema: JsonSchema, reader: Reader): JsonSchema {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf) || anyOf.length !== 2 || !anyOf.some(isNull)) return schema
  const inner = anyOf.find(part => !isNull(part)) as JsonSchema | undefined
  if (typeof inner?.type !== 'string' || inner.const !== undefined) return schema
  if (reader.hoist && nameOf(inner) !== undefined) return schema
  if (reader.dialect === 'draft-07') return { ...inner, ...rest, nullable: true }
  const words = Array.isArray(inner.enum) ? { enum: [...inner.enum, null] } : {}
  return { ...inner, ...rest, type: [inner.type, 'null'], ...words }
}

const KEYWORDS_OF: Readonly<Record<string, readonly string[]>> = {
  string: ['minLength', 'maxLength', 'pattern', 'format'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  array: ['items', 'minItems', 'maxItems', 'uniqueItems'],
  object: [
    'properties',
    'required',
    'additionalProperties',
    'patternProperties',
    'propertyNames',
    'minProperties',
    'maxProperties',
  ],
}

/** In documents: `type: [string, number]` becomes `anyOf`. Generators of clients for several languages reject the former. */
function splitTypes(schema: JsonSchema, reader: Reader): JsonSchema {
  const { type, ...rest } = schema
  if (!reader.hoist || !Array.isArray(type) || type.filter(name => name !== 'null').length < 2) return schema
  const ofBranch = Object.values(KEYWORDS_OF).flat()
  const pick = (isPicked: (key: string) => boolean) =>
    Object.fromEntries(Object.entries(rest).filter(([key]) => isPicked(key)))
  const anyOf = type.map(name => ({ type: name, ...pick(key => KEYWORDS_OF[name]?.includes(key) ?? false) }))
  return { ...pick(key => !ofBranch.includes(key)), anyOf }
}

const isNull = (part: JsonSchema): boolean => part.type === 'null'
