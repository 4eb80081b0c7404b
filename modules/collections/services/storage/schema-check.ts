/** Makes a process not ready whose recipe the tables don't serve, for example after a later recipe was applied. */
import type { Check, Deps } from '@larder-dev/larder/kernel'
import { misfits } from '../../domain/changes/fit.ts'
import type { Collections } from '../../domain/declarations/collection.ts'
import { layoutOf } from '../../domain/tables/layout.ts'
import { readState } from './schema-store.ts'

const VERSION = `select md5(concat(
    (select string_agg(layout::text, ' ' order by name) from collections_schema),
    (select string_agg(expansion::text, ' ' order by collection, field, kind) from collections_expansions where complete)
  )) as version`

type CheckDeps = Deps<'systemDatabase'> & { readonly collectionMap: Collections }

export function createSchemaChecks({ systemDatabase, collectionMap: collections }: CheckDeps): Check[] {
  const own = [...collections.values()].map(collection => layoutOf(collection, collections))
  let last: { readonly version: string; readonly reasons: readonly string[] } | undefined
  return [
    {
      name: 'schema',
      async run() {
        const unit = systemDatabase.acrossTenants('the tables of collections belong to no tenant')
        const [row] = (await unit.query<{ version: string }>(VERSION)).rows
        const version = row?.version ?? ''
        // The layouts are read again only after a change.
        if (last?.version !== version)
          last = { version, reasons: misfits(own, await readState((sql, values) => unit.query(sql, values))) }
        if (last.reasons.length > 0) throw new Error(`the tables serve another recipe: ${last.reasons.join('; ')}`)
      },
    },
  ]
}
