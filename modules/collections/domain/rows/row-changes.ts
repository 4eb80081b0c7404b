/** Changes of rows as one process publishes them and another shows them to its subscribers. Pure. */
import type { Collection, Row } from '../declarations/collection.ts'
import { withFormer, withFormerNames } from '../declarations/former-names.ts'
import { privateFields } from '../fields/field-lists.ts'
import type { Values } from './row-values.ts'

export const ROWS_TOPIC = 'collections.rows'

export interface RowChange {
  readonly collection: Collection
  readonly kind: 'created' | 'updated' | 'deleted'
  /** With private fields. The last version, of a deletion. */
  readonly row: Values
  /** The row before an update. */
  readonly before?: Row
  /** Names of changed fields, of an update. */
  readonly changed?: readonly string[]
}

/** The server keeps this to itself: it has fields that some subscribers may not read. */
export interface PublishedChange {
  readonly type: RowChange['kind']
  readonly collection: string
  readonly id: string
  readonly row: Row
  readonly changed?: readonly string[]
  /** Former values of the changed fields, `updatedAt` and `revision`, of an update. */
  readonly before?: Values
}

/** The values without those of private fields, under the former names, too. */
export function publicValues(collection: Collection, row: Values): Values {
  const { fields } = collection
  const shown =
    privateFields(collection).length === 0
      ? row
      : Object.fromEntries(Object.entries(row).filter(([name]) => fields.get(name)?.private !== true))
  return withFormerNames(collection, shown)
}

/** Private fields never leave the process. Conditions can't name them. */
export function publishedChange({ collection, kind, row, before, changed = [] }: RowChange): PublishedChange {
  const isShown = (name: string) => collection.fields.get(name)?.private !== true
  const shown = publicValues(collection, row) as Row
  const change = { type: kind, collection: collection.name, id: shown.id, row: shown }
  if (!before) return change
  return {
    ...change,
    changed: withFormer(collection, changed.filter(isShown)),
    before: formerValues(collection, before, row),
  }
}

/** The values before an update of public fields that differ since. */
export function formerValues(collection: Collection, before: Row, row: Values): Values {
  const isShown = (name: string) => collection.fields.get(name)?.private !== true
  const differing = Object.keys(row).filter(name => isShown(name) && !isSame(before[name], row[name]))
  return withFormerNames(collection, Object.fromEntries(differing.map(name => [name, before[name] ?? null])))
}

/** The row before and after the change; undefined where it didn't exist. */
export function versionsOf({ type, row, before }: PublishedChange): { readonly before?: Row; readonly after?: Row } {
  if (type === 'created') return { after: row }
  return type === 'deleted' ? { before: row } : { before: { ...row, ...before }, after: row }
}

export const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null)
