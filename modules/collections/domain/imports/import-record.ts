/** Imports as they are stored. Types only. */
import type { StoredCaller, StoredFailure } from '../rights/stored-caller.ts'
import type { ImportError, ImportedRow } from './imported-row.ts'

/** `uploading` imports are not listed. */
export type ImportState = 'uploading' | 'queued' | 'checking' | 'writing' | 'succeeded' | 'failed' | 'canceled'
export type ImportFormat = 'csv' | 'ndjson'

export interface ImportOptions {
  readonly collection: string
  readonly format: ImportFormat
  /** Name of the unique field by which rows are updated; null if all rows are created. */
  readonly by: string | null
  /** `stop`: nothing is written if a row is invalid. `skip`: the valid rows are written. */
  readonly onError: 'stop' | 'skip'
  readonly dryRun: boolean
}

export interface ImportRecord extends ImportOptions {
  readonly id: string
  readonly state: ImportState
  readonly caller: StoredCaller
  readonly createdBy: string
  readonly totalRows: number
  readonly checkedRows: number
  /** The number of rows that are done. */
  readonly nextRow: number
  readonly createdRows: number
  readonly updatedRows: number
  readonly failedRows: number
  readonly failure: StoredFailure | null
  readonly createdAt: Date
  readonly finishedAt: Date | null
}

/** Rows are numbered from 1. */
export interface NumberedRow extends ImportedRow {
  readonly row: number
}

export interface RowError extends ImportError {
  readonly row: number
  readonly line: number
}

/** The outcome of some rows. */
export interface WrittenRows {
  /** The number of rows, failed ones included. */
  readonly rows: number
  readonly created: number
  readonly updated: number
  readonly errors: readonly RowError[]
}
