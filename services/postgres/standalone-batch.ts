/** Batches that are a transaction of their own, with the precondition of the surrounding request. */
import type { PoolClient } from 'pg'
import type { EncodedStatement } from './encoded-statement.ts'
import { isRetryableConflict, isStalePlan, translateError } from './errors.ts'
import { enterWithPrecondition, type Identity } from './identity.ts'
import type { TransactionStatus } from './pg-internals.ts'
import { type BatchHandler, resetPreparedStatements } from './pipelined-batch.ts'
import type { ConnectionPool } from './pool.ts'
import { isFailedPrecondition, type PendingPrecondition, pendingPrecondition } from './precondition.ts'
import { createReadPipelines, type PipelinePlace } from './read-pipelines.ts'
import { sendBatch } from './send-batch.ts'
import type { StatementResult } from './statement-result.ts'

type ExecuteStandalone = <T>(
  identity: Identity,
  statements: readonly EncodedStatement[],
  pick: (results: StatementResult[]) => T,
) => Promise<T>

/** A standalone batch has no side effects outside the database, so it is repeated after a deadlock or a stale plan. */
const MAX_ATTEMPTS = 3
const ALONE = { isAlone: true }

/** `owner` identifies the database. */
export function createStandaloneBatches(pool: ConnectionPool, owner: object): ExecuteStandalone {
  const joinPipeline = createReadPipelines(pool)

  function executeStandalone<T>(
    identity: Identity,
    statements: readonly EncodedStatement[],
    pick: (results: StatementResult[]) => T,
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

  /** Creates one promise, because each of them costs about a microsecond with an async context. */
  function execute<T>(
    enter: EncodedStatement,
    statements: readonly EncodedStatement[],
    pick: (results: StatementResult[]) => T,
    pending?: PendingPrecondition,
  ): Promise<T> {
    const areReads = statements.every(isRead)
    const timeoutMs = areReads ? pool.readTimeoutMs : pool.writeTimeoutMs
    const all = [enter, ...statements]
    const isPipelinedRead = areReads && statements.every(({ statement }) => statement.isPipelined)
    let attempts = 0
    return new Promise((resolve, reject) => {
      const fail = (error: unknown) => {
        pending?.settle(error)
        reject(error)
      }
      const complete: BatchHandler['completed'] = (results, status) => {
        if (status !== 'I') return fail(new Error('a statement began its own transaction'))
        pending?.settle()
        results.shift()
        resolve(pick(results))
      }
      const begin = (mayJoin: boolean) => {
        try {
          const place = mayJoin ? joinPipeline() : undefined
          const client = place?.client ?? pool.tryCheckout()
          if (client) send(client, place)
          else
            pool
              .checkout()
              .then(client => send(client))
              .catch(fail)
        } catch (error) {
          fail(error)
        }
      }
      const repeatOrFail = (
        error: unknown,
        status: TransactionStatus | undefined,
        mayRepeat: boolean,
        mayJoin: boolean,
      ) => {
        const isStale = isStalePlan(error)
        if (isStale) resetPreparedStatements()
        if ((mayRepeat || isStale || isRetryableConflict(error)) && attempts < MAX_ATTEMPTS) begin(mayJoin)
        else fail(translateError(error, { status }))
      }
      const send = (client: PoolClient, place?: PipelinePlace) => {
        attempts++
        const release = (status: TransactionStatus | undefined) =>
          place ? place.leave(status !== undefined) : pool.release(client)
        const handler: BatchHandler = {
          completed(results, status) {
            release(status)
            complete(results, status)
          },
          failed(error, status) {
            // The connection was closed while the read waited for another one.
            const wasWaiting = status === undefined && place?.isStarted() === false
            release(status)
            repeatOrFail(error, status, wasWaiting, isPipelinedRead && !wasWaiting)
          },
        }
        sendBatch(client, all, timeoutMs, handler, ALONE)
      }
      begin(isPipelinedRead)
    })
  }

  return executeStandalone
}

const isRead = ({ statement }: EncodedStatement): boolean => statement.isRead
