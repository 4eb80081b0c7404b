/** Rebuilds what is ordered by names after an update of ICU, which may order some of them otherwise. */
import { NAME_COLLATION } from '../../domain/fields/column-types.ts'
import type { Query } from './schema-store.ts'

export interface NameOrder {
  /** Versions of the collation. */
  readonly before: string
  readonly now: string
  /** Names of indexes, quoted. */
  readonly indexes: readonly string[]
}

/** Undefined while the indexes have the order of the server's ICU. */
export async function outdatedNameOrder(query: Query): Promise<NameOrder | undefined> {
  const { rows } = await query<NameOrder>(
    `select c.collversion as before, pg_collation_actual_version(c.oid) as now, array(
         select i.indexrelid::regclass::text from pg_index i where c.oid = any (i.indcollation::oid[]) order by 1) as indexes
       from pg_collation c
      where c.collname = $1 and c.collnamespace = current_schema()::regnamespace
        and c.collversion is distinct from pg_collation_actual_version(c.oid)`,
    [NAME_COLLATION],
  )
  return rows[0]
}

/** Lists can be used meanwhile. Can be interrupted and repeated at any time. */
export async function rebuildNameOrder(query: Query): Promise<void> {
  const outdated = await outdatedNameOrder(query)
  if (!outdated) return
  for (const index of outdated.indexes) await query(`reindex index concurrently ${index}`)
  await query(`alter collation ${NAME_COLLATION} refresh version`)
}
