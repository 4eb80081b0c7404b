import type { RejectionCode } from '../../domain/rejections.ts'

/** Ends a check with a rejection. */
export class Violation extends Error {
  readonly code: RejectionCode
  constructor(code: RejectionCode) {
    super(code)
    this.code = code
  }
}
