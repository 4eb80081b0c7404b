/** A connection that is in use by one unit of work. */
import type { PoolClient } from 'pg'
import type { Circuit } from './circuit.ts'
import type { BatchOutcome, TransactionStatus } from './pipelined-batch.ts'
import { hasUnreplicatedCommit, UnreplicatedCommitError } from './replicated-commits.ts'
import { runBatch } from './run-batch.ts'
import type { EncodedStatement } from './statements.ts'
import { isRejectedWrite } from './writable.ts'

export interface PooledConnection {
  /** State of the transaction after the latest batch; undefined if the connection is closed. */
  readonly status: TransactionStatus | undefined
  /** Runs one batch; the previous one must have ended. Never rejects. */
  run(statements: readonly EncodedStatement[], timeoutMs: number): Promise<BatchOutcome>
  /** Returns the connection to the pool, which closes it unless it is idle and its server has accepted all writes. */
  release(): void
}

export interface PooledConnectionOptions {
  readonly client: PoolClient
  /** See `BatchOptions`. */
  readonly usesNames: boolean
  /** The server may be read-only. */
  readonly readOnly: boolean
  readonly circuit: Pick<Circuit, 'suspect' | 'lost'>
  onRelease?(): void
}

export function createPooledConnection(options: PooledConnectionOptions): PooledConnection {
  const { client, usesNames, readOnly, circuit, onRelease } = options
  let status: TransactionStatus | undefined = 'I'
  let hasRejectedWrite = false
  return {
    get status() {
      return status
    },
    async run(statements, timeoutMs) {
      const ended = await runBatch({ client, statements, timeoutMs, usesNames, onTimeout: circuit.suspect })
      const outcome = hasUnreplicatedCommit(client) ? withUnknownCommit(ended) : ended
      status = outcome.status
      if (!readOnly && isRejectedWrite(outcome.error)) {
        hasRejectedWrite = true
        circuit.suspect(outcome.error)
      } else if (status === undefined) circuit.lost(outcome.error)
      return outcome
    },
    release() {
      client.release(hasRejectedWrite || status !== 'I')
      onRelease?.()
    },
  }
}

/** Like a batch without a response: what it did may be kept or lost. */
const withUnknownCommit = (outcome: BatchOutcome): BatchOutcome => ({
  error: new UnreplicatedCommitError(),
  results: outcome.results,
  status: undefined,
})
