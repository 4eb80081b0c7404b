/** The part of JSON Schema that the API document uses. Pure. */

export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly title?: string
  readonly description?: string
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly pattern?: string
  readonly readOnly?: boolean
  readonly writeOnly?: boolean
  readonly additionalProperties?: boolean | JsonSchema
  readonly examples?: readonly unknown[]
}
export type Schemas = Readonly<Record<string, JsonSchema>>

const PREFIX = '#/components/schemas/'
/** A chain of references that is longer is a cycle. */
const MAX_REFERENCES = 20

/** Follows `$ref` and merges `allOf`. */
export function resolveSchema(schema: JsonSchema, schemas: Schemas, depth = 0): JsonSchema {
  if (depth > MAX_REFERENCES) return {}
  if (schema.$ref?.startsWith(PREFIX)) {
    const { $ref, ...own } = schema
    const target = resolveSchema(schemas[$ref.slice(PREFIX.length)] ?? {}, schemas, depth + 1)
    return { ...target, ...own }
  }
  if (!schema.allOf) return schema
  const { allOf, ...own } = schema
  const parts = [...allOf.map(part => resolveSchema(part, schemas, depth + 1)), own]
  return {
    ...Object.assign({}, ...parts),
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    required: parts.flatMap(({ required = [] }) => required),
  }
}

export interface Unwrapped {
  readonly schema: JsonSchema
  readonly nullable: boolean
}

/** Removes `null` from a type, and single values from `anyOf` of constants. */
export function unwrap(given: JsonSchema, schemas: Schemas): Unwrapped {
  const schema = resolveSchema(given, schemas)
  if (Array.isArray(schema.type)) {
    const types = schema.type.filter(type => type !== 'null')
    const [only] = types
    return {
      schema: { ...schema, type: types.length === 1 ? only : types },
      nullable: types.length < schema.type.length,
    }
  }
  const options = schema.anyOf ?? schema.oneOf
  if (!options) return { schema, nullable: schema.type === 'null' }
  const resolved = options.map(option => resolveSchema(option, schemas))
  const rest = resolved.filter(({ type }) => type !== 'null')
  const nullable = rest.length < resolved.length
  const { anyOf, oneOf, ...own } = schema
  if (rest.length === 1) {
    const inner = unwrap(rest[0] as JsonSchema, schemas)
    return { schema: { ...inner.schema, ...own }, nullable: nullable || inner.nullable }
  }
  if (rest.length > 0 && rest.every(option => option.const !== undefined))
    return { schema: { ...own, type: 'string', enum: rest.map(option => option.const) }, nullable }
  return { schema: { ...own, anyOf: rest }, nullable }
}
