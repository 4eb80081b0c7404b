/** Distinguishes transient database errors, which become 503 and may be retried, from defects. */
import { common, Problem, SECOND, withHeaders } from '@larder-dev/larder/kernel'
import pg from 'pg'
import type { Statement } from './statements.ts'

const RETRY_AFTER_SECONDS = 1

/**
 * Classes and codes of https://www.postgresql.org/docs/18/errcodes-appendix.html: connection, resources, operator
 * intervention, statement timeout, idle in transaction, lock timeout, deadlock, serialization, a standby after failover,
 * and a statement that a pooler prepared on another connection.
 */
const TRANSIENT_SQLSTATES = /^(08|53|57P|57014|25P03|25006|26000|40001|40P01|55P03)/

/** The database is unreachable or overloaded: 503 with Retry-After. */
export function unavailable(cause: unknown): Problem {
  const { code, status, message } = common.database_unavailable({ seconds: RETRY_AFTER_SECONDS })
  const problem = new Problem(code, status, message, {}, { 'retry-after': String(RETRY_AFTER_SECONDS) })
  problem.cause = cause
  return problem
}

/** SQLSTATE `disk_full`. Retries within seconds are useless, because an operator must free space. */
const DISK_FULL = '53100'
const DISK_FULL_RETRY_SECONDS = 60

function diskFull(cause: unknown): Problem {
  const headers = { 'retry-after': String(DISK_FULL_RETRY_SECONDS) }
  return Object.assign(withHeaders(common.database_full(), headers), { cause })
}

/** SQLSTATE `query_canceled`: by `statement_timeout`, or by an operator. */
const QUERY_CANCELED = '57014'
const LOCKING_CLAUSE = /\bfor\s+(no\s+key\s+)?update\b|\bfor\s+(key\s+)?share\b/i

/** SQLSTATE of the function `larder_assert_active`. */
const TENANT_SUSPENDED = 'LA403'

interface Circumstances {
  /** State of the transaction after the batch; undefined if the connection is closed. */
  readonly status: string | undefined
  /** The statement that failed. */
  readonly statement: Statement | undefined
  readonly statementTimeoutMs: number
}

/**
 * Maps an error of a batch to Problem `database_full`, `tenant_suspended`, `read_too_slow` or, if it is transient, to
 * `database_unavailable`. Returns other errors unchanged.
 */
export function translateError(error: unknown, { status, statement, statementTimeoutMs }: Circumstances): unknown {
  if (error instanceof pg.DatabaseError && error.code === DISK_FULL) return diskFull(error)
  if (error instanceof pg.DatabaseError && error.code === TENANT_SUSPENDED) return common.tenant_suspended()
  // Other statements may have waited for a lock, so that a retry can succeed.
  if (error instanceof pg.DatabaseError && error.code === QUERY_CANCELED && statement && readsOnly(statement))
    return Object.assign(common.read_too_slow({ seconds: Math.ceil(statementTimeoutMs / SECOND) }), { cause: error })
  const transient =
    error instanceof pg.DatabaseError && (TRANSIENT_SQLSTATES.test(error.code ?? '') || isStalePlan(error))
  return status === undefined || transient ? unavailable(error) : error
}

const readsOnly = ({ isRead, text }: Statement): boolean => isRead && !LOCKING_CLAUSE.test(text)

/** DDL changed the row type of a prepared statement, or a pooler assigned a connection without that statement. */
export function isStalePlan(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false
  return error.code === '26000' || (error.code === '0A000' && error.routine === 'RevalidateCachedQuery')
}

/** The server rolled the unit back because of a concurrent one; repeating it may succeed. */
export function isRetryableConflict(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '40001' || error.code === '40P01')
}

/** SQLSTATE of PgBouncer for a login that it can't authenticate. */
const PROTOCOL_VIOLATION = '08P01'

/** The server, or a pooler in front of it, refused the user or the password. */
export const isRejectedLogin = (error: unknown): boolean =>
  error instanceof pg.DatabaseError &&
  (/^28/.test(error.code ?? '') ||
    (error.code === PROTOCOL_VIOLATION && /authentication failed|no such user/i.test(error.message)))

/** SQLSTATE of a server that starts, stops or recovers after a crash. */
const NOT_SERVING = /^57P0[123]$/
/** PgBouncer has all the clients that it takes: those that are connected are served. */
const POOLER_IS_FULL = /no more connections allowed/i

/** No server answers, or only to say that it serves nobody; a pooler may say so on behalf of its server. */
export function isAway(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return true
  const { code = '', message } = error
  if (code === PROTOCOL_VIOLATION) return !isRejectedLogin(error) && !POOLER_IS_FULL.test(message)
  return NOT_SERVING.test(code) || code.startsWith('08')
}

export const isWrongPassword = (error: unknown): boolean => (error as { code?: unknown } | undefined)?.code === '28P01'
