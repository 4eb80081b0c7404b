/** Tables of exports. */
import { promisify } from 'node:util'
import { gunzip as gunzipCallback, gzip as gzipCallback } from 'node:zlib'
import { DAY, type Deps, newId, statement, type Unit } from '@larder-dev/larder/kernel'
import type { ExportPart, ExportRecord, NewExport } from '../../domain/exports/export-record.ts'
import { type JobFailure, storedFailure } from '../../domain/rights/stored-caller.ts'
import type { FileListQuery } from '../file-jobs.ts'
import type { CountedFiles } from '../file-limits.ts'

/** How long an export and its file are kept. */
export const EXPORT_RETENTION_MS = DAY

const gzip = promisify(gzipCallback)
const gunzip = promisify(gunzipCallback)

const COLUMNS = `id, collection, state, format, query, caller, created_by as "createdBy", total_rows as "totalRows",
  exported_rows as "exportedRows", parts, bytes::float8 as bytes, stored_bytes::float8 as "storedBytes",
  next_cursor as "nextCursor", failure, created_at as "createdAt", finished_at as "finishedAt"`

export type ExportStore = ReturnType<typeof createExportStore>

const insert = (where = '') =>
  `insert into collections_exports
     (tenant_id, id, collection, state, format, query, caller, created_by, created_at)
   select $tenantId, $id, $collection, 'queued', $format, $query, $caller, $userId, $now
   where (select count(*) from collections_exports${where}) < $limit returning ${COLUMNS}`
const INSERT = statement(insert())
const ADD_PART = statement(
  `with changed as (
     update collections_exports set parts = parts + 1, exported_rows = exported_rows + $rows, bytes = bytes + $bytes,
       stored_bytes = stored_bytes + length($content::bytea), next_cursor = $nextCursor
     where id = $id and state = 'running' and parts = $position returning id)
   insert into collections_export_parts (tenant_id, export_id, position, content)
   select $tenantId, id, $position, $content from changed`,
)

export function createExportStore({ database, clock }: Deps<'database' | 'clock'>) {
  const now = () => new Date(clock.now())
  const unitOf = (tenantId: string): Unit => database.tenant(tenantId)

  return {
    /** Returns undefined if there are `limit` exports. */
    async create(
      unit: Unit,
      tenantId: string,
      { collection, format, query, caller }: NewExport,
      { limit, counted }: { readonly limit: number; readonly counted?: CountedFiles | undefined },
    ): Promise<ExportRecord | undefined> {
      const values = {
        tenantId,
        id: newId('exp', clock.now()),
        collection,
        format,
        query: JSON.stringify(query),
        caller: JSON.stringify(caller),
        userId: caller.userId,
        now: now(),
        limit,
      }
      const step = counted
        ? statement(insert(` where ${counted.condition('$sharer')}`))({ ...values, sharer: counted.sharer })
        : INSERT(values)
      const { rows } = await unit.query<ExportRecord>(...step)
      return rows[0]
    },

    async get(tenantId: string, id: string): Promise<ExportRecord | undefined> {
      const { rows } = await unitOf(tenantId).query<ExportRecord>(
        `select ${COLUMNS} from collections_exports where id = $1`,
        [id],
      )
      return rows[0]
    },

    /** Newest first. @param userId limits the list to exports of this user. */
    async list(tenantId: string, { collection, userId, before, limit }: FileListQuery): Promise<ExportRecord[]> {
      const { rows } = await unitOf(tenantId).query<ExportRecord>(
        `select ${COLUMNS} from collections_exports where collection = $1
           and ($2::text is null or created_by = $2) and ($3::text is null or id < $3) order by id desc limit $4`,
        [collection, userId ?? null, before ?? null, limit],
      )
      return rows
    },

    /** Returns false if the export has ended. */
    async start(tenantId: string, id: string, totalRows: number): Promise<boolean> {
      const { rowCount } = await unitOf(tenantId).query(
        `update collections_exports set state = 'running', total_rows = coalesce(total_rows, $2)
         where id = $1 and finished_at is null`,
        [id, totalRows],
      )
      return rowCount > 0
    },

    /** Returns the compressed size; undefined if the export has ended, or if another process added the part. */
    async addPart(
      tenantId: string,
      id: string,
      { position, text, rows, nextCursor }: ExportPart,
    ): Promise<number | undefined> {
      const content = await gzip(text)
      const { rowCount } = await unitOf(tenantId).query(
        ...ADD_PART({ tenantId, id, position, rows, bytes: Buffer.byteLength(text), content, nextCursor }),
      )
      return rowCount > 0 ? content.length : undefined
    },

    async part(tenantId: string, id: string, position: number): Promise<Buffer | undefined> {
      const { rows } = await unitOf(tenantId).query<{ content: Buffer }>(
        'select content from collections_export_parts where export_id = $1 and position = $2',
        [id, position],
      )
      return rows[0] && gunzip(rows[0].content)
    },

    /** Ends an export. Only a file that is complete is kept. */
    finish: (
      tenantId: string,
      id: string,
      state: 'succeeded' | 'failed' | 'canceled',
      failure: JobFailure | null = null,
    ): Promise<void> =>
      unitOf(tenantId).transaction(async unit => {
        const { rowCount } = await unit.query(
          `update collections_exports set state = $2, failure = $3, finished_at = $4
           where id = $1 and finished_at is null`,
          [id, state, failure && JSON.stringify(storedFailure(failure)), now()],
        )
        if (rowCount > 0 && state !== 'succeeded')
          await unit.query('delete from collections_export_parts where export_id = $1', [id])
      }),

    async remove(tenantId: string, id: string): Promise<void> {
      await unitOf(tenantId).query('delete from collections_exports where id = $1', [id])
    },

    /** Deletes old exports. Across tenants. */
    async sweep(system: Unit): Promise<void> {
      await system.query('delete from collections_exports where created_at < $1', [
        new Date(clock.now() - EXPORT_RETENTION_MS),
      ])
    },
  }
}
