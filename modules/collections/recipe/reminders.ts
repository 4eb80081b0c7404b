import type { Deps } from '@larder-dev/larder/kernel'
import type { StoredExpansion } from '../domain/changes/expansion.ts'
import type { Collections } from '../domain/declarations/collection.ts'
import { readState } from '../services/storage/schema-store.ts'

type ReminderDeps = Deps<'systemDatabase'> & { readonly collectionMap: Collections }

/** Lists the changes in two steps whose second step is outstanding. */
export async function reminders({ systemDatabase, collectionMap }: ReminderDeps): Promise<readonly string[]> {
  const unit = systemDatabase.acrossTenants('the tables of collections belong to no tenant')
  const { expansions } = await readState((sql, values) => unit.query(sql, values))
  return expansions.flatMap(expansion => reminderOf(expansion, collectionMap) ?? [])
}

function reminderOf(
  { collection, field, kind, names, complete, since }: StoredExpansion,
  collections: Collections,
): string | undefined {
  const declared = collections.get(collection)?.fields.get(field)
  if (!complete || !declared) return undefined
  const place = `field ${collection}.${field}`
  const whenDone = `since ${new Date(since).toISOString().slice(0, 10)}; when no process of the earlier recipe runs, remove`
  if (kind === 'rename' && names && declared.was !== undefined)
    return `${place} is also served as ${declared.was}, ${whenDone} \`was\``
  if (kind === 'value' && declared.using !== undefined)
    return `${place} is filled in rows of the earlier recipe, ${whenDone} \`using\``
  return undefined
}
