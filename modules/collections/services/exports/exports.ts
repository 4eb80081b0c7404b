/** Exports of rows: large lists as files that a job writes. */
import { common, type Deps, type PageOf, unworded } from '@larder-dev/larder/kernel'
import { anyCovers } from '@larder-dev/larder/kernel/internal'
import type { Collection, Collections } from '../../domain/declarations/collection.ts'
import type { ExportFormat, ExportQuery, ExportRecord } from '../../domain/exports/export-record.ts'
import { storedCaller } from '../../domain/rights/stored-caller.ts'
import type { View } from '../../domain/rights/view.ts'
import { problems } from '../../problems.ts'
import { type FilePage, type FileRunner, listVisible, requireVisible } from '../file-jobs.ts'
import { countedWith } from '../file-limits.ts'
import type { RowReader } from '../row-reader.ts'
import type { ViewOf } from '../views.ts'
import { createExportRunner } from './export-runner.ts'
import { createExportStore, type ExportStore } from './export-store.ts'

export interface Exports {
  readonly runner: FileRunner
  readonly store: ExportStore
  /** Throws `too_many_exports`, and what a list with these parameters throws. */
  create(view: View, collection: Collection, format: ExportFormat, query: ExportQuery): Promise<ExportRecord>
  /** Own exports; all of them for owners of the workspace. Newest first. */
  list(view: View, collection: Collection, query: FilePage): Promise<PageOf<ExportRecord>>
  /** Throws `not_found`, also for an export of another user. */
  get(view: View, collection: Collection, id: string): Promise<ExportRecord>
  /** Throws `not_found` if the caller has fewer rights than the export, and `export_not_ready`. */
  file(view: View, collection: Collection, id: string): Promise<ExportFile>
  /** Ends the export, and deletes its file. */
  remove(view: View, collection: Collection, id: string): Promise<void>
}
export interface ExportFile {
  readonly record: ExportRecord
  readonly content: AsyncIterable<Buffer>
}

/** Upper bound of the exports of one workspace, or of one customer, including those whose file is kept. */
const MAX_EXPORTS = 10

type ExportDeps = Deps<'database' | 'clock' | 'jobs' | 'product', 'callerRights'> & {
  readonly reader: RowReader
  readonly collectionMap: Collections
  readonly view: ViewOf
}

export function createExports(deps: ExportDeps): Exports {
  const { database, jobs, product, reader, collectionMap: collections, view } = deps
  const store = createExportStore(deps)

  const get: Exports['get'] = async (view, collection, id) =>
    requireVisible(await store.get(view.tenantId, id), view, collection, 'export')

  async function* contentOf(tenantId: string, { id, parts }: ExportRecord): AsyncGenerator<Buffer> {
    for (let position = 0; position < parts; position++) {
      const part = await store.part(tenantId, id, position)
      if (!part) throw new Error(`part ${position} of export ${id} is missing`)
      yield part
    }
  }

  return {
    runner: createExportRunner(deps, { reader, collections, view, store }),
    store,
    get,
    async create(view, collection, format, query) {
      const { tenantId, caller } = view
      if (!caller) throw common.unauthenticated()
      await reader.assertReadable(view, collection, query)
      return database.tenant(tenantId).transaction(async unit => {
        const given = { collection: collection.name, format, query, caller: storedCaller(caller) }
        const record = await store.create(unit, tenantId, given, {
          limit: MAX_EXPORTS,
          counted: countedWith(product, view),
        })
        if (!record) throw problems.too_many_exports({ limit: MAX_EXPORTS })
        await jobs.enqueue('collections.export', { exportId: record.id })
        return record
      })
    },
    list: (view, collection, query) => listVisible(view, collection, query, store.list),
    async file(view, collection, id) {
      const record = await get(view, collection, id)
      if (!mayReadAll(view, collection, record)) throw common.not_found({ what: 'export' })
      if (record.state !== 'succeeded') throw problems.export_not_ready({ state: unworded(record.state) })
      return { record, content: contentOf(view.tenantId, record) }
    },
    async remove(view, collection, id) {
      await get(view, collection, id)
      await store.remove(view.tenantId, id)
    },
  }
}

/** The file has the rows that its author could read when it was written. */
function mayReadAll(view: View, collection: Collection, { caller: author }: ExportRecord): boolean {
  const { caller } = view
  if (!caller || view.isOwner(collection)) return caller !== undefined
  return (
    author.roles.every(role => caller.roles.includes(role)) &&
    author.permissions.every(permission => anyCovers(caller.permissions, permission))
  )
}
