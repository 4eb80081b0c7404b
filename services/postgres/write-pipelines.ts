/**
 * Sends short writes of a tenant, which requests make in one turn of the event loop, in a pipeline: on one connection,
 * with one system call and one flush of the log. Each of them remains a transaction of its own, and is reported as
 * completed after the flush. Decision: docs/decisions/0050-pipelined-writes.md.
 */
import type { PoolClient } from 'pg'
import { type EncodedStatement, encodeOnce } from './encoded-statement.ts'
import { holdWrites } from './pg-internals.ts'
import type { BatchHandler } from './pipelined-batch.ts'
import type { ConnectionPool } from './pool.ts'
import { sendBatch } from './send-batch.ts'
import { internalStatement } from './statements.ts'

const MAX_WRITES = 8
/** A write that waits longer for a lock is rolled back, so that it doesn't delay those behind it for long. */
const LOCK_TIMEOUT_MS = 50

const setLocally = (...settings: string[]): EncodedStatement =>
  encodeOnce(internalStatement(`select ${settings.map(setting => `set_config(${setting}, true)`).join(', ')}`))
const LOCK_TIMEOUT = `'lock_timeout', '${LOCK_TIMEOUT_MS}'`
/** All writes but the last commit without waiting for the log. The last one flushes it for all. */
const BEFORE_UNFLUSHED = setLocally(LOCK_TIMEOUT, `'synchronous_commit', 'off'`)
const BEFORE_LAST = setLocally(LOCK_TIMEOUT)
/** Writes a record to the log, so that its commit flushes the log. */
const FLUSH = encodeOnce(internalStatement(`select pg_logical_emit_message(true, 'larder', '')`))
const ALONE = { isAlone: true }

export interface PipelinedWrite {
  readonly statements: readonly EncodedStatement[]
  readonly handler: BatchHandler
  /** Sends it on a connection of its own. */
  sendAlone(): void
}

/** Returns a function that sends a write of the tenant at the end of the turn. */
export function createWritePipelines(pool: ConnectionPool): (tenantId: string, write: PipelinedWrite) => void {
  const pending = new Map<string, PipelinedWrite[]>()

  function send(tenantId: string, writes: readonly PipelinedWrite[]): void {
    if (pending.get(tenantId) === writes) pending.delete(tenantId)
    const client = writes.length > 1 ? tryCheckout() : undefined
    if (client) sendTogether(pool, client, writes)
    else for (const write of writes) write.sendAlone()
  }

  /** Writes that are sent alone report an unavailable database themselves. */
  function tryCheckout(): PoolClient | undefined {
    try {
      return pool.tryCheckout()
    } catch {
      return undefined
    }
  }

  return (tenantId, write) => {
    const writes = pending.get(tenantId)
    if (!writes) {
      const started = [write]
      pending.set(tenantId, started)
      // Runs after all sockets that have data were read.
      setImmediate(() => pending.get(tenantId) === started && send(tenantId, started))
      return
    }
    writes.push(write)
    if (writes.length === MAX_WRITES) send(tenantId, writes)
  }
}

function sendTogether(pool: ConnectionPool, client: PoolClient, writes: readonly PipelinedWrite[]): void {
  /** Writes that are committed, but perhaps not durable. */
  const unflushed: { readonly handler: BatchHandler; complete(): void }[] = []
  let running = writes.length
  let isFlushed = false
  /** Of the connection, if it was closed. */
  let closeError: unknown

  const completeAll = () => {
    pool.release(client)
    for (const { complete } of unflushed) complete()
  }
  const failAll = (error: unknown) => {
    pool.release(client)
    // Without a status: they may have taken effect.
    for (const { handler } of unflushed) handler.failed(error, undefined)
  }
  const sendOne = (statements: readonly EncodedStatement[], handler: BatchHandler) =>
    sendBatch(client, statements, pool.writeTimeoutMs, handler, ALONE)

  function end(): void {
    if (--running > 0) return
    if (isFlushed || unflushed.length === 0) completeAll()
    else if (closeError !== undefined) failAll(closeError)
    else sendOne([FLUSH], { completed: completeAll, failed: failAll })
  }

  const observe = (handler: BatchHandler, isLast: boolean): BatchHandler => ({
    completed(results, status) {
      results.shift()
      const complete = () => handler.completed(results, status)
      unflushed.push({ handler, complete })
      isFlushed = isLast
      end()
    },
    failed(error, status) {
      if (status === undefined) closeError = error
      handler.failed(error, status)
      end()
    },
  })

  const releaseBytes = holdWrites(client)
  for (const [at, { statements, handler }] of writes.entries()) {
    const isLast = at === writes.length - 1
    sendOne([isLast ? BEFORE_LAST : BEFORE_UNFLUSHED, ...statements], observe(handler, isLast))
  }
  releaseBytes()
}
