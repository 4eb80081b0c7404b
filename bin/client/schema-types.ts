/** JSON Schema (2020-12) as TypeScript types. Pure. */
import type { Schema } from './document.ts'
import { identifier, propertyKey } from './text.ts'

export interface TypeOptions {
  /** Names of components: JSON pointer → identifier. */
  readonly names: ReadonlyMap<string, string>
  /** The component name of a schema that is not part of the document, such as the payload of an event. */
  readonly nameOf?: ((schema: Schema) => string | undefined) | undefined
  /** True for values that the caller passes: an optional property then also accepts `undefined`. */
  readonly input?: boolean
}

/** A TypeScript type on one or several lines; inner lines are indented by two spaces per level. */
export function typeOf(schema: unknown, options: TypeOptions): string {
  if (schema === false) return 'never'
  if (typeof schema !== 'object' || schema === null) return 'unknown'
  const named = options.names.get(`#/components/schemas/${options.nameOf?.(schema as Schema)}`)
  if (named !== undefined) return named
  const { $ref, ...rest } = schema as Schema
  if (typeof $ref === 'string') return withRest(options.names.get($ref) ?? 'unknown', rest, options)
  return alternatives(schema as Schema, options)
}

/** Keywords beside `$ref` narrow it if they describe a shape; the others are annotations. */
function withRest(name: string, rest: Schema, options: TypeOptions): string {
  const isShape = ['properties', 'allOf', 'anyOf', 'oneOf'].some(keyword => keyword in rest)
  return isShape ? `${name} & ${grouped(typeOf(rest, options))}` : name
}

function alternatives(schema: Schema, options: TypeOptions): string {
  if ('const' in schema) return literal(schema.const)
  if (Array.isArray(schema.enum)) return union(schema.enum.map(literal))
  for (const keyword of ['anyOf', 'oneOf'] as const)
    if (Array.isArray(schema[keyword])) {
      const { [keyword]: branches, ...rest } = schema
      const types = union((branches as unknown[]).map(branch => typeOf(branch, options)))
      if (types === 'unknown') return plain(rest, options)
      return hasType(rest) ? `${grouped(plain(rest, options))} & ${grouped(types)}` : types
    }
  if (Array.isArray(schema.allOf)) {
    const { allOf, ...rest } = schema
    const parts = [...allOf, ...(hasType(rest) ? [rest] : [])].map(part => typeOf(part, options))
    return intersection(parts.filter(part => part !== 'unknown'))
  }
  return plain(schema, options)
}

/** `required` in a branch of `anyOf` only says which properties belong together. */
const hasType = (schema: Schema): boolean => 'type' in schema || 'properties' in schema

function plain(schema: Schema, options: TypeOptions): string {
  const types = Array.isArray(schema.type) ? (schema.type as string[]) : [schema.type ?? implied(schema)]
  return union(types.map(type => single(type as string | undefined, schema, options)))
}

function implied(schema: Schema): string | undefined {
  if ('properties' in schema || 'patternProperties' in schema) return 'object'
  return 'items' in schema || 'prefixItems' in schema ? 'array' : undefined
}

function single(type: string | undefined, schema: Schema, options: TypeOptions): string {
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
      return type
    case 'integer':
    case 'number':
      return 'number'
    case 'array':
      return array(schema, options)
    case 'object':
      return object(schema, options)
    default:
      return 'unknown'
  }
}

function array({ items, prefixItems }: Schema, options: TypeOptions): string {
  const mark = options.input ? 'readonly ' : ''
  if (!Array.isArray(prefixItems)) return `${mark}${grouped(typeOf(items, options))}[]`
  const rest = items === undefined || items === false ? [] : [`...${grouped(typeOf(items, options))}[]`]
  return `${mark}[${[...prefixItems.map(item => typeOf(item, options)), ...rest].join(', ')}]`
}

