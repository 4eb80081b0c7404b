/** How many runs of automations the rows of an import start. */
import type { Deps, Registrations } from '@larder-dev/larder/kernel'
import type { ImportRecord } from '../../domain/imports/import-record.ts'

/** At most: conditions are known when the rows are written. */
export type ImportRuns = (record: ImportRecord) => number

export const createImportRuns =
  ({ registry }: Deps<'registry'>): ImportRuns =>
  ({ collection, by, dryRun, totalRows, failedRows, createdRows, updatedRows }) => {
    const all = registry
      .collect<Registrations['importRuns']>('importRuns')
      .map(({ value: runsOf }) => runsOf(collection))
    const created = all.reduce((sum, each) => sum + each.created, 0)
    const updated = all.reduce((sum, each) => sum + each.updated, 0)
    if (!dryRun) return createdRows * created + updatedRows * updated
    // A check doesn't know which rows exist.
    return (totalRows - failedRows) * (by === null ? created : Math.max(created, updated))
  }
