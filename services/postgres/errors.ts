/** Which errors of the database are the weather and not a fault: they leave as 503, and some may be tried again. */
import { common, Problem } from 'larder/kernel'
import pg from 'pg'

const RETRY_AFTER_SECONDS = 1

/**
 * Classes and codes of https://www.postgresql.org/docs/18/errcodes-appendix.html: connection, resources, operator
 * intervention, statement timeout, idle in transaction, lock timeout, deadlock, serialization, a standby after failover,
 * a statement that a pooler's other connection knows.
 */
const WEATHER = /^(08|53|57P|57014|25P03|25006|26000|40001|40P01|55P03)/

/** The database is away or overloaded: 503 with Retry-After. */
export function unavailable(cause: unknown): Problem {
  const { code, status, message } = common.unavailable({ seconds: RETRY_AFTER_SECONDS })
  const problem = new Problem(code, status, message, {}, { 'retry-after': String(RETRY_AFTER_SECONDS) })
  problem.cause = cause
  return problem
}

/** An error of a flight as its caller gets it: Problem `unavailable`, or what it was. */
export function translated(error: unknown, { status }: { status: string | undefined }): unknown {
  const weather = error instanceof pg.DatabaseError && (WEATHER.test(error.code ?? '') || isStalePlan(error))
  return status === undefined || weather ? unavailable(error) : error
}

/** DDL changed what a prepared statement answers with, or a pooler gave us a connection that does not know it. */
export function isStalePlan(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false
  return error.code === '26000' || (error.code === '0A000' && error.routine === 'RevalidateCachedQuery')
}

/** The whole of the unit was rolled back for the sake of another: sending it again may succeed. */
export function isCollision(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '40001' || error.code === '40P01')
}

export const isWrongPassword = (error: unknown): boolean => (error as { code?: unknown } | undefined)?.code === '28P01'