function object(schema: Schema, options: TypeOptions): string {
  const properties = Object.entries((schema.properties ?? {}) as Readonly<Record<string, Schema>>)
  const required = new Set((schema.required ?? []) as readonly string[])
  const extra = additional(schema, options)
  if (properties.length === 0) return extra === undefined ? 'Record<string, never>' : `Record<string, ${extra}>`
  const lines = properties.flatMap(([name, property]) =>
    propertyLines(name, typeOf(property, options), required.has(name), property, options),
  )
  // An index signature must cover the declared properties too.
  const index = schema.additionalProperties !== undefined && extra !== undefined ? ['[key: string]: unknown'] : []
  return ['{', ...[...lines, ...index].map(indent), '}'].join('\n')
}

/** The type of undeclared properties; undefined if there are none. */
function additional(schema: Schema, options: TypeOptions): string | undefined {
  const { additionalProperties: others, patternProperties } = schema
  const patterns = Object.values((patternProperties ?? {}) as Readonly<Record<string, Schema>>)
  if (others === false && patterns.length === 0) return undefined
  const open = typeof others === 'object' || others === true ? [typeOf(others, options)] : []
  return union([...patterns.map(pattern => typeOf(pattern, options)), ...open]) || 'unknown'
}

function propertyLines(
  name: string,
  type: string,
  isRequired: boolean,
  annotations: unknown,
  { input = false }: Pick<TypeOptions, 'input'>,
): string[] {
  const optional = input && type !== 'unknown' ? ` | undefined` : ''
  return [
    ...comment(descriptionOf(annotations)),
    `${propertyKey(name)}${isRequired ? '' : '?'}: ${type}${isRequired ? '' : optional}`,
  ]
}

const descriptionOf = (schema: unknown): string => {
  const { description } = (schema ?? {}) as { description?: unknown }
  return typeof description === 'string' ? description : ''
}

/** Lines of a documentation comment; none for an empty text. */
export function comment(text: string): string[] {
  const lines = text.replaceAll('*/', '*\\/').split('\n')
  if (text.trim() === '') return []
  return lines.length === 1 ? [`/** ${lines[0]} */`] : ['/**', ...lines.map(line => ` * ${line}`.trimEnd()), ' */']
}

export const indent = (text: string): string => text.replaceAll(/^(?=.)/gm, '  ')

export const literal = (value: unknown): string => {
  if (typeof value === 'string')
    return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
  return typeof value === 'object' && value !== null ? 'unknown' : String(value)
}

export function union(types: readonly string[]): string {
  const unique = [...new Set(types)]
  return unique.includes('unknown')
    ? 'unknown'
    : unique.map(type => (type.includes(' & ') ? grouped(type) : type)).join(' | ')
}

const intersection = (types: readonly string[]): string =>
  types.length === 0 ? 'unknown' : [...new Set(types)].map(grouped).join(' & ')

/** In parentheses where an operator around it would bind tighter. */
const grouped = (type: string): string => (/[|&]| => |^readonly /.test(outside(type)) ? `(${type})` : type)

/** The text outside of braces, brackets and strings. */
function outside(type: string): string {
  let depth = 0
  let shown = ''
  for (const part of type.split(/('(?:[^'\\]|\\.)*'|[{}()<>[\]])/)) {
    if ('}])>'.includes(part) && part !== '') depth--
    else if ('{[(<'.includes(part) && part !== '') depth++
    else if (depth === 0 && !part.startsWith("'")) shown += part
  }
  return shown
}

/** One exported declaration of a component: a type alias, which unlike an interface is also a record of any properties. */
export function declaration(name: string, schema: Schema, options: TypeOptions): string {
  return [...comment(descriptionOf(schema)), `export type ${name} = ${typeOf(schema, options)}`].join('\n')
}

/** Component names as identifiers: `#/components/schemas/a.b` → `AB`. Reserved names get the suffix `Schema`. */
export function componentNames(
  schemas: Readonly<Record<string, Schema>>,
  reserved: ReadonlySet<string>,
): Map<string, string> {
  const taken = new Set(reserved)
  return new Map(
    Object.keys(schemas).map(key => {
      let name = identifier(key)
      if (taken.has(name)) name += 'Schema'
      for (let count = 2; taken.has(name); count++) name = `${identifier(key)}${count}`
      taken.add(name)
      return [`#/components/schemas/${key}`, name]
    }),
  )
}
