/** The cost of validating an entry: subschemas that validate one value, references included, plus steps of patterns. Pure. */
import { isRecord, WordedError, type Wording, wording } from '@larder-dev/larder/kernel'
import { linearPattern } from './patterns.ts'
import {
  appliedSubschemas,
  type Json,
  type Path,
  resolveReference,
  type Subschema,
  schemaDefinitions,
} from './schema-traversal.ts'

/** Takes an invalid reference or pattern. */
export type Report = (path: Path, detail: Wording, code?: string) => void

export function schemaCost(root: Json, report: Report = () => {}): number {
  const costs = new Map<Json, number>()

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
  return cost({ schema: root, path: [] }, new Set())
}

function referencedSchemas(
  root: Json,
  { schema, path }: Subschema,
  open: ReadonlySet<Json>,
  report: Report,
): Subschema[] {
  if (path.length > 0 && schema.$id !== undefined)
    report([...path, '$id'], wording('is only allowed at the root of the schema'))
  for (const keyword of ['$dynamicRef', '$recursiveRef'])
    if (schema[keyword] !== undefined) report([...path, keyword], wording('is not supported; use $ref'))
  const { $ref: ref } = schema
  if (ref === undefined) return []
  const refPath = [...path, '$ref']
  if (typeof ref !== 'string' || !ref.startsWith('#')) {
    report(refPath, wording('must point into this schema, like #/$defs/address'))
    return []
  }
  const found = resolveReference(root, ref)
  if (!found) report(refPath, wording('points to nothing in this schema'), 'not_found')
  else if (open.has(found.schema)) report(refPath, wording('creates a cycle'))
  else return [found]
  return []
}

function patternCost({ schema, path }: Subschema, report: Report): number {
  const { pattern, patternProperties } = schema
  const sources: [Path, unknown][] = [
    ...(pattern === undefined ? [] : [[[...path, 'pattern'], pattern] as [Path, unknown]]),
    ...(isRecord(patternProperties) ? Object.keys(patternProperties) : []).map((key): [Path, unknown] => [
      [...path, 'patternProperties', key],
      key,
    ]),
  ]
  return sources.reduce(
    (sum, [sourcePath, source]) => sum + patternSize(source, detail => report(sourcePath, detail, 'bad_pattern')),
    0,
  )
}

function patternSize(source: unknown, report: (detail: Wording) => void): number {
  // The metaschema reports a pattern that isn't text.
  if (typeof source !== 'string') return 0
  try {
    return linearPattern(source).size
  } catch (error) {
    if (!(error instanceof WordedError)) throw error
    report(error.wording)
    return 0
  }
}
