/** Rows of an imported file, before they are checked. Pure. */
import type { Wording } from '@larder-dev/larder/kernel'
import type { Values } from '../rows/row-values.ts'

/** An error of one value, or of the row as a whole. */
export interface ImportError {
  /** Name of the field; null for the row as a whole. */
  readonly column: string | null
  readonly code: string
  /** Ends a sentence that begins with the column, or with the row. */
  readonly wording: Wording
}

/** A row with its values, or with the reason why it could not be read. */
export interface ImportedRow {
  /** The line of the file where the row begins, counted from 1. */
  readonly line: number
  readonly values: Values
  readonly error?: ImportError
}

/** Characters of one row. */
export const MAX_ROW_LENGTH = 1024 * 1024
