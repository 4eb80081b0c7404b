/** Batches that are a transaction of their own, with the precondition of the surrounding request. */
import { isRetryableConflict, isStalePlan, translateError } from './errors.ts'
import { enterWithPrecondition, type Identity } from './identity.ts'
import type { PgResult } from './pg-internals.ts'
import { type EncodedStatement, executeBatch, resetPreparedStatements } from './pipelined-batch.ts'
import type { ConnectionPool } from './pool.ts'
import { pendingPrecondition } from './precondition.ts'

type ExecuteStandalone = (identity: Identity, statements: readonly EncodedStatement[]) => Promise<PgResult[]>

/** A standalone batch has no side effects outside the database, so it is repeated after a deadlock or a stale plan. */
const MAX_ATTEMPTS = 3

/** `owner` identifies the database. */
export function createStandaloneBatches(pool: ConnectionPool, owner: object): ExecuteStandalone {
  function executeStandalone(identity: Identity, statements: readonly EncodedStatement[]): Promise<PgResult[]> {
    const pending = pendingPrecondition(owner)
    if (!pending) return executeBatches(identity.enter, statements)
    if (pending.inFlight) return pending.inFlight.then(() => executeStandalone(identity, statements))
    return pending.track(() => executeBatches(enterWithPrecondition(identity, pending.precondition), statements))
  }

  async function executeBatches(
    enter: EncodedStatement,
    statements: readonly EncodedStatement[],
    tries = MAX_ATTEMPTS,
  ): Promise<PgResult[]> {
    const client = await pool.checkout()
    const isRead = statements.every(({ statement }) => statement.isRead)
    const timeoutMs = isRead ? pool.readTimeoutMs : pool.writeTimeoutMs
    const batch = executeBatch(client, [enter, ...statements], timeoutMs)
    try {
      const results = await batch.completed
      if (batch.status !== 'I') throw new Error('a statement began its own transaction')
      return results.slice(1)
    } catch (error) {
      if (isStalePlan(error)) resetPreparedStatements()
      if (tries === 1 || !(isStalePlan(error) || isRetryableConflict(error))) throw translateError(error, batch)
    } finally {
      pool.release(client)
    }
    return executeBatches(enter, statements, tries - 1)
  }

  return executeStandalone
}
