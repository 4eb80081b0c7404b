/** Errors that a caller may see: a stable code, an HTTP status, a plain sentence (RFC 9457). */

type Holes<M extends string> = M extends `${string}{${infer H}}${infer Rest}` ? H | Holes<Rest> : never
type Fill<M extends string> = { [K in Holes<M>]: string | number }
/** Members of the problem document beside the standard ones, e.g. `requiredPermission`. */
export type Extras = Readonly<Record<string, unknown>>
type Args<M extends string> = [Holes<M>] extends [never]
  ? [holes?: Record<string, never>, extras?: Extras]
  : [holes: Fill<M>, extras?: Extras]

/** One wrong field: a JSON Pointer (RFC 6901) into the body, or `query/name`, `params/name`, `headers/name`. */
export interface FieldError {
  readonly pointer: string
  readonly code: string
  readonly detail: string
}

const BRAND = Symbol.for('larder.problem')

/** Throw one from anywhere inside a request: it leaves as `application/problem+json`. */
export class Problem extends Error {
  readonly [BRAND] = true
  readonly code: string
  readonly status: number
  readonly extras: Extras
  /** Response headers that belong to this answer, e.g. `retry-after` in seconds. */
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: string,
    status: number,
    detail: string,
    extras: Extras = {},
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(detail)
    this.name = 'Problem'
    this.code = code
    this.status = status
    this.extras = extras
    this.headers = headers
  }

  /** Holds across copies of this file: a team's module may have loaded another one. */
  static is(error: unknown): error is Problem {
    return typeof error === 'object' && error !== null && BRAND in error
  }
}

/** One row of a problem table, still without its holes filled. */
export interface ProblemFactory<M extends string = string> {
  (...args: Args<M>): Problem
  readonly code: string
  readonly status: number
  readonly sentence: string
}
export type ProblemTable = Readonly<Record<string, ProblemFactory<never>>>

/**
 * The table of errors of a module: `code: [status, sentence]`. `{holes}` in a sentence become arguments that the
 * compiler asks for. Codes are snake_case and stable: callers match on them.
 */
export function defineProblems<const T extends Record<string, readonly [status: number, sentence: string]>>(
  table: T,
): { readonly [K in keyof T]: ProblemFactory<T[K][1]> } {
  const made = Object.entries(table).map(([code, [status, sentence]]) => {
    const make = (holes: Record<string, unknown> = {}, extras?: Extras) =>
      new Problem(
        code,
        status,
        sentence.replace(/\{(\w+)\}/g, (_, hole) => String(holes[hole])),
        extras,
      )
    return [code, Object.assign(make, { code, status, sentence })]
  })
  return Object.freeze(Object.fromEntries(made))
}

/** What any route may answer; modules add their own tables. */
export const common = defineProblems({
  malformed: [400, '{reason}'],
  bad_signature: [400, 'The signature does not fit this body, or is too old.'],
  tenant_required: [400, 'Name the tenant in the header x-tenant-id: its id or its slug.'],
  invalid_cursor: [400, 'This cursor was not made by this list. Start again without cursor.'],
  unauthenticated: [401, 'Sign in first, or send a valid credential.'],
  not_a_member: [403, 'You are not a member of this tenant. Choose another one, or ask an owner for an invitation.'],
  forbidden: [403, 'This needs the permission {permission}.'],
  cross_site: [403, 'This request came from another site. Send it from a page of this product, or use a bearer token.'],
  not_found: [404, 'There is no {what} with this id.'],
  method_not_allowed: [405, 'This address does not take {method}. It takes {allowed}.'],
  conflict: [409, '{reason}'],
  managed_by_recipe: [409, 'This comes from the recipe: change it there.'],
  invalid_state: [409, '{reason}'],
  idempotency_in_progress: [409, 'A request with this Idempotency-Key is still running. Try again in a moment.'],
  precondition_failed: [412, 'The resource has changed since you read it. Read it again and send its new ETag.'],
  body_too_large: [413, 'The body is over the limit of {limit} bytes.'],
  unsupported_media_type: [415, 'Send the body as {expected}.'],
  validation_failed: [422, 'Some fields are not as they must be: see errors.'],
  idempotency_mismatch: [422, 'This Idempotency-Key was used with another request. Use a new key.'],
  rate_limited: [429, 'Too many requests. Try again in {seconds} s.'],
  internal: [500, 'Something went wrong on our side. Tell the operator the request id: it names it in our log.'],
  unavailable: [503, 'The service cannot answer just now. Try again in {seconds} s.'],
})

/** Returns the problem with additional response headers. */
export const withHeaders = (problem: Problem, headers: Readonly<Record<string, string>>): Problem =>
  new Problem(problem.code, problem.status, problem.message, problem.extras, { ...problem.headers, ...headers })
