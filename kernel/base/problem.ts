/** Errors that a caller may see: a stable code, an HTTP status and a plain sentence (RFC 9457). */
import type { Static, TObject, TProperties } from 'typebox'
import { named } from './json-schema.ts'
import type { Placeholders } from './placeholders.ts'
import { Type } from './typebox.ts'
import { inEnglish, unworded, type Wording, type WordingValue, wording } from './wording.ts'

/** Extension members of the problem document, for example `requiredPermission`. */
export type Extras = Readonly<Record<string, unknown>>
type Values<M extends string> = [Placeholders<M>] extends [never]
  ? Record<string, never>
  : { readonly [Name in Placeholders<M>]: WordingValue }
type Args<M extends string, X> =
  Record<string, never> extends X
    ? [Placeholders<M>] extends [never]
      ? [values?: Values<M>, extras?: X]
      : [values: Values<M>, extras?: X]
    : [values: Values<M>, extras: X]

/** One invalid field: a JSON Pointer (RFC 6901) into the body, or `query/name`, `params/name`, `headers/name`. */
export interface FieldError {
  readonly pointer: string
  readonly code: string
  /** Ends a sentence that begins with the field. In English: the reply has the wording in the caller's language. */
  readonly detail: string
  /** What `detail` says. Not sent. */
  readonly wording: Wording
}

/** One error of `invalidFields`. @param text completes a sentence that starts with the field. */
export const fieldError = (pointer: string, code: string, text: Wording): FieldError => ({
  pointer,
  code,
  detail: inEnglish(text),
  wording: text,
})

const BRAND = Symbol.for('larder.problem')

/** Thrown anywhere inside a request; the response is `application/problem+json`. */
export class Problem extends Error {
  readonly [BRAND] = true
  readonly code: string
  readonly status: number
  readonly extras: Extras
  /** Response headers, for example `retry-after` in seconds. */
  readonly headers: Readonly<Record<string, string>>
  /** What the message says; its translation is what callers read. */
  readonly wording: Wording

  /** @param text what happened. The text of a foreign error is a string, which is shown as it is. */
  constructor(
    code: string,
    status: number,
    text: string | Wording,
    extras: Extras = {},
    headers: Readonly<Record<string, string>> = {},
  ) {
    const said = typeof text === 'string' ? unworded(text) : text
    super(inEnglish(said))
    this.name = 'Problem'
    this.wording = said
    this.code = code
    this.status = status
    this.extras = extras
    this.headers = headers
  }

  /** Works across copies of this file: a team's module may load another copy. */
  static is(error: unknown): error is Problem {
    return typeof error === 'object' && error !== null && BRAND in error
  }
}

/** What the documentation shows of a problem. */
export interface DocumentedProblem {
  readonly code: string
  readonly status: number
  readonly sentence: string
  /** Schemas of the extension members. */
  readonly members: TProperties
}
/** One row of a problem table. */
export interface ProblemFactory<M extends string = string, X = Extras> extends DocumentedProblem {
  (...args: Args<M, X>): Problem
}
/** Documented problems by code, as `defineProblems` returns them. */
export type ProblemTable = Readonly<Record<string, DocumentedProblem>>

type Row = readonly [status: number, sentence: string, members?: TProperties]
type MembersOf<R extends Row> = R extends readonly [number, string, infer P extends TProperties]
  ? Static<TObject<P>>
  : Record<string, never>

/**
 * Declares the errors of a module: `code: [status, sentence, members]`. Each `{placeholder}` in a sentence becomes a
 * required argument, and so do the members: schemas of the extension members of the problem document. Codes are
 * snake_case and stable: callers match on them.
 */
export function defineProblems<const T extends Record<string, Row>>(
  table: T,
): { readonly [K in keyof T]: ProblemFactory<T[K][1], MembersOf<T[K]>> } {
  const made = Object.entries(table).map(([code, [status, sentence, members = {}]]) => {
    const make = (values: Wording['values'] = {}, extras?: Extras) =>
      new Problem(code, status, { sentence, values }, extras)
    return [code, Object.assign(make, { code, status, sentence, members })]
  })
  return Object.freeze(Object.fromEntries(made))
}

/** Extension members that a problem takes. */
type ExtrasOf<P extends (...args: never[]) => Problem> = Exclude<Parameters<P>[1], undefined>

/**
 * Declares sentences of one problem for single reasons: `name: sentence`. They share its code, status and members, because
 * callers treat them alike. Each sentence is translated like that of a problem.
 */
export function defineReasons<
  P extends DocumentedProblem & ((...args: never[]) => Problem),
  const T extends Readonly<Record<string, string>>,
>(problem: P, sentences: T): { readonly [K in keyof T]: (...args: Args<T[K], ExtrasOf<P>>) => Problem } {
  const made = Object.entries(sentences).map(([name, sentence]) => [
    name,
    (values: Wording['values'] = {}, extras?: Extras) =>
      new Problem(problem.code, problem.status, { sentence, values }, extras),
  ])
  return Object.freeze(Object.fromEntries(made))
}

