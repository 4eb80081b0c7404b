/** Batches that are a transaction of their own, with the precondition of the surrounding request. */
import type { PoolClient } from 'pg'
import { isRetryableConflict, isStalePlan, translateError } from './errors.ts'
import { enterWithPrecondition, type Identity } from './identity.ts'
import type { PgResult } from './pg-internals.ts'
import { type EncodedStatement, executeBatch, type PipelinedBatch, resetPreparedStatements } from './pipelined-batch.ts'
import type { ConnectionPool } from './pool.ts'
import { isFailedPrecondition, type PendingPrecondition, pendingPrecondition } from './precondition.ts'

type ExecuteStandalone = <T>(
  identity: Identity,
  statements: readonly EncodedStatement[],
  pick: (results: PgResult[]) => T,
) => Promise<T>

/** A standalone batch has no side effects outside the database, so it is repeated after a deadlock or a stale plan. */
const MAX_ATTEMPTS = 3

/** `owner` identifies the database. */
export function createStandaloneBatches(pool: ConnectionPool, owner: object): ExecuteStandalone {
  function executeStandalone<T>(
    identity: Identity,
    statements: readonly EncodedStatement[],
    pick: (results: PgResult[]) => T,
  ): Promise<T> {
    const pending = pendingPrecondition(owner)
    if (!pending) return execute(identity.enter, statements, pick)
    const { inFlight } = pending
    const enter = enterWithPrecondition(identity, pending.precondition)
    if (!inFlight) return pending.carry(() => execute(enter, statements, pick, pending))
    const send = () => executeStandalone(identity, statements, pick)
    const afterwards = () => inFlight.then(send, send)
    if (!statements.every(isRead)) return afterwards()
    // Reads don't wait: they verify the precondition themselves. If it has only just ended, the other batch decides.
    return execute(enter, statements, pick).catch(error => {
      if (isFailedPrecondition(error)) return afterwards()
      throw error
    })
  }

  async function execute<T>(
    enter: EncodedStatement,
    statements: readonly EncodedStatement[],
    pick: (results: PgResult[]) => T,
    pending?: PendingPrecondition,
  ): Promise<T> {
    const timeoutMs = statements.every(isRead) ? pool.readTimeoutMs : pool.writeTimeoutMs
    const all = [enter, ...statements]
    for (let attempt = 1; ; attempt++) {
      let batch: PipelinedBatch | undefined
      let client: PoolClient | undefined
      try {
        client = pool.tryCheckout() ?? (await pool.checkout())
        batch = executeBatch(client, all, timeoutMs)
        const results = await batch.completed
        if (batch.status !== 'I') throw new Error('a statement began its own transaction')
        pending?.settle()
        results.shift()
        return pick(results)
      } catch (error) {
        if (isStalePlan(error)) resetPreparedStatements()
        const mayRepeat = batch !== undefined && attempt < MAX_ATTEMPTS
        if (mayRepeat && (isStalePlan(error) || isRetryableConflict(error))) continue
        const translated = batch ? translateError(error, batch) : error
        pending?.settle(translated)
        throw translated
      } finally {
        if (client) pool.release(client)
      }
    }
  }

  return executeStandalone
}

const isRead = ({ statement }: EncodedStatement): boolean => statement.isRead
