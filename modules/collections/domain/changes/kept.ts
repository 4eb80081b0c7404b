/**
 * Collections and fields that a start keeps although the recipe no longer has them, because processes of another recipe
 * may use them during a deployment or a rollback. Only `larder recipe apply` removes them. Pure.
 */

import type { CollectionLayout, FieldLayout } from '../tables/layout.ts'
import { defaultSql } from '../tables/table-sql.ts'
import type { StoredExpansion } from './expansion.ts'
import { isKeptIn } from './layout-changes.ts'
import type { SchemaState } from './schema-changes.ts'
import type { WantedCollection } from './schema-plan.ts'

export interface Kept {
  readonly wanted: readonly WantedCollection[]
  /** `collection courses`, `field courses.title`. */
  readonly subjects: readonly string[]
}

/** Adds the collections and fields of the tables that the recipe doesn't have. */
export function keepRemoved({ layouts, expansions }: SchemaState, wanted: readonly WantedCollection[]): Kept {
  const subjects: string[] = []
  const merged = wanted.map(collection => {
    const before = layouts.find(({ name }) => name === collection.layout.name)
    if (!before || before.scope !== collection.layout.scope) return collection
    const renames = expansions.filter(({ collection, names }) => collection === before.name && names !== null)
    const kept = keptFields(before, collection, renames)
    subjects.push(...kept.map(({ name }) => `field ${before.name}.${name}`))
    const { layout } = collection
    return {
      ...collection,
      layout: {
        ...layout,
        fields: [...layout.fields, ...kept.map(field => relaxed(field, before, expansions))],
        ...(layout.search.length === 0 && isStored(before.search, kept, layout) && searchOf(before)),
      },
      fieldWas: new Map([...collection.fieldWas, ...formerNames(renames, kept)]),
      fieldUsing: new Map([...collection.fieldUsing, ...sources(expansions, before, kept)]),
    }
  })
  const gone = layouts.filter(({ name }) => !wanted.some(({ layout, was }) => layout.name === name || was === name))
  subjects.push(...gone.map(({ name }) => `collection ${name}`))
  const keptCollections = gone.map((layout): WantedCollection => {
    const renames = expansions.filter(({ collection, names }) => collection === layout.name && names !== null)
    return {
      layout,
      was: undefined,
      fieldWas: formerNames(renames, layout.fields),
      fieldUsing: new Map(sources(expansions, layout, layout.fields)),
      fieldDefaults: new Map(),
    }
  })
  return { wanted: [...merged, ...keptCollections], subjects }
}

function keptFields(
  before: CollectionLayout,
  { layout, fieldWas }: WantedCollection,
  renames: readonly StoredExpansion[],
): FieldLayout[] {
  const has = (name: string) => layout.fields.some(field => field.name === name)
  const renamed = new Set(fieldWas.values())
  const isServed = (name: string) =>
    renames.some(
      ({ names }) =>
        (names?.kept.name === name && has(names.copy.name)) || (names?.copy.name === name && has(names.kept.name)),
    )
  // A computed column would read one that has another type.
  const isStale = before.fields.some(field => has(field.name) && field.expression === null && !isKeptIn(field, layout))
  return before.fields.filter(
    ({ name, expression }) => !has(name) && !renamed.has(name) && !isServed(name) && (expression === null || !isStale),
  )
}

/** Rows are created without the field. */
const relaxed = (
  field: FieldLayout,
  collection: CollectionLayout,
  expansions: readonly StoredExpansion[],
): FieldLayout =>
  field.sequence !== undefined || defaultSql(field) !== undefined || sources(expansions, collection, [field]).length > 0
    ? field
    : { ...field, required: false }

const formerNames = (renames: readonly StoredExpansion[], kept: readonly FieldLayout[]): Map<string, string> =>
  new Map(
    renames.flatMap(({ names }) =>
      names && kept.some(({ name }) => name === names.copy.name) ? [[names.copy.name, names.kept.name] as const] : [],
    ),
  )

const sources = (expansions: readonly StoredExpansion[], { name }: CollectionLayout, kept: readonly FieldLayout[]) =>
  expansions.flatMap(({ collection, kind, field, source }) =>
    collection === name && kind === 'value' && source !== null && kept.some(other => other.name === field)
      ? [[field, source] as const]
      : [],
  )

const isStored = (search: readonly string[], kept: readonly FieldLayout[], { fields }: CollectionLayout): boolean =>
  search.length > 0 && search.every(name => [...fields, ...kept].some(field => field.name === name))

const searchOf = ({ search, searchVersion }: CollectionLayout) => ({
  search,
  ...(searchVersion !== undefined && { searchVersion }),
})
