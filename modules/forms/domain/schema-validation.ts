/** Validates the schema of a form: JSON Schema within limits that keep one form from slowing down the others. Pure. */
import { isFields, KIB } from 'larder/kernel'
import { linearPattern } from './patterns.ts'
import { compileSchema, dialectOf, metaSchemaErrors } from './schema-compiler.ts'
import type { SchemaError } from './schema-error.ts'
import {
  appliedSubschemas,
  type Json,
  type Path,
  resolveReference,
  type Subschema,
  schemaDefinitions,
} from './schema-traversal.ts'

export const MAX_SCHEMA_BYTES = 64 * KIB
export const MAX_SCHEMA_DEPTH = 20
/** Schemas that validate one value, references included, plus steps of patterns. */
const MAX_COST = 5000

/** Returns all errors of a schema. A schema without errors compiles. */
export function validateSchema(schema: unknown): SchemaError[] {
  const errors = [...validateSize(schema), ...rootErrors(schema)]
  if (errors.length > 0 || !isFields(schema)) return errors
  const checks = [subschemaErrors, metaSchemaErrors, compileErrors]
  for (const check of checks) {
    const found = check(schema)
    if (found.length > 0) return found
  }
  return []
}

/** Checks the size and depth of a schema or uiSchema. */
export function validateSize(value: unknown): SchemaError[] {
  const bytes = Buffer.byteLength(JSON.stringify(value) ?? '')
  if (bytes > MAX_SCHEMA_BYTES)
    return [{ path: [], code: 'too_long', detail: `is ${bytes} bytes of JSON, over the limit of ${MAX_SCHEMA_BYTES}` }]
  return deeperThan(value, MAX_SCHEMA_DEPTH)
    ? [{ path: [], code: 'too_deep', detail: `is nested deeper than ${MAX_SCHEMA_DEPTH} levels` }]
    : []
}

const deeperThan = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some(inner => deeperThan(inner, levels - 1)))

function rootErrors(schema: unknown): SchemaError[] {
  if (!isFields(schema)) return [{ path: [], code: 'wrong_type', detail: 'must be a JSON Schema of an object' }]
  const errors: SchemaError[] = []
  if (schema.type !== undefined && schema.type !== 'object')
    errors.push({ path: ['type'], code: 'not_allowed', detail: 'must be object, because an entry is an object' })
  if (dialectOf(schema) === undefined)
    errors.push({ path: ['$schema'], code: 'not_allowed', detail: 'must be JSON Schema 2020-12 or draft-07' })
  return errors
}

/** Checks references, patterns, and the total cost of validation. */
function subschemaErrors(root: Json): SchemaError[] {
  const errors: SchemaError[] = []
  const costs = new Map<Json, number>()
  const report = (path: Path, detail: string, code = 'not_allowed') => void errors.push({ path, code, detail })

  function cost(part: Subschema, open: ReadonlySet<Json>): number {
    const known = costs.get(part.schema)
    if (known !== undefined) return known
    const inside = new Set(open).add(part.schema)
    const own = 1 + patternCost(part, report)
    const parts = [...appliedSubschemas(part), ...referencedSchemas(root, part, inside, report)]
    const total = parts.reduce((sum, inner) => sum + cost(inner, inside), own)
    costs.set(part.schema, total)
    for (const definition of schemaDefinitions(part)) cost(definition, inside)
    return total
  }
  const total = cost({ schema: root, path: [] }, new Set())
  if (total > MAX_COST && errors.length === 0)
    report([], `is too costly to validate: at most ${MAX_COST} subschemas and pattern steps are allowed`, 'too_costly')
  return errors
}

type Report = (path: Path, detail: string, code?: string) => void

function referencedSchemas(
  root: Json,
  { schema, path }: Subschema,
  open: ReadonlySet<Json>,
  report: Report,
): Subschema[] {
  if (path.length > 0 && schema.$id !== undefined) report([...path, '$id'], 'is only allowed at the root of the schema')
  for (const keyword of ['$dynamicRef', '$recursiveRef'])
    if (schema[keyword] !== undefined) report([...path, keyword], 'is not supported; use $ref')
  const { $ref: ref } = schema
  if (ref === undefined) return []
  const refPath = [...path, '$ref']
  if (typeof ref !== 'string' || !ref.startsWith('#')) {
    report(refPath, 'must point into this schema, like #/$defs/address')
    return []
  }
  const found = resolveReference(root, ref)
  if (!found) report(refPath, 'points to nothing in this schema', 'not_found')
  else if (open.has(found.schema)) report(refPath, 'creates a cycle')
  else return [found]
  return []
}

function patternCost({ schema, path }: Subschema, report: Report): number {
  const { pattern, patternProperties } = schema
  const sources: [Path, unknown][] = [
    ...(pattern === undefined ? [] : [[[...path, 'pattern'], pattern] as [Path, unknown]]),
    ...(isFields(patternProperties) ? Object.keys(patternProperties) : []).map((key): [Path, unknown] => [
      [...path, 'patternProperties', key],
      key,
    ]),
  ]
  return sources.reduce(
    (sum, [sourcePath, source]) => sum + patternSize(source, detail => report(sourcePath, detail, 'bad_pattern')),
    0,
  )
}

function patternSize(source: unknown, report: (detail: string) => void): number {
  // The metaschema reports a pattern that isn't text.
  if (typeof source !== 'string') return 0
  try {
    return linearPattern(source).size
  } catch (error) {
    report(error instanceof Error ? error.message : String(error))
    return 0
  }
}

function compileErrors(schema: Json): SchemaError[] {
  try {
    compileSchema(schema)
    return []
  } catch (error) {
    return [
      { path: [], code: 'invalid', detail: `does not compile: ${error instanceof Error ? error.message : error}` },
    ]
  }
}
