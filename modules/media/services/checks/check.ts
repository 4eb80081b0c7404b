import type { FileType } from '../../domain/file-types.ts'
import type { Rejection } from '../../domain/rejections.ts'

export interface Candidate {
  /** Path of a snapshot, whose bytes don't change. */
  readonly path: string
  /** Bytes. */
  readonly size: number
  /** Declared by the uploader. */
  readonly announced: { readonly mimeType: string; readonly size: number; readonly sha256: string | null }
  readonly type: FileType
}

/** Returns the reason for a rejection, or undefined. Rejects when aborted. */
export type Check = (file: Candidate, signal: AbortSignal) => Promise<Rejection | undefined>
