/**
 * Runs an export: reads page after page and stores each as a part of the file, with the cursor of the next page. An export
 * that was interrupted continues with that page.
 */
import { type Deps, MIB, wording } from '@larder-dev/larder/kernel'
import type { Collection, Collections } from '../../domain/declarations/collection.ts'
import type { ExportRecord } from '../../domain/exports/export-record.ts'
import { parseSelection } from '../../domain/queries/selection.ts'
import { callerOf } from '../../domain/rights/stored-caller.ts'
import type { View } from '../../domain/rights/view.ts'
import { assertSameRights, createFileRunner, ENDED, FileJobEnd, type FileRunner } from '../file-jobs.ts'
import { csvLines, ndjsonLines } from '../row-files.ts'
import type { RowReader } from '../row-reader.ts'
import type { ViewOf } from '../views.ts'
import type { ExportStore } from './export-store.ts'

/** Compressed size of a file. */
export const MAX_STORED_BYTES = 512 * MIB

interface Parts {
  readonly store: ExportStore
  readonly reader: RowReader
  readonly collections: Collections
  readonly view: ViewOf
}

export function createExportRunner(
  deps: Deps<never, 'callerRights'>,
  { store, reader, collections, view }: Parts,
): FileRunner {
  /** What the caller may read can change between two parts. */
  const viewOf = (tenantId: string, collection: Collection, { caller }: ExportRecord): Promise<View> =>
    view(callerOf(caller, tenantId), tenantId, collection)

  async function writeParts(
    tenantId: string,
    collection: Collection,
    record: ExportRecord,
    signal: AbortSignal,
  ): Promise<void> {
    const { id, format, query } = record
    let { storedBytes, nextCursor: cursor } = record
    for (let position = record.parts; position === 0 || cursor !== null; position++) {
      signal.throwIfAborted()
      await assertSameRights(deps, tenantId, record)
      const given = await viewOf(tenantId, collection, record)
      const selection = parseSelection(given, collection, query)
      const { data, nextCursor } = await reader.exportPage(given, collection, { ...query, cursor: cursor ?? undefined })
      const text =
        format === 'csv'
          ? await csvLines(selection, data, { isFirst: position === 0, bom: query.bom === true })
          : ndjsonLines(data)
      const size = await store.addPart(tenantId, id, { position, text, rows: data.length, nextCursor })
      if (size === undefined) throw ENDED
      storedBytes += size
      if (storedBytes > MAX_STORED_BYTES) throw TOO_LARGE
      cursor = nextCursor
    }
  }

  async function work(tenantId: string, record: ExportRecord, signal: AbortSignal): Promise<void> {
    const collection = collections.get(record.collection)
    if (!collection) throw MISSING_COLLECTION
    await assertSameRights(deps, tenantId, record)
    const given = await viewOf(tenantId, collection, record)
    const total = record.totalRows ?? (await reader.count(given, collection, record.query))
    if (!(await store.start(tenantId, record.id, total))) throw ENDED
    await writeParts(tenantId, collection, record, signal)
    await store.finish(tenantId, record.id, 'succeeded')
  }

  return createFileRunner({ get: store.get, work, finish: store.finish, interrupted: INTERRUPTED })
}

const MISSING_COLLECTION = new FileJobEnd('failed', {
  code: 'not_found',
  wording: wording('The collection no longer exists.'),
})
const INTERRUPTED = { code: 'interrupted', wording: wording('The export was interrupted too often.') }
const TOO_LARGE = new FileJobEnd('failed', {
  code: 'export_too_large',
  wording: wording('The compressed file has more than {limit} MiB. Export fewer rows or fields.', {
    limit: MAX_STORED_BYTES / MIB,
  }),
})
