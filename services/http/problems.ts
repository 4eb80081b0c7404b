/** Maps errors to problem documents (RFC 9457). Pure. */

import {
  common,
  defineProblems,
  defineReasons,
  type FieldError,
  inEnglish,
  Problem,
  unworded,
  type Wording,
  withHeaders,
} from '@larder-dev/larder/kernel/internal'

/** Problems of the HTTP service, in addition to the common ones. */
export const http = defineProblems({
  api_key_refused: [403, "API keys can't do this. Sign in or use a dashboard token."],
  replay_unreadable: [
    409,
    'The request with this `Idempotency-Key` succeeded, but its response is no longer readable.',
  ],
  body_too_slow: [408, "The request body didn't arrive within {seconds} seconds. Try again."],
  upgrade_required: [426, 'This URL accepts WebSocket connections only. Send `Upgrade: websocket`.'],
  too_many_sockets: [429, 'Too many open connections from this IP address. Close one and try again.'],
})

export const malformedRequest = defineReasons(common.malformed, {
  host_missing: 'The request has no Host header.',
  hosts: 'The request has more than one Host header.',
  path_not_utf8: 'The path contains an escape sequence that is not UTF-8.',
  query_not_utf8: 'The query contains an escape sequence that is not UTF-8.',
  too_many_parameters: 'The query has more than {limit} parameters.',
  too_many_fields: 'The form has more than {limit} fields.',
  body_incomplete: 'The body ended too early.',
  unknown_form: 'This page has no such form. Reload it and try again.',
})

export interface ProblemDocument {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly instance: string
  readonly code: string
  readonly requestId: string
  readonly [extra: string]: unknown
}

/** A path that no route, page or site serves gets the common code, with a different sentence. */
export const { unknownAddress } = defineReasons(common.not_found, {
  unknownAddress: 'No page or route has this address.',
})

/** `too_many_sockets` → `Too many sockets`. */
export const titleOf = (code: string): string => code.charAt(0).toUpperCase() + code.slice(1).replaceAll('_', ' ')

/** @param say words the texts that people read; in English by default. Codes and pointers stay as they are. */
export function problemDocument(
  problem: Problem,
  place: { readonly publicUrl: string; readonly path: string; readonly requestId: string },
  say: Say = inPlainEnglish,
): ProblemDocument {
  const { errors } = problem.extras
  return {
    ...problem.extras,
    ...(Array.isArray(errors) && { errors: sayErrors(errors, say) }),
    type: `${place.publicUrl}/problems#${problem.code}`,
    title: say(titleOf(problem.code)),
    status: problem.status,
    detail: say(problem),
    instance: place.path,
    code: problem.code,
    requestId: place.requestId,
  }
}

/** Words a text, or what a problem says, for its reader. */
export type Say = (text: string | Wording | Problem) => string

const inPlainEnglish: Say = text =>
  typeof text === 'string' ? text : inEnglish(Problem.is(text) ? text.wording : text)

/** The field errors of a reply. A team's module may make one without a wording. */
export const sayErrors = (
  errors: readonly FieldError[],
  say: (text: Wording) => string,
): Omit<FieldError, 'wording'>[] =>
  errors.map(({ wording, ...error }) => ({ ...error, detail: say(wording ?? unworded(error.detail)) }))

export const RETRY_AFTER_SECONDS = 2

const retryLater = (problem: typeof common.unavailable | typeof common.database_unavailable): Problem =>
  withHeaders(problem({ seconds: RETRY_AFTER_SECONDS }), { 'retry-after': String(RETRY_AFTER_SECONDS) })

/** The problem to send for an error. `unexpected` ones are bugs: they are logged in full and not shown to the caller. */
export function toProblem(error: unknown): { problem: Problem; unexpected: boolean } {
  if (Problem.is(error)) return { problem: error, unexpected: false }
  const code = codeOf(error)
  const mapped = code === undefined ? undefined : fromDatabase(code)
  if (mapped) return { problem: mapped, unexpected: mapped.status === 409 || mapped.status === 422 }
  return { problem: common.internal(), unexpected: true }
}

function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  const { code, original } = error as { code?: unknown; original?: unknown }
  return typeof code === 'string' ? code : original === undefined ? undefined : codeOf(original)
}

/** SQLSTATE `disk_full`. Retries within seconds are useless, because an operator must free space. */
const DISK_FULL = '53100'
const DISK_FULL_RETRY_SECONDS = 60
/** The credential of the request, or its user, was deleted while the request ran. */
const ACCESS_CHANGED = 'LA401'
const NETWORK_CODES = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOTFOUND', 'ETIMEDOUT']
const TRANSIENT_SQLSTATES = ['40001', '40P01', '53300', '55P03']

/** Maps SQLSTATE classes (PostgreSQL, appendix A). Invalid data is never a 5xx; a lost database is a 503. */
function fromDatabase(code: string): Problem | undefined {
  if (code === DISK_FULL) return withHeaders(common.database_full(), { 'retry-after': String(DISK_FULL_RETRY_SECONDS) })
  if (NETWORK_CODES.includes(code)) return retryLater(common.unavailable)
  if (TRANSIENT_SQLSTATES.includes(code) || /^(08|57)...$/.test(code)) return retryLater(common.database_unavailable)
  if (code === ACCESS_CHANGED) return common.unauthenticated()
  if (/^22...$/.test(code) || code === '23514') return common.validation_failed()
  if (code === '23505' || code === '23503') return common.conflict()
  return undefined
}
