/** Reads imports and the errors of their rows. */
import type { Deps } from '@larder-dev/larder/kernel'
import type { ImportRecord, RowError } from '../../domain/imports/import-record.ts'
import type { FileListQuery } from '../file-jobs.ts'

const COLUMNS = `id, collection, state, format, by_field as by, on_error as "onError", dry_run as "dryRun", caller,
  created_by as "createdBy", total_rows as "totalRows", checked_rows as "checkedRows", next_row as "nextRow",
  created_rows as "createdRows", updated_rows as "updatedRows", failed_rows as "failedRows", failure,
  created_at as "createdAt", finished_at as "finishedAt"`

export type ImportReader = ReturnType<typeof createImportReader>

export function createImportReader({ database }: Deps<'database'>) {
  return {
    async get(tenantId: string, id: string): Promise<ImportRecord | undefined> {
      const { rows } = await database
        .tenant(tenantId)
        .query<ImportRecord>(`select ${COLUMNS} from collections_imports where id = $1 and state <> 'uploading'`, [id])
      return rows[0]
    },

    /** Newest first. @param userId limits the list to imports of this user. */
    async list(tenantId: string, { collection, userId, before, limit }: FileListQuery): Promise<ImportRecord[]> {
      const { rows } = await database.tenant(tenantId).query<ImportRecord>(
        `select ${COLUMNS} from collections_imports where collection = $1 and state <> 'uploading'
           and ($2::text is null or created_by = $2) and ($3::text is null or id < $3) order by id desc limit $4`,
        [collection, userId ?? null, before ?? null, limit],
      )
      return rows
    },

    async errors(
      tenantId: string,
      id: string,
      after: readonly [row: number, position: number],
      limit: number,
    ): Promise<(RowError & { readonly position: number })[]> {
      const { rows } = await database.tenant(tenantId).query<RowError & { position: number }>(
        `select row, position, line, field as column, code,
           coalesce(wording, jsonb_build_object('sentence', detail, 'values', '{}'::jsonb)) as wording
         from collections_import_errors
         where import_id = $1 and (row, position) > ($2, $3) order by row, position limit $4`,
        [id, ...after, limit],
      )
      return rows
    },
  }
}
