import type { Database } from '@larder-dev/larder/kernel'
import type { Collections } from '../../domain/declarations/collection.ts'
import { quoteName } from '../../domain/tables/sql-literals.ts'

/** Rows per statement. */
const BATCH_SIZE = 1000

/**
 * Clears references in circles, so that the rows of a deleted tenant can be deleted table by table. Required references
 * form no circle.
 */
export const createReferenceCleanup =
  (database: Database, collections: Collections) =>
  async (tenantId: string): Promise<void> => {
    for (const { table, column } of circularReferences(collections)) {
      const [name, own] = [quoteName(table), quoteName(column)]
      const text = `update ${name} set ${own} = null where ctid = any (array(
        select ctid from ${name} where tenant_id = $1 and ${own} is not null limit ${BATCH_SIZE}))`
      let cleared = BATCH_SIZE
      while (cleared === BATCH_SIZE) cleared = (await database.tenant(tenantId).query(text, [tenantId])).rowCount
    }
  }

function circularReferences(collections: Collections): { table: string; column: string }[] {
  const reaches = (from: string, to: string, seen = new Set<string>()): boolean => {
    if (from === to) return true
    if (seen.has(from)) return false
    seen.add(from)
    return [...(collections.get(from)?.fields.values() ?? [])].some(
      ({ reference }) => reference !== undefined && !reference.many && reaches(reference.to, to, seen),
    )
  }
  return [...collections.values()].flatMap(({ name, table, fields }) =>
    [...fields.values()].flatMap(({ reference, required, column }) =>
      reference && !reference.many && !required && reaches(reference.to, name) ? [{ table, column }] : [],
    ),
  )
}
