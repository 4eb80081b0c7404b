/**
 * Rows as JSON texts: their columns are compiled once for all callers with the same rights. Which rows a statement reads is
 * decided for each request.
 */
import { hash } from 'node:crypto'
import type { Caller } from '@larder-dev/larder/kernel'
import type { Collection, Collections } from '../domain/declarations/collection.ts'
import type { ListParameters } from '../domain/queries/list-query.ts'
import { parseSelection, type Selection } from '../domain/queries/selection.ts'
import { rowTextSql, type TextSelection } from '../domain/queries/selection-sql.ts'
import { rightsText, type View } from '../domain/rights/view.ts'

type SelectionParameters = Pick<ListParameters, 'fields' | 'expand'>

/** Throws `malformed` for fields that are unknown or that the caller can't read. */
export type SelectTexts = (view: View, collection: Collection, query: SelectionParameters) => TextSelection

const MAX_COMPILED = 500

/** What a caller can read of a collection. */
interface ReadRights {
  /** See `readRights`. */
  readonly held: string | null
  /** The selection without `fields` and `expand`, once it is compiled. */
  everything?: TextSelection
}

export function createTextSelections(): SelectTexts {
  const compiled = new Map<string, TextSelection>()
  /** By the name of the collection. */
  const rightsOf = new WeakMap<Caller, Map<string, ReadRights>>()

  function compile(view: View, collection: Collection, query: SelectionParameters): TextSelection {
    const selection = parseSelection(view, collection, query)
    const context = view.sqlContext()
    const { values } = context.parameters
    return { selection, sql: rowTextSql(context, selection, 'r'), values, hasJson: hasJson(selection) }
  }

  function rights(view: View, caller: Caller, collection: Collection): ReadRights {
    // Rights depend on the workspace of the rows, too.
    if (caller.tenantId !== view.tenantId) return { held: readRights(view, collection) }
    const known = rightsOf.get(caller) ?? new Map<string, ReadRights>()
    const found = known.get(collection.name)
    if (found) return found
    const read = { held: readRights(view, collection) }
    rightsOf.set(caller, known.set(collection.name, read))
    return read
  }

  function shared(view: View, collection: Collection, held: string, query: SelectionParameters): TextSelection {
    const key = JSON.stringify([held, query.fields, query.expand])
    const found = compiled.get(key)
    if (found) return found
    const made = compile(view, collection, query)
    if (compiled.size >= MAX_COMPILED) compiled.clear()
    compiled.set(key, made)
    return made
  }

  return (view, collection, query) => {
    const known = view.caller && rights(view, view.caller, collection)
    if (!known || known.held === null) return compile(view, collection, query)
    if (query.fields !== undefined || query.expand !== undefined) return shared(view, collection, known.held, query)
    known.everything ??= shared(view, collection, known.held, query)
    return known.everything
  }
}

/** PostgreSQL separates the values of a JSON field by spaces. Replies to writes don't, and have the same entity tag. */
const hasJson = ({ targets }: Selection): boolean =>
  targets.some(target => target.kind === 'field' && target.field.type === 'json')

/**
 * What decides the columns: the rights in the collection, and in those that its references lead to. Null if the caller
 * can't read all rows there: then the SQL has values of the caller.
 */
function readRights(view: View, collection: Collection): string | null {
  const targets = referencedCollections(view.collections, collection)
  if (targets.some(target => view.rows(target, 'read') !== 'all')) return null
  return hash('sha256', rightsText(view, [collection, ...targets]), 'base64')
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
