/** The values that only one row outside the trash can have. Pure. */
import { matchesCondition } from '../conditions/condition-match.ts'
import { type ResolvedCondition, resolveCondition } from '../conditions/resolved-condition.ts'
import type { Collection, Row, UniqueKey } from '../declarations/collection.ts'

/** Those of fields with `unique`, too. */
export const uniqueKeys = ({ fields, unique }: Collection): readonly UniqueKey[] => [
  ...[...fields.values()].filter(field => field.unique).map(({ name }) => ({ fields: [name], where: undefined })),
  ...unique,
]

const resolved = new WeakMap<UniqueKey, ResolvedCondition>()

/** The row that a row takes a place in; undefined if it takes none. */
export function placeOf(collection: Collection, values: Readonly<Record<string, unknown>>): string | undefined {
  const [id] = (collection.capacity && keyValues(collection, collection.capacity.key, values)) ?? []
  return id === undefined ? undefined : String(id)
}

/** The values of a key in a row; undefined if one is missing, or if the row doesn't match the condition of the key. */
export function keyValues(
  collection: Collection,
  key: UniqueKey,
  values: Readonly<Record<string, unknown>>,
): readonly unknown[] | undefined {
  const tuple = key.fields.map(name => values[name] ?? null)
  if (tuple.includes(null)) return undefined
  if (!key.where) return tuple
  const condition = resolved.get(key) ?? resolveCondition({ collections: new Map() }, collection, key.where)
  resolved.set(key, condition)
  // The condition reads values of the row only.
  return matchesCondition(condition, values as unknown as Row, () => []) ? tuple : undefined
}
