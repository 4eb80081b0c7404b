/** Runs batches within a time limit. */
import { SECOND } from '@larder-dev/larder/kernel'
import { createWorkChannel } from '@larder-dev/larder/kernel/internal'
import type { Client } from 'pg'
import { type BatchOutcome, PipelinedBatch } from './pipelined-batch.ts'
import type { EncodedStatement } from './statements.ts'

/** What the tracing channel `larder.postgres.batch` publishes: docs/observability.md. */
export interface BatchMessage {
  readonly statements: readonly EncodedStatement[]
}
const batches = createWorkChannel<BatchMessage>('larder.postgres.batch')

export interface RunOptions {
  readonly client: Client
  readonly statements: readonly EncodedStatement[]
  readonly usesNames: boolean
  readonly timeoutMs: number
  /** Called with the error before the connection is closed because the server didn't respond in time. */
  onTimeout(error: Error): void
}

/** Never rejects. The connection must have no other batch in progress. */
export function runBatch(options: RunOptions): Promise<BatchOutcome> {
  return batches.isObserved() ? traceBatch(options) : send(options)
}

async function traceBatch(options: RunOptions): Promise<BatchOutcome> {
  const sent = send(options)
  const settle = async () => {
    const { error, status } = await sent
    if (error) throw error
    return status
  }
  // The error is part of the outcome.
  await batches.promise(settle, () => ({ statements: options.statements })).catch(() => undefined)
  return sent
}

function send({ client, statements, usesNames, timeoutMs, onTimeout }: RunOptions): Promise<BatchOutcome> {
  return new Promise<BatchOutcome>(resolve => {
    // Timers run before sockets are read: after a pause of this process, the response may have arrived unread.
    const timer = setTimeout(() => setImmediate(expire), timeoutMs)
    let hasEnded = false
    const onEnd = (outcome: BatchOutcome) => {
      hasEnded = true
      clearTimeout(timer)
      resolve(outcome)
    }
    function expire(): void {
      if (hasEnded) return
      const error = new Error(`the database did not respond within ${timeoutMs / SECOND} s`)
      onTimeout(error)
      onEnd({ error, results: [], status: undefined })
      // Closes the connection at once, because a batch is in progress. It can't fail.
      void client.end()
    }
    try {
      client.query(new PipelinedBatch({ client, statements, usesNames, onEnd }))
    } catch (error) {
      onEnd({ error: error as Error, results: [], status: undefined })
    }
  })
}
