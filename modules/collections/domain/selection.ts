/** Which fields of which rows a query returns: `fields` and `expand`. Pure. */
import { type Collection, SYSTEM_FIELDS } from './collection.ts'
import { badParameter } from './parameter-errors.ts'
import { findTarget, SYSTEM_TARGETS, type Target } from './resolved-condition.ts'
import type { View } from './view.ts'

/** Fields of the rows of a collection, by name. */
export interface Selection {
  readonly collection: Collection
  readonly targets: readonly Target[]
  /** Name of a reference → the fields of its rows, instead of their IDs. */
  readonly expansions: ReadonlyMap<string, Selection>
}

const MAX_EXPANSION_DEPTH = 3
const MAX_EXPANSIONS = 20

/** Throws `malformed` for fields that are unknown or that the caller can't read. */
export function parseSelection(
  view: View,
  collection: Collection,
  { fields, expand }: { readonly fields?: string | undefined; readonly expand?: string | undefined },
): Selection {
  const paths = expand === undefined ? [] : listOf(expand)
  if (paths.length > MAX_EXPANSIONS) throw badParameter('expand', 'too_many', `has more than ${MAX_EXPANSIONS} entries`)
  const selection = select(
    view,
    collection,
    paths.map(path => path.split('.')),
    1,
  )
  if (fields === undefined) return selection
  const wanted = listOf(fields)
  for (const name of wanted)
    if (!findTarget(view, collection, name))
      throw badParameter('fields', 'unknown_field', `names an unknown field: ${name}`)
  const shown = selection.targets.filter(target => {
    const name = nameOf(target)
    return name === 'id' || wanted.includes(name) || selection.expansions.has(name)
  })
  return { ...selection, targets: shown }
}

export const listOf = (text: string): string[] =>
  text
    .split(',')
    .map(part => part.trim())
    .filter(Boolean)
export const nameOf = (target: Target): string => (target.kind === 'system' ? target.name : target.field.name)

const SYSTEM = SYSTEM_FIELDS.map(name => SYSTEM_TARGETS[name])

/** All fields that the caller can read. */
export const everything = (view: View, collection: Collection): Selection => select(view, collection, [], 1)

function select(view: View, collection: Collection, paths: readonly (readonly string[])[], depth: number): Selection {
  const own = [...collection.fields.values()].filter(field => view.allows(collection, field))
  const targets = [...SYSTEM, ...own.map(field => findTarget(view, collection, field.name) as Target)]
  const expansions = new Map<string, Selection>()
  for (const name of new Set(paths.map(([first = '']) => first))) {
    const target = targets.find(found => nameOf(found) === name)
    const reference = target?.kind === 'field' ? target.field.reference : undefined
    const other = reference && view.collections.get(reference.to)
    if (!other) throw badParameter('expand', 'unknown_field', `names no reference: ${name}`)
    if (depth > MAX_EXPANSION_DEPTH)
      throw badParameter('expand', 'too_deep', `is deeper than ${MAX_EXPANSION_DEPTH} levels`)
    const below = paths.filter(([first, second]) => first === name && second !== undefined).map(([, ...rest]) => rest)
    expansions.set(name, select(view, other, below, depth + 1))
  }
  return { collection, targets, expansions }
}

/** All fields, private ones included. */
export const everyField = (collection: Collection): Selection => ({
  collection,
  targets: [...SYSTEM, ...[...collection.fields.keys()].map(name => findTarget({}, collection, name) as Target)],
  expansions: new Map(),
})
