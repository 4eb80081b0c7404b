/** Which fields of which rows a query returns: `fields` and `expand`. Pure. */
import { wording } from '@larder-dev/larder/kernel'
import { withSuggestion } from '@larder-dev/larder/kernel/internal'
import { findTarget, SYSTEM_TARGETS, type Target, unknownName } from '../conditions/resolved-condition.ts'
import { type Collection, SYSTEM_FIELDS } from '../declarations/collection.ts'
import { formerNames } from '../declarations/former-names.ts'
import type { View } from '../rights/view.ts'
import { badParameter } from './parameter-errors.ts'

/** Fields of the rows of a collection, by name. */
export interface Selection {
  readonly collection: Collection
  readonly targets: readonly Target[]
  /** Name of a reference → the fields of its rows, instead of their IDs. */
  readonly expansions: ReadonlyMap<string, Selection>
  /** 1 for the rows of the list, 2 for those of its expansions. */
  readonly depth: number
}

const MAX_EXPANSION_DEPTH = 3
const MAX_EXPANSIONS = 20
/** Rows of an expanded reference to many rows, by the depth of the row that refers to them. */
const MAX_EXPANDED_ROWS = [100, 10, 5] as const
/** Rows that the expansions of one response could contain. */
const MAX_EXPANDED_TOTAL = 100_000

/** The number of rows that an expansion contains. */
export const expansionLimit = ({ depth }: Selection): number => MAX_EXPANDED_ROWS[depth - 1] ?? 0

/** The number of rows that the expansions of one row could contain. */
function expandedRows(selection: Selection): number {
  let rows = 0
  for (const target of selection.targets) {
    const expansion = target.kind === 'field' && selection.expansions.get(nameOf(target))
    if (!expansion) continue
    const found = target.field.reference?.many ? expansionLimit(selection) : 1
    rows += found * (1 + expandedRows(expansion))
  }
  return rows
}

/** The number of rows whose expansions fit into one response. */
export const expandableRows = (selection: Selection): number =>
  Math.floor(MAX_EXPANDED_TOTAL / Math.max(1, expandedRows(selection)))

/** Throws `malformed`. @param limit rows of a page. */
export function assertExpandable(selection: Selection, limit: number): void {
  const most = expandableRows(selection)
  if (limit <= most) return
  const text =
    most > 0 ? wording('allows a limit of at most {most} rows', { most }) : wording('could contain too many rows')
  throw badParameter('expand', 'too_many', text)
}

/** Throws `malformed` for fields that are unknown or that the caller can't read. */
export function parseSelection(
  view: View,
  collection: Collection,
  { fields, expand }: { readonly fields?: string | undefined; readonly expand?: string | undefined },
): Selection {
  const paths = expand === undefined ? [] : listOf(expand)
  if (paths.length > MAX_EXPANSIONS)
    throw badParameter('expand', 'too_many', wording('has more than {limit} entries', { limit: MAX_EXPANSIONS }))
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
      throw badParameter('fields', 'unknown_field', unknownName(view, collection, name))
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
export const nameOf = (target: Target): string =>
  target.kind === 'system' ? target.name : (target.former ?? target.field.name)

const SYSTEM = SYSTEM_FIELDS.map(name => SYSTEM_TARGETS[name])

/** All fields that the caller can read. */
export const everything = (view: View, collection: Collection): Selection => select(view, collection, [], 1)

function select(view: View, collection: Collection, paths: readonly (readonly string[])[], depth: number): Selection {
  const own = [...collection.fields.values()].filter(field => view.allows(collection, field))
  const system = SYSTEM_FIELDS.filter(name => view.allows(collection, name)).map(name => SYSTEM_TARGETS[name])
  const former = [...formerNames(collection)].flatMap(([name, field]) => (view.allows(collection, field) ? [name] : []))
  const names = [...own.map(({ name }) => name), ...former]
  const targets = [...system, ...names.map(name => findTarget(view, collection, name) as Target)]
  const references = own.flatMap(({ name, reference }) => (reference ? [name] : []))
  const expansions = new Map<string, Selection>()
  for (const name of new Set(paths.map(([first = '']) => first))) {
    const target = targets.find(found => nameOf(found) === name)
    const reference = target?.kind === 'field' ? target.field.reference : undefined
    const other = reference && view.collections.get(reference.to)
    if (!other)
      throw badParameter(
        'expand',
        'unknown_field',
        withSuggestion(wording('names no reference: {name}', { name }), name, references),
      )
    if (depth > MAX_EXPANSION_DEPTH)
      throw badParameter('expand', 'too_deep', wording('is deeper than {limit} levels', { limit: MAX_EXPANSION_DEPTH }))
    const below = paths.filter(([first, second]) => first === name && second !== undefined).map(([, ...rest]) => rest)
    expansions.set(name, select(view, other, below, depth + 1))
  }
  return { collection, targets, expansions, depth }
}

const complete = new WeakMap<Collection, Selection>()

/** All fields, private ones included. */
export function everyField(collection: Collection): Selection {
  const known = complete.get(collection)
  if (known) return known
  const targets = [...collection.fields.keys()].map(name => findTarget({}, collection, name) as Target)
  const made = { collection, targets: [...SYSTEM, ...targets], expansions: new Map(), depth: 1 }
  complete.set(collection, made)
  return made
}
