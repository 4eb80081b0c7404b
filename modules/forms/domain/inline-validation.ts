/** Decides which entries are validated on the main thread, within about a millisecond. Pure. */
import { KIB } from '@larder-dev/larder/kernel'
import { countValues } from './entry.ts'
import { schemaCost } from './schema-cost.ts'
import type { Json } from './schema-traversal.ts'

/** Characters of JSON. */
const MAX_SCHEMA_LENGTH = 8 * KIB
const MAX_ENTRY_LENGTH = 16 * KIB
/** Subschemas times values. */
const MAX_STEPS = 2000
/** Patterns take many steps per character, and the expression of the format `url` takes quadratic time. */
const COSTLY_KEYWORDS = /"(?:pattern|patternProperties)":|"format":"url"/

/** The cost of one value; infinite for a schema that the main thread must neither compile nor evaluate. */
export function inlineCost(schema: Json): number {
  const text = JSON.stringify(schema)
  return text.length > MAX_SCHEMA_LENGTH || COSTLY_KEYWORDS.test(text) ? Number.POSITIVE_INFINITY : schemaCost(schema)
}

export const isInline = (cost: number, entry: unknown): boolean =>
  cost * (1 + countValues(entry, MAX_STEPS)) <= MAX_STEPS && (JSON.stringify(entry)?.length ?? 0) <= MAX_ENTRY_LENGTH
