/** The data that the module keeps about a person, for the export of their account. */
import type { Deps, Registrations } from '@larder-dev/larder/kernel'
import type { Collections } from '../domain/declarations/collection.ts'
import { permissionOf } from '../domain/rights/access.ts'
import type { RowReader } from './row-reader.ts'
import type { ViewOf } from './views.ts'

type PersonalDataDeps = Deps<'database' | 'operator'> & {
  readonly collectionMap: Collections
  readonly reader: RowReader
  readonly view: ViewOf
}

/** The rows that the person created and may read. Those of shared collections are in the operator's tenant. */
export const personalData =
  ({ database, operator, collectionMap: collections, reader, view }: PersonalDataDeps): Registrations['personalData'] =>
  async ({ tenantId, userId, caller, limit, maxBytes }) => {
    const rows: object[] = []
    let bytes = 0
    for (const collection of collections.values()) {
      if (!caller?.can(permissionOf(collection, 'read'))) continue
      if (collection.scope === 'shared' && tenantId !== operator.tenantId) continue
      const query = { 'filter[createdBy][eq]': userId }
      for await (const page of await reader.stream(await view(caller, tenantId, collection), collection, query)) {
        for (const row of page) {
          bytes += Buffer.byteLength(JSON.stringify(row))
          if (bytes <= maxBytes) rows.push({ collection: collection.name, ...row })
        }
        if (rows.length >= limit || bytes > maxBytes) break
      }
    }
    const transfers = await database.tenant(tenantId).query<object>(
      `select id, 'import' as kind, collection, state, created_at as "createdAt" from collections_imports
       where created_by = $1
       union all
       select id, 'export', collection, state, created_at from collections_exports where created_by = $1
       order by "createdAt" desc limit $2`,
      [userId, limit],
    )
    return { rows: rows.slice(0, limit), transfers: transfers.rows }
  }

/** Files with rows that the person exported. Rows, and lists of imports, keep only the ID of the account. */
export const erasePersonalData =
  ({ database }: Deps<'database'>): Registrations['erasePersonalData'] =>
  async ({ tenantId, userId }) => {
    await database.tenant(tenantId).query('delete from collections_exports where created_by = $1', [userId])
  }
