/** One look at a file before anybody gets it. Types only. */

import type { FileType } from '../../domain/file-types.ts'
import type { Rejection } from '../../domain/rejections.ts'

export interface Candidate {
  /** Of a snapshot: its bytes do not change. */
  readonly path: string
  /** Bytes. */
  readonly size: number
  /** What its uploader said of it. */
  readonly announced: { readonly mimeType: string; readonly size: number; readonly sha256: string | null }
  readonly type: FileType
}

/** Says why the file is refused; undefined where this check finds nothing. Rejects when aborted. */
export type Check = (file: Candidate, signal: AbortSignal) => Promise<Rejection | undefined>
