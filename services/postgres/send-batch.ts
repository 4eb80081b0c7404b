/** Sends batches, and reports them to a diagnostics channel. */
import { channel } from 'node:diagnostics_channel'
import type { Client } from 'pg'
import type { EncodedStatement } from './encoded-statement.ts'
import type { TransactionStatus } from './pg-internals.ts'
import { type BatchHandler, PipelinedBatch } from './pipelined-batch.ts'
import type { StatementResult } from './statement-result.ts'

/** The message of the diagnostics channel `larder.postgres.batch`, published for each batch before it is sent. */
export interface BatchMessage {
  readonly client: Client
  readonly statements: readonly EncodedStatement[]
  readonly completed: Promise<unknown>
}
const batchChannel = channel('larder.postgres.batch')

/** Sends a batch. Closes the connection if the response takes longer than `timeoutMs`. */
export function sendBatch(
  client: Client,
  statements: readonly EncodedStatement[],
  timeoutMs: number,
  handler: BatchHandler,
  { isAlone }: { readonly isAlone: boolean },
): void {
  const observed = batchChannel.hasSubscribers ? publishBatch(client, statements, handler) : handler
  const batch = new PipelinedBatch(client, statements, observed, isAlone)
  try {
    client.query(batch as unknown as { submit(): void })
    batch.setTimeLimit(timeoutMs)
  } catch (error) {
    // Nothing has been sent.
    observed.failed(error, client.getTransactionStatus() ?? undefined)
  }
}

function publishBatch(client: Client, statements: readonly EncodedStatement[], handler: BatchHandler): BatchHandler {
  let settle = () => {}
  const completed = new Promise<void>(resolve => {
    settle = resolve
  })
  batchChannel.publish({ client, statements, completed } satisfies BatchMessage)
  return {
    completed(...outcome) {
      settle()
      handler.completed(...outcome)
    },
    failed(...outcome) {
      settle()
      handler.failed(...outcome)
    },
  }
}

/** A batch in progress. */
export interface RunningBatch {
  /** Resolves with one result per statement. Rejects once the server has reported its status or the connection is closed. */
  readonly completed: Promise<StatementResult[]>
  /** Transaction status after completion; undefined if the connection is closed. */
  readonly status: TransactionStatus | undefined
}

/** Like `sendBatch`. */
export function executeBatch(client: Client, statements: readonly EncodedStatement[], timeoutMs: number): RunningBatch {
  let status: TransactionStatus | undefined
  const completed = new Promise<StatementResult[]>((resolve, reject) => {
    const handler: BatchHandler = {
      completed(results, reported) {
        status = reported
        resolve(results)
      },
      failed(error, reported) {
        status = reported
        reject(error)
      },
    }
    sendBatch(client, statements, timeoutMs, handler, { isAlone: false })
  })
  return {
    completed,
    get status() {
      return status
    },
  }
}
