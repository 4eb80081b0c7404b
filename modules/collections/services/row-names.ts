/** Names of rows by their IDs, for those whom the access rules let read them. */
import type { Registrations } from '@larder-dev/larder/kernel'
import type { Collection } from '../domain/declarations/collection.ts'
import { rowLabel } from '../domain/fields/field-lists.ts'
import type { RowReader } from './row-reader.ts'
import type { ViewOf } from './views.ts'

type NameFinder = Extract<Registrations['names'][number]['names'], (...given: never[]) => unknown>

export const createRowNames = (
  { reader, view }: { readonly reader: RowReader; readonly view: ViewOf },
  collection: Collection,
): NameFinder => {
  const label = rowLabel(collection)
  return async (ids, caller, tenantId) => {
    const seen = await view(caller, tenantId, collection)
    const rows = await reader.find(seen, collection, ids)
    return [...rows].map(([id, { [label]: name }]) => ({
      id,
      name: typeof name === 'string' && label !== 'id' ? name : null,
      hidesAuthor: !seen.allows(collection, 'createdBy'),
    }))
  }
}
