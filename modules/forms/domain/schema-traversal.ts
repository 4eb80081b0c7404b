/** Finds the schemas inside a JSON Schema and resolves its references. Pure. */
import { isRecord } from '@larder-dev/larder/kernel'
import { escapePointer } from '@larder-dev/larder/kernel/internal'

export type Json = Readonly<Record<string, unknown>>
export type Path = readonly (string | number)[]
/** A schema within a schema, and its path. */
export interface Subschema {
  readonly schema: Json
  readonly path: Path
}

const LIST_KEYWORDS = ['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items']
const MAP_KEYWORDS = ['properties', 'patternProperties', 'dependentSchemas', 'dependencies']
const SCHEMA_KEYWORDS = [
  'not',
  'if',
  'then',
  'else',
  'items',
  'additionalItems',
  'unevaluatedItems',
  'contains',
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
]
const DEFINITION_KEYWORDS = ['$defs', 'definitions']

/** The subschemas that a schema applies, without those that it references. */
export function appliedSubschemas({ schema, path }: Subschema): Subschema[] {
  const single = SCHEMA_KEYWORDS.map((keyword): Candidate => ({ schema: schema[keyword], path: [...path, keyword] }))
  const lists = LIST_KEYWORDS.flatMap(keyword => entriesOf(schema, path, keyword, Array.isArray))
  const maps = MAP_KEYWORDS.flatMap(keyword => entriesOf(schema, path, keyword, isRecord))
  return [...single, ...lists, ...maps].filter(isSubschema)
}

/** The definitions of a schema, which only references apply. */
export const schemaDefinitions = ({ schema, path }: Subschema): Subschema[] =>
  DEFINITION_KEYWORDS.flatMap(keyword => entriesOf(schema, path, keyword, isRecord)).filter(isSubschema)

/** A schema with all schemas inside it, references not followed. */
export const allSubschemas = (part: Subschema): Subschema[] => [
  part,
  ...[...appliedSubschemas(part), ...schemaDefinitions(part)].flatMap(allSubschemas),
]

type Candidate = { readonly schema: unknown; readonly path: Path }
const isSubschema = (found: Candidate): found is Subschema => isRecord(found.schema)

function entriesOf(schema: Json, path: Path, keyword: string, hasType: (value: unknown) => boolean): Candidate[] {
  const value = schema[keyword]
  if (!hasType(value)) return []
  return Object.entries(value as object).map(([key, inner]) => ({
    schema: inner,
    path: [...path, keyword, Array.isArray(value) ? Number(key) : key],
  }))
}

/** The schema that `#`, `#/pointer` or `#anchor` names, or undefined. */
export function resolveReference(root: Json, ref: string): Subschema | undefined {
  if (ref === '#') return { schema: root, path: [] }
  if (!ref.startsWith('#/')) return findAnchor({ schema: root, path: [] }, ref.slice(1))
  const path = tokensOf(ref)
  let found: unknown = root
  for (const token of path ?? []) found = Object.hasOwn(Object(found), token) ? (found as Json)[token] : undefined
  return path && isRecord(found) ? { schema: found, path } : undefined
}

/** Undefined for an escape that isn't UTF-8. */
function tokensOf(ref: string): string[] | undefined {
  const tokens = ref.slice(2).split('/')
  try {
    return tokens.map(token => decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~'))
  } catch {
    return undefined
  }
}

function findAnchor(parent: Subschema, name: string): Subschema | undefined {
  if (parent.schema.$anchor === name) return parent
  for (const inner of [...appliedSubschemas(parent), ...schemaDefinitions(parent)]) {
    const found = findAnchor(inner, name)
    if (found) return found
  }
  return undefined
}

/** RFC 6901. */
export const toPointer = (path: Path): string => path.map(part => `/${escapePointer(String(part))}`).join('')
