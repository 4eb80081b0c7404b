/** A problem document (RFC 9457) with the members that some codes add. */
export interface ProblemDocument {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly code: string
  readonly instance?: string
  readonly requestId?: string
  readonly errors?: readonly FieldError[]
  readonly [member: string]: unknown
}

export interface FieldError {
  /** A JSON Pointer into the body, or `query/name`, `params/name`, `headers/name`. */
  readonly pointer: string
  readonly code: string
  readonly detail: string
}

/** Problem documents with additional members: code → document. */
export interface ProblemTypes {}

export type ProblemOf<Code extends string> = Code extends keyof ProblemTypes
  ? ProblemTypes[Code]
  : ProblemDocument & { readonly code: Code }

/** Errors without a problem document: no response, no response in time, or one that isn't from the product. */
export type ClientErrorCode = 'network_error' | 'timeout' | 'invalid_response'

/** Thrown by every call. `code` is stable; `message` is for people. */
export class LarderError<Code extends string = string> extends Error {
  override readonly name = 'LarderError'
  readonly code: Code
  /** 0 if there was no response. */
  readonly status: number
  readonly title: string
  readonly requestId: string | undefined
  /** Invalid fields of a 422; otherwise empty. */
  readonly errors: readonly FieldError[]
  /** From `Retry-After`, in milliseconds. */
  readonly retryAfterMs: number | undefined
  readonly problem: ProblemOf<Code>

  constructor(problem: ProblemDocument, retryAfterMs?: number, cause?: unknown) {
    super(problem.detail || problem.title, cause === undefined ? undefined : { cause })
    this.code = problem.code as Code
    this.status = problem.status
    this.title = problem.title
    this.requestId = problem.requestId
    this.errors = problem.errors ?? []
    this.retryAfterMs = retryAfterMs
    this.problem = problem as ProblemOf<Code>
  }
}

/** The error of a call: a union that `code` discriminates. */
export type ErrorOf<Code extends string> = DistributedError<Code | ClientErrorCode>
/** @internal */
export type DistributedError<Code extends string> = Code extends string ? LarderError<Code> : never

/** `isLarderError(error, 'not_found')` is true for an error with one of these codes; without codes, for any error of a call. */
export function isLarderError<Code extends string = string>(
  error: unknown,
  ...codes: readonly Code[]
): error is DistributedError<Code> {
  return error instanceof LarderError && (codes.length === 0 || (codes as readonly string[]).includes(error.code))
}

/** @internal */
export function clientError(code: ClientErrorCode, detail: string, status = 0, cause?: unknown): LarderError {
  return new LarderError({ type: 'about:blank', title: 'Request failed', status, detail, code }, undefined, cause)
}
