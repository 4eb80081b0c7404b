/** Rows as JSON texts: their columns are compiled once for all callers with the same rights. */
import type { Caller } from 'larder/kernel'
import type { Collection, Collections } from '../domain/collection.ts'
import type { ListParameters } from '../domain/list-query.ts'
import { parseSelection } from '../domain/selection.ts'
import { rowTextSql, type TextSelection } from '../domain/selection-sql.ts'
import type { View } from '../domain/view.ts'

type SelectionParameters = Pick<ListParameters, 'fields' | 'expand'>

/** Throws `malformed` for fields that are unknown or that the caller can't read. */
export type SelectTexts = (view: View, collection: Collection, query: SelectionParameters) => TextSelection

const MAX_COMPILED = 500

export function createTextSelections(): SelectTexts {
  const compiled = new Map<string, TextSelection>()
  /** By the name of the collection. */
  const rightsOf = new WeakMap<Caller, Map<string, string | null>>()

  function compile(
    view: View,
    collection: Collection,
    query: SelectionParameters,
    readsAllRows: boolean,
  ): TextSelection {
    const selection = parseSelection(view, collection, query)
    const context = view.sqlContext()
    return { selection, sql: rowTextSql(context, selection, 'r'), values: context.parameters.values, readsAllRows }
  }

  function rights(view: View, caller: Caller, collection: Collection): string | null {
    const known = rightsOf.get(caller) ?? new Map<string, string | null>()
    const found = known.get(collection.name)
    if (found !== undefined) return found
    const read = readRights(view, collection)
    rightsOf.set(caller, known.set(collection.name, read))
    return read
  }

  return (view, collection, query) => {
    const held = view.caller ? rights(view, view.caller, collection) : null
    if (held === null) return compile(view, collection, query, false)
    const key = JSON.stringify([collection.name, held, query.fields, query.expand])
    const found = compiled.get(key)
    if (found) return found
    const made = compile(view, collection, query, true)
    if (compiled.size >= MAX_COMPILED) compiled.clear()
    compiled.set(key, made)
    return made
  }
}

/**
 * The fields for some roles that the caller can read, in the collection and in those that its references lead to. Null if
 * the caller can't read all rows there: then the SQL depends on more than rights.
 */
function readRights(view: View, collection: Collection): string | null {
  const targets = referencedCollections(view.collections, collection)
  if (targets.some(target => view.rows(target, 'read') !== 'all')) return null
  const fieldsOf = (each: Collection) =>
    [...each.fields.values()]
      .filter(field => field.readRoles && view.allows(each, field))
      .map(({ name }) => `${each.name}.${name}`)
  return [collection, ...targets].flatMap(fieldsOf).join(' ')
}

/** The collections that references lead to, in any number of steps. */
function referencedCollections(collections: Collections, collection: Collection): Collection[] {
  const found = new Set<Collection>()
  const add = ({ fields }: Collection) => {
    for (const { reference } of fields.values()) {
      const target = reference && collections.get(reference.to)
      if (!target || found.has(target)) continue
      found.add(target)
      add(target)
    }
  }
  add(collection)
  return [...found]
}
