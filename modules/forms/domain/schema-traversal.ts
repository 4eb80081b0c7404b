/** Where a JSON Schema has schemas inside it, and what its references name. Pure. */

import { escapePointer, isFields } from 'larder/kernel'
export type Json = Readonly<Record<string, unknown>>
export type Path = readonly (string | number)[]
/** A schema within a schema, and the way to it. */
export interface Part {
  readonly schema: Json
  readonly path: Path
}

const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items']
const MAPS = ['properties', 'patternProperties', 'dependentSchemas', 'dependencies']
const SINGLE = [
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
const DEFINITIONS = ['$defs', 'definitions']

/** Every schema that this one applies, without what it refers to. */
export function childrenOf({ schema, path }: Part): Part[] {
  const single = SINGLE.map((keyword): Maybe => ({ schema: schema[keyword], path: [...path, keyword] }))
  const lists = LISTS.flatMap(keyword => entriesOf(schema, path, keyword, Array.isArray))
  const maps = MAPS.flatMap(keyword => entriesOf(schema, path, keyword, isFields))
  return [...single, ...lists, ...maps].filter(isPart)
}

/** What stands there to be referred to. */
export const definitionsOf = ({ schema, path }: Part): Part[] =>
  DEFINITIONS.flatMap(keyword => entriesOf(schema, path, keyword, isFields)).filter(isPart)

type Maybe = { readonly schema: unknown; readonly path: Path }
const isPart = (found: Maybe): found is Part => isFields(found.schema)

function entriesOf(schema: Json, path: Path, keyword: string, fits: (value: unknown) => boolean): Maybe[] {
  const value = schema[keyword]
  if (!fits(value)) return []
  return Object.entries(value as object).map(([key, inner]) => ({
    schema: inner,
    path: [...path, keyword, Array.isArray(value) ? Number(key) : key],
  }))
}

/** The schema that `#`, `#/pointer` or `#anchor` names; undefined where there is none. */
export function resolve(root: Json, ref: string): Part | undefined {
  if (ref === '#') return { schema: root, path: [] }
  if (!ref.startsWith('#/')) return findAnchor({ schema: root, path: [] }, ref.slice(1))
  const path = tokensOf(ref)
  let found: unknown = root
  for (const token of path ?? []) found = Object.hasOwn(Object(found), token) ? (found as Json)[token] : undefined
  return path && isFields(found) ? { schema: found, path } : undefined
}

/** undefined on an escape that is not UTF-8. */
function tokensOf(ref: string): string[] | undefined {
  const tokens = ref.slice(2).split('/')
  try {
    return tokens.map(token => decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~'))
  } catch {
    return undefined
  }
}

function findAnchor(part: Part, name: string): Part | undefined {
  if (part.schema.$anchor === name) return part
  for (const inner of [...childrenOf(part), ...definitionsOf(part)]) {
    const found = findAnchor(inner, name)
    if (found) return found
  }
  return undefined
}

/** RFC 6901. */
export const pointerOf = (path: Path): string => path.map(part => `/${escapePointer(String(part))}`).join('')
