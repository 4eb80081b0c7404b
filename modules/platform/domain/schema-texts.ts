/** Names, descriptions and values in the schemas of requests and rows, which a resource shows. Pure. */
import { isRecord, type JsonSchema } from '@larder-dev/larder/kernel'
import { partsOf } from './operations.ts'

export interface SchemaTexts {
  /** Names of properties at every level. */
  readonly names: ReadonlySet<string>
  readonly descriptions: ReadonlySet<string>
  /** Property or parameter → the texts that it can be. */
  readonly values: ReadonlyMap<string, ReadonlySet<string>>
}

/** Deeper values are shown as JSON. */
const MAX_DEPTH = 4

export function textsOf(schemas: readonly JsonSchema[]): SchemaTexts {
  const names = new Set<string>()
  const descriptions = new Set<string>()
  const values = new Map<string, Set<string>>()
  const visit = (schema: JsonSchema, root: JsonSchema, depth: number, name = ''): void => {
    const { const: only, enum: several = [] } = schema
    for (const value of [only, several].flat())
      if (typeof value === 'string') values.set(name, (values.get(name) ?? new Set()).add(value))
    if (typeof schema.description === 'string' && depth > 0) descriptions.add(schema.description)
    if (depth >= MAX_DEPTH) return
    if (isRecord(schema.properties))
      for (const [name, property] of Object.entries(schema.properties)) {
        names.add(name)
        visit(property as JsonSchema, root, depth + 1, name)
      }
    if (isRecord(schema.items)) visit(schema.items, root, depth + 1, name)
    for (const part of partsOf(schema, root)) visit(part, root, depth, name)
  }
  for (const schema of schemas) visit(schema, schema, 0)
  return { names, descriptions, values }
}
