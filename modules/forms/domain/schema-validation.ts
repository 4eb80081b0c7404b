/** What a form's schema may be: true JSON Schema, within bounds that keep one form from costing all others. Pure. */
import { isFields, KIB } from 'larder/kernel'
import { linearPattern } from './patterns.ts'
import { surelyCompiles } from './quick-schema-check.ts'
import { compileSchema, dialectOf, metaFaults } from './schema-compiler.ts'
import { childrenOf, definitionsOf, type Json, type Part, type Path, resolve } from './schema-traversal.ts'

export const SCHEMA_BYTES = 64 * KIB
export const SCHEMA_DEPTH = 20
/** Schemas that one value can be held against, references followed, and steps of patterns. */
const COST = 5000

export interface Fault {
  readonly path: Path
  readonly code: string
  /** The end of a sentence that begins with the place. */
  readonly detail: string
}

/** Everything that is wrong with a schema. What passes compiles. */
export function schemaFaults(schema: unknown): Fault[] {
  const shape = [...boundFaults(schema), ...rootFaults(schema)]
  if (shape.length > 0 || !isFields(schema)) return shape
  const parts = partFaults(schema)
  if (parts.length > 0 || surelyCompiles(schema)) return parts
  const meta = metaFaults(schema)
  return meta.length > 0 ? meta : compileFaults(schema)
}

/** Size and depth, of a schema or of a uiSchema. */
export function boundFaults(value: unknown): Fault[] {
  const bytes = Buffer.byteLength(JSON.stringify(value) ?? '')
  if (bytes > SCHEMA_BYTES)
    return [{ path: [], code: 'too_long', detail: `is ${bytes} bytes of JSON; ${SCHEMA_BYTES} are taken` }]
  return deeperThan(value, SCHEMA_DEPTH)
    ? [{ path: [], code: 'too_deep', detail: `is nested deeper than ${SCHEMA_DEPTH} levels` }]
    : []
}

const deeperThan = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some(inner => deeperThan(inner, levels - 1)))

function rootFaults(schema: unknown): Fault[] {
  if (!isFields(schema)) return [{ path: [], code: 'wrong_type', detail: 'must be a JSON Schema of an object' }]
  const faults: Fault[] = []
  if (schema.type !== undefined && schema.type !== 'object')
    faults.push({ path: ['type'], code: 'not_allowed', detail: 'must be object: an entry is an object of fields' })
  if (dialectOf(schema) === undefined)
    faults.push({ path: ['$schema'], code: 'not_allowed', detail: 'must be JSON Schema 2020-12 or draft-07' })
  return faults
}

/** References and patterns, and what all of it costs. */
function partFaults(root: Json): Fault[] {
  const faults: Fault[] = []
  const costs = new Map<Json, number>()
  const say = (path: Path, detail: string, code = 'not_allowed') => void faults.push({ path, code, detail })

  function cost(part: Part, open: ReadonlySet<Json>): number {
    const known = costs.get(part.schema)
    if (known !== undefined) return known
    const inside = new Set(open).add(part.schema)
    const own = 1 + patternCost(part, say)
    const parts = [...childrenOf(part), ...referred(root, part, inside, say)]
    const total = parts.reduce((sum, inner) => sum + cost(inner, inside), own)
    costs.set(part.schema, total)
    for (const definition of definitionsOf(part)) cost(definition, inside)
    return total
  }
  const total = cost({ schema: root, path: [] }, new Set())
  if (total > COST && faults.length === 0)
    say([], `holds a value against too much: ${COST} schemas and steps of patterns are the most`, 'too_costly')
  return faults
}

type Say = (path: Path, detail: string, code?: string) => void

function referred(root: Json, { schema, path }: Part, open: ReadonlySet<Json>, say: Say): Part[] {
  if (path.length > 0 && schema.$id !== undefined) say([...path, '$id'], 'is only known at the top of a form’s schema')
  for (const keyword of ['$dynamicRef', '$recursiveRef'])
    if (schema[keyword] !== undefined) say([...path, keyword], 'is not known here: write $ref')
  const { $ref: ref } = schema
  if (ref === undefined) return []
  const place = [...path, '$ref']
  if (typeof ref !== 'string' || !ref.startsWith('#')) {
    say(place, 'must name a part of this schema, like #/$defs/address: nothing is fetched')
    return []
  }
  const found = resolve(root, ref)
  if (!found) say(place, 'names nothing in this schema', 'not_found')
  else if (open.has(found.schema)) say(place, 'leads round in a circle: a form cannot contain itself')
  else return [found]
  return []
}

function patternCost({ schema, path }: Part, say: Say): number {
  const { pattern, patternProperties } = schema
  const sources: [Path, unknown][] = [
    ...(pattern === undefined ? [] : [[[...path, 'pattern'], pattern] as [Path, unknown]]),
    ...(isFields(patternProperties) ? Object.keys(patternProperties) : []).map((key): [Path, unknown] => [
      [...path, 'patternProperties', key],
      key,
    ]),
  ]
  return sources.reduce((sum, [place, source]) => sum + sizeOf(source, detail => say(place, detail, 'bad_pattern')), 0)
}

function sizeOf(source: unknown, say: (detail: string) => void): number {
  // What is no text the meta-schema tells.
  if (typeof source !== 'string') return 0
  try {
    return linearPattern(source).size
  } catch (error) {
    say(error instanceof Error ? error.message : String(error))
    return 0
  }
}

function compileFaults(schema: Json): Fault[] {
  try {
    compileSchema(schema)
    return []
  } catch (error) {
    return [
      { path: [], code: 'invalid', detail: `does not compile: ${error instanceof Error ? error.message : error}` },
    ]
  }
}
