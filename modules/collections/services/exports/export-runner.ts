/**
 * Runs an export: reads page after page and stores each as a part of the file, with the cursor of the next page. An export
 * that was interrupted continues with that page.
 */
import { type Caller, type Deps, MIB, Problem, withContext } from '@larder-dev/larder/kernel'
import type { Collection, Collections } from '../../domain/collection.ts'
import type { ExportRecord } from '../../domain/export-record.ts'
import { parseSelection } from '../../domain/selection.ts'
import { callerOf, holdsStill, RIGHTS_CHANGED } from '../../domain/stored-caller.ts'
import type { View } from '../../domain/view.ts'
import { csvLines, ndjsonLines } from '../row-files.ts'
import type { RowReader } from '../row-reader.ts'
import type { ExportStore } from './export-store.ts'

export interface ExportRunner {
  /** Does nothing for an export that has ended. */
  run(tenantId: string, id: string, signal: AbortSignal): Promise<void>
  /** Ends an export that could not be completed. */
  giveUp(tenantId: string, id: string): Promise<void>
}

/** Compressed size of a file. */
export const MAX_STORED_BYTES = 512 * MIB

interface Parts {
  readonly store: ExportStore
  readonly reader: RowReader
  readonly collections: Collections
  view(caller: Caller | undefined, tenantId: string): View
}

export function createExportRunner(
  { callerRights }: Deps<never, 'callerRights'>,
  { store, reader, collections, view }: Parts,
): ExportRunner {
  async function assertRights(tenantId: string, { caller }: ExportRecord): Promise<void> {
    if (callerRights && !holdsStill(await callerRights.current(tenantId, caller), caller)) throw LOST_RIGHTS
  }

  async function writeParts(
    view: View,
    collection: Collection,
    record: ExportRecord,
    signal: AbortSignal,
  ): Promise<void> {
    const { id, format, query } = record
    const { tenantId } = view
    const selection = parseSelection(view, collection, query)
    let { storedBytes, nextCursor: cursor } = record
    for (let position = record.parts; position === 0 || cursor !== null; position++) {
      signal.throwIfAborted()
      await assertRights(tenantId, record)
      const { data, nextCursor } = await reader.exportPage(view, collection, { ...query, cursor: cursor ?? undefined })
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

  async function runOne(tenantId: string, record: ExportRecord, signal: AbortSignal): Promise<void> {
    const collection = collections.get(record.collection)
    if (!collection) throw new Failure('failed', 'not_found', 'The collection no longer exists.')
    await assertRights(tenantId, record)
    const given = view(callerOf(record.caller, tenantId), tenantId)
    const total = record.totalRows ?? (await reader.count(given, collection, record.query))
    if (!(await store.start(tenantId, record.id, total))) throw ENDED
    await writeParts(given, collection, record, signal)
    await store.finish(tenantId, record.id, 'succeeded')
  }

  return {
    async run(tenantId, id, signal) {
      const record = await store.get(tenantId, id)
      if (!record || record.finishedAt) return
      const { kind, principalId } = record.caller
      try {
        await withContext({ actor: { kind, id: principalId } }, () => runOne(tenantId, record, signal))
      } catch (error) {
        if (error === ENDED) return
        const failure = failureOf(error)
        if (!failure) throw error
        await store.finish(tenantId, id, failure.state, { code: failure.code, detail: failure.message })
      }
    },
    async giveUp(tenantId, id) {
      const { state, code, message } = INTERRUPTED
      await store.finish(tenantId, id, state, { code, detail: message })
    },
  }
}

class Failure extends Error {
  readonly state: 'failed' | 'canceled'
  readonly code: string
  constructor(state: Failure['state'], code: string, detail: string) {
    super(detail)
    this.state = state
    this.code = code
  }
}

/** The export was canceled, or another process writes its parts. */
const ENDED = new Error('the export has ended')
const LOST_RIGHTS = new Failure('canceled', RIGHTS_CHANGED.code, RIGHTS_CHANGED.detail)
const INTERRUPTED = new Failure('failed', 'interrupted', 'The export was interrupted too often.')
const TOO_LARGE = new Failure(
  'failed',
  'export_too_large',
  `The compressed file has more than ${MAX_STORED_BYTES / MIB} MiB. Export fewer rows or fields.`,
)

function failureOf(error: unknown): Failure | undefined {
  if (error instanceof Failure) return error
  return Problem.is(error) && error.status < 500 ? new Failure('failed', error.code, error.message) : undefined
}
