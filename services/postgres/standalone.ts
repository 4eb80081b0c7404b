/** Batches that are a transaction of their own. */
import { currentContext } from '@larder-dev/larder/kernel'
import { isRetryableConflict, isStalePlan, translateError } from './errors.ts'
import { resetPreparedStatements } from './pipelined-batch.ts'
import type { ConnectionPool } from './pool.ts'
import type { StatementResult } from './statement-result.ts'
import type { EncodedStatement } from './statements.ts'
import type { BatchVerification } from './verification.ts'

const MAX_ATTEMPTS = 3

/**
 * Repeats the batch after a deadlock or a stale plan: it has no side effects outside the database.
 * @param tenantId null for the system.
 * @param scans whether one of the statements reads many rows.
 */
export async function runStandalone(
  pool: ConnectionPool,
  tenantId: string | null,
  statements: readonly EncodedStatement[],
  verification: BatchVerification,
  scans = false,
): Promise<StatementResult[]> {
  const isRead = statements.every(({ statement }) => statement.isRead)
  const statementTimeoutMs = isRead ? pool.readTimeoutMs : pool.writeTimeoutMs
  const batch = [verification.start(tenantId, statementTimeoutMs), ...statements]
  for (let attempt = 1; ; attempt++) {
    const connection = await pool.connect(tenantId, { scans, beside: currentContext().beside })
    const timeoutMs = pool.responseTimeoutMs(statementTimeoutMs, statements.length)
    const { error, results, status } = await connection.run(batch, timeoutMs)
    connection.release()
    verification.end(error)
    if (!error) {
      if (status !== 'I') throw new Error('a statement began its own transaction')
      return results.slice(1)
    }
    const isStale = isStalePlan(error)
    if (isStale) resetPreparedStatements()
    if (status === undefined && !isRead) pool.reportUnconfirmedCommit()
    if (attempt === MAX_ATTEMPTS || (!isStale && !isRetryableConflict(error)))
      throw translateError(error, { status, statement: batch[results.length]?.statement, statementTimeoutMs })
  }
}
