/**
 * Runs an import: checks all rows first if one wrong row prevents all of them, and then writes batch after batch. A batch
 * and the progress are one transaction, so an import that was interrupted continues with the next row.
 */
import { type Deps, type FieldError, together, wording } from '@larder-dev/larder/kernel'
import type { Collection, Collections } from '../../domain/declarations/collection.ts'
import { numberedFields, stateFields } from '../../domain/fields/field-lists.ts'
import type { ImportRecord, NumberedRow, RowError } from '../../domain/imports/import-record.ts'
import { createRepeatedKeys, type RepeatedKeys } from '../../domain/imports/repeated-keys.ts'
import { callerOf } from '../../domain/rights/stored-caller.ts'
import type { View } from '../../domain/rights/view.ts'
import { quoteName } from '../../domain/tables/sql-literals.ts'
import { createPlaces, type Places } from '../capacities.ts'
import { assertSameRights, createFileRunner, ENDED, FileJobEnd, type FileRunner } from '../file-jobs.ts'
import type { ViewOf } from '../views.ts'
import type { ImportReader } from './import-reader.ts'
import type { ImportStore } from './import-store.ts'
import { errorsOf, type ImportWriter, isOfRow } from './import-writer.ts'

interface Parts {
  readonly store: ImportStore
  readonly reader: ImportReader
  readonly writer: ImportWriter
  readonly collections: Collections
  readonly view: ViewOf
}

interface Run {
  readonly tenantId: string
  readonly record: ImportRecord
  readonly collection: Collection
  readonly signal: AbortSignal
  /** Whether the collection had no rows before the import. */
  readonly intoEmpty: boolean
}

/** What the earlier rows of a file that is checked have and take. */
interface Earlier {
  readonly repeated: RepeatedKeys
  readonly places: Places
}