export const FieldErrors = Type.Unsafe<readonly FieldError[]>(
  Type.Array(
    named(
      'FieldError',
      Type.Object({
        pointer: Type.String({
          description: 'JSON Pointer (RFC 6901) into the body, or `query/name`, `params/name`, `headers/name`',
        }),
        code: Type.String(),
        detail: Type.String(),
      }),
    ),
  ),
)

/** Problems that any route may return; modules add their own. */
export const common = defineProblems({
  malformed: [400, "This request can't be read.", { errors: Type.Optional(FieldErrors) }],
  bad_signature: [400, 'The signature is invalid or has expired.'],
  idempotency_key_required: [400, 'Send an Idempotency-Key header, so that a repeated request takes effect once.'],
  tenant_required: [400, 'Set the x-tenant-id header to the ID or slug of a tenant.'],
  invalid_cursor: [
    400,
    'This cursor is damaged, from an earlier version, or belongs to another list. Start again without a cursor.',
  ],
  unauthenticated: [401, 'Sign in or send valid credentials.'],
  not_a_member: [403, "You aren't a member of this workspace. Switch to another one or ask an owner to invite you."],
  tenant_suspended: [
    403,
    'This workspace is suspended. Ask the operator of this site to resume it, or switch to another workspace.',
  ],
  customer_suspended: [403, 'Your account is suspended. Ask the operator of this site to reinstate it.'],
  email_not_verified: [
    403,
    'Confirm your email address first. Open the link in the confirmation email or request a new one in your account.',
  ],
  reauthentication_required: [
    403,
    'Confirm that it is you: sign in again or call `POST /v1/auth/reauthenticate`, then repeat this within {minutes} minutes.',
  ],
  impersonated: [403, "You can't do this while you act as another person. End the impersonation first."],
  forbidden: [403, 'Requires the permission “{permission}”.', { requiredPermission: Type.String() }],
  cross_site: [403, "This request isn't from a page of this site. Send it from there or use a bearer token."],
  not_found: [404, 'No {what} has this ID.'],
  method_not_allowed: [405, "This URL doesn't support {method}. Use {allowed}."],
  conflict: [409, 'Conflicts with existing data.'],
  managed_by_recipe: [409, 'This is managed by the recipe. Change it there.'],
  invalid_state: [409, "The current state doesn't allow this."],
  idempotency_in_progress: [409, 'A request with this Idempotency-Key is still in progress. Try again in a moment.'],
  precondition_failed: [412, 'The resource has changed. Fetch it again and send its current ETag.'],
  body_too_large: [413, 'The request body exceeds {limit}.'],
  unsupported_media_type: [415, 'Send the body as {expected}.'],
  validation_failed: [422, 'Some fields are invalid; see `errors`.', { errors: Type.Optional(FieldErrors) }],
  idempotency_mismatch: [422, 'This Idempotency-Key was used with a different request. Use a new key.'],
  rate_limited: [429, 'Too many requests. Try again in {seconds} s.'],
  internal: [500, 'Something went wrong on our end. If it happens again, contact support with the request ID.'],
  database_unavailable: [503, 'The database is temporarily unavailable. Try again in {seconds} s.'],
  database_full: [503, "The database is full, so changes can't be saved. Try again later or contact support."],
  tenant_busy: [503, 'Too many requests of this workspace are waiting for the database. Try again in {seconds} s.'],
  read_too_slow: [
    503,
    'The database needed more than {seconds} seconds to read this. Ask for fewer rows, or filter and sort by indexed fields.',
  ],
  unavailable: [503, 'The service is temporarily unavailable. Try again in {seconds} s.'],
})

/** Sentences of `malformed` for single reasons. */
export const malformed = defineReasons(common.malformed, {
  not_utf8: 'The body is not UTF-8.',
  not_json: 'The body is not valid JSON.',
  duplicate_key: 'The body contains a duplicate key.',
  nested_too_deep: 'The body is nested deeper than {limit} levels.',
  too_many_containers: 'The body has more than {limit} lists and objects.',
  parameter: 'The parameter {name} {problem}.',
})

/** 403. People read the title of the permission, programs its key in `requiredPermission`. */
export const missingPermission = (permission: string): Problem =>
  common.forbidden({ permission }, { requiredPermission: permission })

/** 422 for rules that a schema doesn't express. */
export const invalidFields = (errors: readonly FieldError[]): Problem => common.validation_failed({}, { errors })

/** 422 for one field. @param text completes a sentence that starts with the field. */
export const invalidField = (pointer: string, code: string, text: Wording): Problem =>
  invalidFields([fieldError(pointer, code, text)])

/** The wording of an error inside a value, with its place: `/0/title must be a text`. */
export const placedWording = ({ pointer, wording: problem }: FieldError): Wording =>
  pointer === '' ? problem : wording('{pointer} {problem}', { pointer, problem })

/** Returns the problem with additional response headers. */
export const withHeaders = (problem: Problem, headers: Readonly<Record<string, string>>): Problem =>
  new Problem(problem.code, problem.status, problem.wording, problem.extras, { ...problem.headers, ...headers })

/** Returns the problem with other field errors. */
export const withErrors = (problem: Problem, errors: readonly FieldError[]): Problem =>
  new Problem(problem.code, problem.status, problem.wording, { ...problem.extras, errors }, problem.headers)
