/** Tables of imports. */
import { promisify } from 'node:util'
import { gunzip as gunzipCallback, gzip as gzipCallback } from 'node:zlib'
import { DAY, type Deps, HOUR, inEnglish, MIB, newId, type Unit } from '@larder-dev/larder/kernel'
import type { ImportOptions, NumberedRow, RowError, WrittenRows } from '../../domain/imports/import-record.ts'
import type { ImportedRow } from '../../domain/imports/imported-row.ts'
import { type JobFailure, type StoredCaller, storedFailure } from '../../domain/rights/stored-caller.ts'
import { importBatchTable, importTable } from '../../records.ts'
import type { CountedFiles } from '../file-limits.ts'

/** Rows of one batch, which is also one transaction. */
export const BATCH_ROWS = 500
/** Characters of JSON in one batch, unless its only row has more. */
export const MAX_BATCH_LENGTH = 4 * MIB
/** Errors that are kept. Others are only counted. */
const MAX_KEPT_ERRORS = 1000

/** How long an import and its errors can be read. */
const RETENTION_MS = 30 * DAY
/** An upload that takes longer was interrupted. */
const ABANDONED_AFTER_MS = HOUR

const gzip = promisify(gzipCallback)
const gunzip = promisify(gunzipCallback)

export interface NewImport extends ImportOptions {
  readonly caller: StoredCaller
}

export interface UploadedFile {
  readonly rows: number
  readonly digest: string
  readonly idempotencyKey: string | undefined
}

export type ImportStore = ReturnType<typeof createImportStore>

