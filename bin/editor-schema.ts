/** The JSON Schema of a recipe that editors use. */
import type { DeclaredKeys } from '../kernel/contract/index.ts'
import { composeSchema, type DescribedModule, type Json } from '../kernel/recipe/index.ts'

/** The schema of a recipe; also allows `${NAME}` for any value, and `forms:` instead of `forms: {}`. */
export function editorSchema(modules: readonly DescribedModule[], declared?: DeclaredKeys): Json {
  const schema = composeSchema(modules, declared)
  const properties = schema.properties as Record<string, Json>
  const parts = properties.modules as Json & { properties: Record<string, Json> }
  const named = Object.entries(parts.properties).map(([key, options]) => [
    key,
    { ...options, type: ['object', 'null'] },
  ])
  const whole = {
    ...schema,
    properties: { ...properties, modules: { ...parts, properties: Object.fromEntries(named) } },
  }
  const relaxed = relax(whole) as Json
  return { ...relaxed, definitions: { ...(relaxed.definitions as Json), variable: VARIABLE } }
}

const VARIABLE = {
  type: 'string',
  pattern: '\\$\\{[A-Za-z_]',
  description: `An environment variable: \${NAME:-default}`,
}
const MAPS = ['properties', 'patternProperties', 'definitions']

function relax(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(relax)
  if (typeof schema !== 'object' || schema === null) return schema
  const inner = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      if (MAPS.includes(key))
        return [key, Object.fromEntries(Object.entries(value as Json).map(([k, v]) => [k, relax(v)]))]
      return [key, ['items', 'additionalProperties', 'anyOf', 'oneOf', 'allOf'].includes(key) ? relax(value) : value]
    }),
  )
  return acceptsVariable(inner) ? inner : orVariable(inner)
}

/** Returns true for schemas that already accept a variable, and for maps and lists. */
function acceptsVariable(schema: Json): boolean {
  const types = [schema.type].flat()
  if (types.includes('object') || types.includes('array') || (!schema.type && !schema.enum && !('const' in schema)))
    return true
  return types.includes('string') && !schema.pattern && !schema.format && !schema.enum && !('const' in schema)
}

function orVariable({ description, default: standard, ...rest }: Json): Json {
  return {
    ...(description !== undefined ? { description } : {}),
    ...(standard !== undefined ? { default: standard } : {}),
    anyOf: [rest, { $ref: '#/definitions/variable' }],
  }
}
