import type { Wording } from '@larder-dev/larder/kernel'
import type { Path } from './schema-traversal.ts'

export interface SchemaError {
  readonly path: Path
  readonly code: string
  /** The end of a sentence that begins with the path. */
  readonly detail: Wording
}
