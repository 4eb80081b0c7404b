/** Exports as they are stored. Types only. */
import type { ListParameters } from '../queries/list-query.ts'
import type { StoredCaller, StoredFailure } from '../rights/stored-caller.ts'

export type ExportFormat = 'csv' | 'ndjson'
export type ExportState = 'queued' | 'running' | 'succeeded' | 'failed' | 'canceled'

/** Which rows and fields a file contains. */
export type ExportQuery = Omit<ListParameters, 'limit' | 'cursor' | 'include'>

export interface NewExport {
  readonly collection: string
  readonly format: ExportFormat
  readonly query: ExportQuery
  readonly caller: StoredCaller
}

export interface ExportRecord extends NewExport {
  readonly id: string
  readonly state: ExportState
  readonly createdBy: string
  /** Counted when the export starts. */
  readonly totalRows: number | null
  readonly exportedRows: number
  readonly parts: number
  /** Size of the file. */
  readonly bytes: number
  /** Compressed. */
  readonly storedBytes: number
  /** Cursor of the next page; null before the first one. */
  readonly nextCursor: string | null
  readonly failure: StoredFailure | null
  readonly createdAt: Date
  readonly finishedAt: Date | null
}

export interface ExportPart {
  readonly position: number
  readonly text: string
  readonly rows: number
  readonly nextCursor: string | null
}
