/** Deletes rows whose time in the trash is over. Their links and versions are deleted with them by foreign keys. */
import type { Deps } from '@larder-dev/larder/kernel'
import { all, columnOf } from '../domain/conditions/condition-sql.ts'
import type { Collection, Collections } from '../domain/declarations/collection.ts'
import { joinTableName } from '../domain/declarations/naming.ts'
import { quoteName } from '../domain/tables/sql-literals.ts'

/** Rows per statement. */
const BATCH_SIZE = 500
const REASON = 'expired rows in the trash of every tenant are deleted'

export async function purgeTrash(
  { systemDatabase, clock }: Deps<'systemDatabase' | 'clock'>,
  collections: Collections,
  signal: AbortSignal,
): Promise<void> {
  const system = systemDatabase.acrossTenants(REASON)
  const purges = [...collections.values()]
    .filter(({ trashMs }) => trashMs > 0)
    .map(({ trashMs, ...rest }) => ({ trashMs, text: purgeSql(collections, { ...rest, trashMs }) }))
  // A row is deleted after the rows that depend on it, so passes are repeated until nothing is left to delete.
  for (let deleted = 1; deleted > 0; ) {
    deleted = 0
    for (const { text, trashMs } of purges) {
      if (signal.aborted) return
      const { rowCount } = await system.query(text, [new Date(clock.now() - trashMs), BATCH_SIZE])
      deleted += rowCount
    }
  }
}

/** Rows that another row depends on stay until that row is gone. */
function purgeSql(collections: Collections, collection: Collection): string {
  const table = quoteName(collection.table)
  const expired = all([
    'r.deleted_at <= $1',
    ...dependentRows(collections, collection).map(sql => `not exists (${sql})`),
  ])
  return `delete from ${table} t using (
      select r.tenant_id, r.id from ${table} r where ${expired} limit $2 for update of r skip locked
    ) expired where t.tenant_id = expired.tenant_id and t.id = expired.id`
}

function dependentRows(collections: Collections, collection: Collection): string[] {
  return [...collections.values()].flatMap(other =>
    [...other.fields.values()].flatMap(({ name, column, reference }) => {
      if (reference?.to !== collection.name || reference.onDelete === 'clear') return []
      // The links of `cascade` end with the row that they lead to.
      if (reference.many && reference.onDelete === 'cascade') return []
      const [table, target, id] = reference.many
        ? [joinTableName(other.name, name), 'target_id', 'row_id']
        : [other.table, column, 'id']
      const tenant = other.scope === collection.scope ? 'o.tenant_id = r.tenant_id' : 'true'
      const where = all([tenant, `${columnOf('o', target)} = r.id`, `o.${id} <> r.id`])
      return [`select 1 from ${quoteName(table)} o where ${where}`]
    }),
  )
}
