/** Imports of rows: receives files, runs them as jobs, and reports their progress. */
import { common, type Deps, decodeCursor, encodeCursor, type PageOf, pageLimit } from '@larder-dev/larder/kernel'
import type { Collection, Collections } from '../../domain/declarations/collection.ts'
import type { ImportRecord, RowError } from '../../domain/imports/import-record.ts'
import type { View } from '../../domain/rights/view.ts'
import { problems } from '../../problems.ts'
import { type FilePage, type FileRunner, listVisible, requireVisible } from '../file-jobs.ts'
import type { RowChanger } from '../row-changer.ts'
import { createRowChecker } from '../row-checker.ts'
import type { RowCreator } from '../row-creator.ts'
import type { HookRunner } from '../row-hooks.ts'
import type { ViewOf } from '../views.ts'
import { createImportReader } from './import-reader.ts'
import { createImportRunner } from './import-runner.ts'
import { createImportStore, type ImportStore } from './import-store.ts'
import { createImportUploads, type ImportUploads } from './import-uploads.ts'
import { createImportWriter } from './import-writer.ts'

export interface Imports {
  readonly uploads: ImportUploads
  readonly runner: FileRunner
  readonly store: ImportStore
  /** Own imports; all of them for owners of the workspace. Newest first. */
  list(view: View, collection: Collection, query: FilePage): Promise<PageOf<ImportRecord>>
  /** Throws `not_found`, also for an import of another user. */
  get(view: View, collection: Collection, id: string): Promise<ImportRecord>
  errors(view: View, collection: Collection, id: string, query: FilePage): Promise<PageOf<RowError>>
  /** Keeps the rows that have been written. Throws `import_ended`. */
  cancel(view: View, collection: Collection, id: string): Promise<ImportRecord>
}

type ImportDeps = Deps<
  'database' | 'clock' | 'jobs' | 'product',
  'entitlements' | 'mediaItems' | 'people' | 'callerRights'
> & {
  readonly creator: RowCreator
  readonly changer: RowChanger
  readonly collectionMap: Collections
  readonly hooks: HookRunner
  readonly view: ViewOf
}

export function createImports(deps: ImportDeps): Imports {
  const { creator, changer, collectionMap: collections, hooks, view } = deps
  const parts = { creator, changer, collections, hooks, view }
  const store = createImportStore(deps)
  const reader = createImportReader(deps)
  const writer = createImportWriter(deps, { ...parts, checker: createRowChecker(deps) })

  const get: Imports['get'] = async (view, collection, id) =>
    requireVisible(await reader.get(view.tenantId, id), view, collection, 'import')

  return {
    uploads: createImportUploads(deps, { ...parts, store, reader }),
    runner: createImportRunner(deps, { ...parts, store, reader, writer }),
    store,
    get,
    list: (view, collection, query) => listVisible(view, collection, query, reader.list),
    async errors(view, collection, id, query) {
      await get(view, collection, id)
      const limit = pageLimit(query)
      const [row, position] = (decodeCursor(query.cursor, 2) ?? [0, 0]).map(Number)
      if (!Number.isInteger(row) || !Number.isInteger(position)) throw common.invalid_cursor()
      const rows = await reader.errors(view.tenantId, id, [row ?? 0, position ?? 0], limit + 1)
      const last = rows[limit - 1]
      return {
        data: rows.slice(0, limit).map(({ position: _, ...error }) => error),
        nextCursor: rows.length > limit && last ? encodeCursor([last.row, last.position]) : null,
      }
    },
    async cancel(view, collection, id) {
      await get(view, collection, id)
      if (!(await store.finish(view.tenantId, id, 'canceled'))) throw problems.import_ended()
      return get(view, collection, id)
    },
  }
}