export function createImportStore({ database, clock }: Deps<'database' | 'clock'>) {
  const now = () => new Date(clock.now())
  const unitOf = (tenantId: string): Unit => database.tenant(tenantId)

  /** Changes an import in this state. Returns false if it is in another one. */
  async function change(
    unit: Unit,
    id: string,
    set: string,
    where: string,
    values: readonly unknown[],
  ): Promise<boolean> {
    const { rowCount } = await unit.query(`update collections_imports set ${set} where id = $1 and ${where}`, [
      id,
      ...values,
    ])
    return rowCount > 0
  }

  return {
    async create(tenantId: string, options: NewImport): Promise<string> {
      const id = newId('imp', clock.now())
      const { userId } = options.caller
      const stored = { ...options, id, tenantId, state: 'uploading', createdBy: userId, createdAt: now() } as const
      await unitOf(tenantId).query(...importTable.insertStep(stored))
      return id
    },

    async countActive(tenantId: string, counted?: CountedFiles): Promise<number> {
      const { rows } = await unitOf(tenantId).query<{ count: number }>(
        `select count(*)::int as count from collections_imports
         where finished_at is null and (state <> 'uploading' or created_at > $1)${counted ? ` and ${counted.condition('$2')}` : ''}`,
        [new Date(clock.now() - ABANDONED_AFTER_MS), ...(counted ? [counted.sharer] : [])],
      )
      return rows[0]?.count ?? 0
    },

    /** @param rows as JSON. */
    async addBatch(tenantId: string, id: string, firstRow: number, rows: readonly string[]): Promise<void> {
      const packed = await gzip(`[${rows.join(',')}]`, { level: 1 })
      const batch = { tenantId, importId: id, firstRow, rowCount: rows.length, rows: packed }
      await unitOf(tenantId).query(...importBatchTable.insertStep(batch))
    },

    /** The import of an earlier request with the same key. */
    async findByKey(
      tenantId: string,
      collection: string,
      userId: string,
      key: string,
    ): Promise<{ readonly id: string; readonly digest: string } | undefined> {
      const { rows } = await unitOf(tenantId).query<{ id: string; digest: string }>(
        'select id, digest from collections_imports where created_by = $1 and collection = $2 and idempotency_key = $3',
        [userId, collection, key],
      )
      return rows[0]
    },

    /** Throws a unique violation for a key that another import has. */
    queue: (unit: Unit, id: string, { rows, digest, idempotencyKey }: UploadedFile): Promise<boolean> =>
      change(unit, id, `state = 'queued', total_rows = $2, digest = $3, idempotency_key = $4`, `state = 'uploading'`, [
        rows,
        digest,
        idempotencyKey ?? null,
      ]),

    async remove(tenantId: string, id: string): Promise<void> {
      await unitOf(tenantId).query('delete from collections_imports where id = $1', [id])
    },

    /** The batch that begins at or contains this row, which is counted from 0. */
    async batch(tenantId: string, id: string, row: number): Promise<NumberedRow[]> {
      const { rows } = await unitOf(tenantId).query<{ first: number; rows: Buffer }>(
        `select first_row as first, rows from collections_import_batches
         where import_id = $1 and first_row <= $2 order by first_row desc limit 1`,
        [id, row],
      )
      const [batch] = rows
      if (!batch) return []
      const found: ImportedRow[] = JSON.parse((await gunzip(batch.rows)).toString('utf8'))
      return found.map((each, at) => ({ ...each, row: batch.first + at + 1 })).filter(each => each.row > row)
    },

    /** Forgets an earlier check that was interrupted. Returns false if the import has ended. */
    startCheck: (tenantId: string, id: string): Promise<boolean> =>
      unitOf(tenantId).transaction(async unit => {
        await unit.query('delete from collections_import_errors where import_id = $1', [id])
        return change(
          unit,
          id,
          `state = 'checking', checked_rows = 0, failed_rows = 0`,
          `state in ('queued', 'checking')`,
          [],
        )
      }),

    startWriting: (tenantId: string, id: string): Promise<boolean> =>
      change(unitOf(tenantId), id, `state = 'writing'`, `state in ('queued', 'checking')`, []),

    /** Returns false if the import has ended. */
    recordCheck: (tenantId: string, id: string, checked: number, errors: readonly RowError[]): Promise<boolean> =>
      unitOf(tenantId).transaction(async unit => {
        await insertErrors(unit, tenantId, id, errors)
        return change(unit, id, 'checked_rows = $2, failed_rows = failed_rows + $3', `state = 'checking'`, [
          checked,
          countRows(errors),
        ])
      }),

    /** In the transaction of the rows. Returns false if the import has ended, or if another process wrote the rows. */
    async recordWritten(
      unit: Unit,
      tenantId: string,
      id: string,
      from: number,
      written: WrittenRows,
    ): Promise<boolean> {
      const { rows, created, updated, errors } = written
      await insertErrors(unit, tenantId, id, errors)
      return change(
        unit,
        id,
        `next_row = next_row + $3, created_rows = created_rows + $4, updated_rows = updated_rows + $5,
         failed_rows = failed_rows + $6`,
        `state = 'writing' and next_row = $2`,
        [from, rows, created, updated, countRows(errors)],
      )
    },

    /** Ends an import and deletes its rows. Returns false if it has already ended. */
    finish: (
      tenantId: string,
      id: string,
      state: 'succeeded' | 'failed' | 'canceled',
      failure: JobFailure | null = null,
    ): Promise<boolean> =>
      unitOf(tenantId).transaction(async unit => {
        const ended = await change(unit, id, 'state = $2, failure = $3, finished_at = $4', 'finished_at is null', [
          state,
          failure && JSON.stringify(storedFailure(failure)),
          now(),
        ])
        if (ended) await unit.query('delete from collections_import_batches where import_id = $1', [id])
        return ended
      }),

    /** Deletes imports that ended long ago and uploads that were interrupted. Across tenants. */
    async sweep(system: Unit): Promise<void> {
      await system.query(
        `delete from collections_imports where created_at < $1 or (state = 'uploading' and created_at < $2)`,
        [new Date(clock.now() - RETENTION_MS), new Date(clock.now() - ABANDONED_AFTER_MS)],
      )
    },

    /** Cancels the imports of a user that have not ended. */
    async cancelOf(tenantId: string, userId: string, failure: JobFailure): Promise<void> {
      await unitOf(tenantId).query(
        `with ended as (
           update collections_imports set state = 'canceled', failure = $2, finished_at = $3
           where created_by = $1 and finished_at is null returning id)
         delete from collections_import_batches where import_id in (select id from ended)`,
        [userId, JSON.stringify(storedFailure(failure)), now()],
      )
    },
  }
}

const countRows = (errors: readonly RowError[]): number => new Set(errors.map(({ row }) => row)).size

async function insertErrors(unit: Unit, tenantId: string, id: string, errors: readonly RowError[]): Promise<void> {
  if (errors.length === 0) return
  const positions = new Map<number, number>()
  const given = errors.map(error => {
    const position = positions.get(error.row) ?? 0
    positions.set(error.row, position + 1)
    return { ...error, position, detail: inEnglish(error.wording) }
  })
  await unit.query(
    `insert into collections_import_errors (tenant_id, import_id, row, position, line, field, code, detail, wording)
     select $1, $2, given.row, given.position, given.line, given."column", given.code, given.detail, given.wording
     from json_to_recordset($3::json)
       as given (row integer, position integer, line integer, "column" text, code text, detail text, wording jsonb)
     limit greatest(0, $4 - (select count(*) from collections_import_errors where import_id = $2))`,
    [tenantId, id, JSON.stringify(given), MAX_KEPT_ERRORS],
  )
}