export function createImportRunner(
  deps: Deps<'database', 'entitlements' | 'callerRights'>,
  { store, reader, writer, collections, view }: Parts,
): FileRunner {
  const { database, entitlements } = deps

  /** What the caller may write can change between two batches. */
  const viewOf = ({ tenantId, collection, record }: Run): Promise<View> =>
    view(callerOf(record.caller, tenantId), tenantId, collection)

  async function assertContinuing({ record, tenantId, signal }: Run): Promise<void> {
    signal.throwIfAborted()
    await assertSameRights(deps, tenantId, record)
  }

  /** The batches from a row on, while the import may continue. Reads the next one ahead. */
  async function* batches(run: Run, from: number): AsyncGenerator<{ row: number; rows: readonly NumberedRow[] }> {
    const { id, totalRows } = run.record
    const read = (row: number) => {
      const reading = store.batch(run.tenantId, id, row)
      // It fails when it is awaited.
      reading.catch(() => {})
      return reading
    }
    let next = from < totalRows ? read(from) : undefined
    for (let row = from; next; ) {
      const { rows } = await together({ continuing: assertContinuing(run), rows: next })
      if (rows.length === 0) throw new Error(`rows of import ${id} are missing`)
      const end = row + rows.length
      next = end < totalRows ? read(end) : undefined
      yield { row, rows }
      row = end
    }
  }

  /** Returns true if the rows can be written. */
  async function check(run: Run): Promise<boolean> {
    const { tenantId, record, collection } = run
    const { id, by } = record
    if (!(await store.startCheck(tenantId, id))) throw ENDED
    const earlier = { repeated: createRepeatedKeys(collection, by), places: createPlaces() }
    let creates = 0
    let failed = false
    for await (const { row, rows } of batches(run, 0)) {
      const checked = await checkRows(run, rows, earlier)
      creates += checked.creates
      failed ||= checked.errors.length > 0
      if (!(await store.recordCheck(tenantId, id, row + rows.length, checked.errors))) throw ENDED
    }
    const { planHolder } = await viewOf(run)
    const status = collection.limit && (await entitlements?.check(planHolder, collection.limit, creates))
    if (status && !status.allowed) {
      await store.finish(tenantId, id, 'failed', {
        code: 'entitlement_exceeded',
        wording: wording('The plan allows {limit}, and {used} are used: {more} more are too many.', {
          limit: status.limit ?? 0,
          used: status.used,
          more: creates,
        }),
      })
      return false
    }
    if (failed && !record.dryRun) await store.finish(tenantId, id, 'failed', INVALID_ROWS)
    else if (record.dryRun) await store.finish(tenantId, id, 'succeeded')
    return !failed && !record.dryRun
  }

  async function checkRows(
    run: Run,
    rows: readonly NumberedRow[],
    earlier?: Earlier,
  ): Promise<{ readonly errors: readonly RowError[]; readonly creates: number }> {
    const { collection, record, intoEmpty } = run
    const { by } = record
    const view = await viewOf(run)
    const readable = rows.filter(({ error }) => !error)
    const values = readable.map(each => each.values)
    const { errors, creates } = await writer.check(view, collection, { by, values, intoEmpty }, earlier?.places)
    const found = [
      ...rows.flatMap(({ error, row, line }) => (error ? [{ ...error, row, line }] : [])),
      ...errors.flatMap(error => toRowErrors(error, readable)),
    ]
    const wrong = new Set(found.map(({ row }) => row))
    for (const { row, line, values } of readable)
      for (const error of wrong.has(row) ? [] : (earlier?.repeated.errorsOf(values) ?? []))
        found.push({ ...error, row, line })
    return { errors: found.sort((a, b) => a.row - b.row), creates }
  }

  /** Writes the valid ones of these rows. Other writers may take a value meanwhile, so the rows are checked again and again. */
  async function write(run: Run, rows: readonly NumberedRow[], from: number): Promise<void> {
    try {
      return await writeOnce(run, rows, from, [])
    } catch (error) {
      if (!isOfRow(error)) throw error
      const { errors } = await checkRows(run, rows)
      const [only] = rows
      if (only && rows.length === 1) return writeOnce(run, rows, from, errors.length > 0 ? errors : ofRow(error, only))
      if (errors.length > 0) return writeParts(run, rows, from, errors)
      await writeHalves(run, rows, from)
    }
  }

  async function writeParts(
    run: Run,
    rows: readonly NumberedRow[],
    from: number,
    errors: readonly RowError[],
  ): Promise<void> {
    try {
      return await writeOnce(run, rows, from, errors)
    } catch (error) {
      if (!isOfRow(error) || rows.length === 1) throw error
      await writeHalves(run, rows, from)
    }
  }

  async function writeHalves(run: Run, rows: readonly NumberedRow[], from: number): Promise<void> {
    const half = Math.ceil(rows.length / 2)
    await write(run, rows.slice(0, half), from)
    await write(run, rows.slice(half), from + half)
  }

  /** Leaves out the rows that have errors. */
  async function writeOnce(
    run: Run,
    rows: readonly NumberedRow[],
    from: number,
    errors: readonly RowError[],
  ): Promise<void> {
    const { tenantId, collection, intoEmpty } = run
    const { id, by } = run.record
    const view = await viewOf(run)
    const unreadable = rows.flatMap(({ error, row, line }) => (error ? [{ ...error, row, line }] : []))
    const wrong = new Set([...errors, ...unreadable].map(({ row }) => row))
    const known = errors.length > 0 ? errors : unreadable
    const valid = rows.filter(({ row }) => !wrong.has(row))
    await database.tenant(tenantId).transaction(async unit => {
      // Imports of one collection take turns, so that two of them can't wait for each other's values.
      await unit.lock('collections.imports', tenantId, collection.name)
      const values = valid.map(row => row.values)
      const counts =
        valid.length > 0 ? await writer.write(view, collection, { by, values, intoEmpty }) : { created: 0, updated: 0 }
      const written = { ...counts, rows: rows.length, errors: known }
      if (!(await store.recordWritten(unit, tenantId, id, from, written))) throw ENDED
    })
  }

  async function writeAll(run: Run): Promise<void> {
    const { tenantId, record } = run
    if (record.state !== 'writing' && !(await store.startWriting(tenantId, record.id))) throw ENDED
    for await (const { row, rows } of batches(run, record.nextRow)) await write(run, rows, row)
    await store.finish(tenantId, record.id, 'succeeded')
  }

  /** Rows in the trash have numbers and states, too. An import that continues finds its own rows. */
  async function hasRowsBefore(tenantId: string, { table }: Collection, { createdAt }: ImportRecord): Promise<boolean> {
    const { rows } = await database
      .tenant(tenantId)
      .query(`select 1 from ${quoteName(table)} where tenant_id = $1 and created_at < $2 limit 1`, [
        tenantId,
        createdAt,
      ])
    return rows.length > 0
  }

  async function work(tenantId: string, record: ImportRecord, signal: AbortSignal): Promise<void> {
    const collection = collections.get(record.collection)
    if (!collection) throw MISSING_COLLECTION
    const mayKeep = numberedFields(collection).length > 0 || stateFields(collection).length > 0
    const intoEmpty = mayKeep && !(await hasRowsBefore(tenantId, collection, record))
    const run = { tenantId, record, collection, signal, intoEmpty }
    const mustCheck = record.state !== 'writing' && (record.dryRun || record.onError === 'stop')
    if (mustCheck && !(await check(run))) return
    await writeAll(run)
  }

  return createFileRunner({ get: reader.get, work, finish: store.finish, interrupted: INTERRUPTED })
}

const INVALID_ROWS = { code: 'validation_failed', wording: wording('Some rows are invalid, so nothing was imported.') }
const MISSING_COLLECTION = new FileJobEnd('failed', {
  code: 'not_found',
  wording: wording('The collection no longer exists.'),
})
const INTERRUPTED = { code: 'interrupted', wording: wording('The import was interrupted too often.') }

/** @param rows those that the pointer counts. */
function toRowErrors({ pointer, code, wording: text }: FieldError, rows: readonly NumberedRow[]): RowError[] {
  const [, at, ...path] = pointer.split('/')
  const found = rows[Number(at)]
  return found ? [{ row: found.row, line: found.line, column: path.join('/') || null, code, wording: text }] : []
}

const ofRow = (error: unknown, row: NumberedRow): RowError[] =>
  errorsOf(error, '/0').flatMap(each => toRowErrors({ ...each, pointer: each.pointer || '/0' }, [row]))
