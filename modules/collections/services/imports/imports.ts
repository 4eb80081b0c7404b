/** Imports of rows: receives files, runs them as jobs, and reports their progress. */
import {
  type Caller,
  common,
  type Deps,
  decodeCursor,
  encodeCursor,
  type PageOf,
  pageLimit,
  toPage,
} from '@larder-dev/larder/kernel'
import { OWNER } from '../../domain/access.ts'
import type { Collection, Collections } from '../../domain/collection.ts'
import type { ImportRecord, RowError } from '../../domain/imports/import-record.ts'
import type { View } from '../../domain/view.ts'
import { problems } from '../../problems.ts'
import type { RowChanger } from '../row-changer.ts'
import { createRowChecker } from '../row-checker.ts'
import type { RowCreator } from '../row-creator.ts'
import type { HookRunner } from '../row-hooks.ts'
import { createImportReader } from './import-reader.ts'
import { createImportRunner, type ImportRunner } from './import-runner.ts'
import { createImportStore, type ImportStore } from './import-store.ts'
import { createImportUploads, type ImportUploads } from './import-uploads.ts'
import { createImportWriter } from './import-writer.ts'

interface Page {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

export interface Imports {
  readonly uploads: ImportUploads
  readonly runner: ImportRunner
  readonly store: ImportStore
  /** Own imports; all of them for owners of the workspace. Newest first. */
  list(view: View, collection: Collection, query: Page): Promise<PageOf<ImportRecord>>
  /** Throws `not_found`, also for an import of another user. */
  get(view: View, collection: Collection, id: string): Promise<ImportRecord>
  errors(view: View, collection: Collection, id: string, query: Page): Promise<PageOf<RowError>>
  /** Keeps the rows that have been written. Throws `import_ended`. */
  cancel(view: View, collection: Collection, id: string): Promise<ImportRecord>
}

export function createImports(
  deps: Deps<'database' | 'clock' | 'jobs', 'entitlements' | 'mediaItems' | 'people' | 'callerRights'>,
  parts: {
    readonly creator: RowCreator
    readonly changer: RowChanger
    readonly collections: Collections
    readonly hooks: HookRunner
    view(caller: Caller | undefined, tenantId: string): View
  },
): Imports {
  const store = createImportStore(deps)
  const reader = createImportReader(deps)
  const writer = createImportWriter(deps, { ...parts, checker: createRowChecker(deps, parts.hooks) })

  async function get({ tenantId, caller }: View, { name }: Collection, id: string): Promise<ImportRecord> {
    const record = await reader.get(tenantId, id)
    const isVisible = record?.createdBy === caller?.userId || caller?.roles.includes(OWNER)
    if (!record || record.collection !== name || !isVisible) throw common.not_found({ what: 'import' })
    return record
  }

  return {
    uploads: createImportUploads(deps, { ...parts, store, reader }),
    runner: createImportRunner(deps, { ...parts, store, reader, writer }),
    store,
    get,
    async list({ tenantId, caller }, { name }, query) {
      const limit = pageLimit(query)
      const [before] = decodeCursor(query.cursor, 1) ?? []
      const rows = await reader.list(tenantId, {
        collection: name,
        userId: caller?.roles.includes(OWNER) ? undefined : caller?.userId,
        before: before === undefined ? undefined : String(before),
        limit: limit + 1,
      })
      return toPage(rows, limit, ({ id }) => [id])
    },
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
