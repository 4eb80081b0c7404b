/**
 * One interactive transaction on one connection, shared by a unit of work and its nested units. Statements wait in a
 * queue; all that are waiting are sent together, as one batch, as soon as the previous batch has ended.
 */
import { Problem } from '@larder-dev/larder/kernel'
import { isStalePlan, translateError } from './errors.ts'
import { type BatchOutcome, resetPreparedStatements } from './pipelined-batch.ts'
import type { ConnectionPool } from './pool.ts'
import type { PooledConnection } from './pooled-connection.ts'
import type { StatementResult } from './statement-result.ts'
import { type EncodedStatement, internalStatement, type Statement } from './statements.ts'
import type { BatchVerification } from './verification.ts'

export interface Transaction {
  /** Executes these statements for this tenant, or for the system if null. */
  run(tenantId: string | null, statements: readonly EncodedStatement[]): Promise<StatementResult[]>
  /** Executes the statements with the next ones or with the commit, and resolves with undefined; or at once, if it must. */
  defer(tenantId: string | null, statements: readonly EncodedStatement[]): Promise<StatementResult[] | undefined>
  /** The number of statements so far that may have written. */
  writeCount(): number
  /** Prevents the commit. */
  fail(error: unknown): void
  /** Rolls `work` back if it throws or one of its statements fails. Needs no additional round trip. */
  savepoint<T>(work: () => Promise<T>): Promise<T>
  /** @throws if anything in it failed, even if the handler caught the error. */
  commit(): Promise<void>
  rollback(): Promise<void>
}

/** Statements that a caller sent together. */
interface Entry {
  readonly statements: readonly EncodedStatement[]
  /** Absent for statements whose results nobody awaits. */
  readonly caller?: {
    resolve(results: StatementResult[]): void
    reject(error: unknown): void
  }
}

/** Bounds the memory of statements that are waiting, and the time of the commit that sends them. */
const MAX_DEFERRED_STATEMENTS = 200

const BEGIN = internalStatement('begin')
const COMMIT = internalStatement('commit')
const ROLLBACK = internalStatement('rollback')
const SAVEPOINT = internalStatement('savepoint larder')
const RELEASE_SAVEPOINT = internalStatement('release savepoint larder')
const ROLLBACK_TO_SAVEPOINT = internalStatement('rollback to savepoint larder')

/** Sends nothing before the first statement: `begin` and the settings are in the same batch. */
export function createTransaction(
  connection: PooledConnection,
  {
    writeTimeoutMs,
    responseTimeoutMs,
    reportUnconfirmedCommit,
  }: Pick<ConnectionPool, 'writeTimeoutMs' | 'responseTimeoutMs' | 'reportUnconfirmedCommit'>,
  verification: BatchVerification,
): Transaction {
  const timeoutMs = responseTimeoutMs(writeTimeoutMs)
  let queue: Entry[] = [{ statements: [BEGIN] }]
  /** The number of deferred statements in `queue`. */
  let deferred = 0
  /** Whose statements the settings at the end of `queue` are for; undefined if nobody's. */
  let currentTenantId: string | null | undefined
  let failure: unknown
  let batchesSent = 0
  let writeCount = 0
  let inSavepoint = false
  let isSending = false

  const fail = (error: unknown) => {
    failure ??= error
  }

  function enqueue(tenantId: string | null, statements: readonly EncodedStatement[], caller?: Entry['caller']): void {
    if (tenantId !== currentTenantId) queue.push({ statements: [verification.start(tenantId, writeTimeoutMs)] })
    queue.push({ statements, ...(caller && { caller }) })
    currentTenantId = tenantId
    for (const { statement } of statements) if (!statement.isRead) writeCount++
  }

  function run(tenantId: string | null, statements: readonly EncodedStatement[]): Promise<StatementResult[]> {
    if (failure) return Promise.reject(refused(failure))
    return new Promise((resolve, reject) => {
      enqueue(tenantId, statements, { resolve, reject })
      if (!isSending) void sendAll()
    })
  }

  /** Sends batches until no caller is waiting. */
  async function sendAll(): Promise<void> {
    isSending = true
    do {
      await endOfTurn()
      await send('T')
    } while (queue.some(({ caller }) => caller))
    isSending = false
  }

  /** Sends the queue as one batch. Never rejects. */
  async function send(expected: 'T' | 'I'): Promise<readonly StatementResult[]> {
    const entries = queue
    queue = []
    deferred = 0
    if (failure) {
      for (const { caller } of entries) caller?.reject(refused(failure))
      return []
    }
    batchesSent++
    const statements = entries.flatMap(entry => entry.statements)
    const { results, ...outcome } = await connection.run(statements, timeoutMs)
    verification.end(outcome.error)
    const error = errorOf(outcome, expected, statements[results.length]?.statement)
    if (error !== undefined) fail(error)
    settle(entries, error === undefined || outcome.status === 'E' ? results : [], error)
    return results
  }

  /** @param statement that failed, if one did. */
  function errorOf(
    { error, status }: Omit<BatchOutcome, 'results'>,
    expected: 'T' | 'I',
    statement: Statement | undefined,
  ): unknown {
    if (!error)
      return status === expected
        ? undefined
        : new Error("a statement ended the unit's transaction, or began another one")
    if (isStalePlan(error)) resetPreparedStatements()
    return translateError(error, { status, statement, statementTimeoutMs: writeTimeoutMs })
  }

  async function defer(
    tenantId: string | null,
    statements: readonly EncodedStatement[],
  ): Promise<StatementResult[] | undefined> {
    // The first batch begins the transaction.
    if (failure || batchesSent === 0 || deferred + statements.length > MAX_DEFERRED_STATEMENTS)
      return run(tenantId, statements)
    enqueue(tenantId, statements)
    deferred += statements.length
    return undefined
  }

  async function savepoint<T>(work: () => Promise<T>): Promise<T> {
    if (inSavepoint) throw new Error('savepoints cannot overlap')
    inSavepoint = true
    const sentBefore = batchesSent
    const before = { queue: [...queue], deferred, currentTenantId, writeCount }
    queue.push({ statements: [SAVEPOINT] })
    try {
      const result = await work()
      const isSent = batchesSent !== sentBefore
      // Their errors must fail this savepoint, not the transaction.
      if (deferred > (isSent ? 0 : before.deferred)) await send('T')
      if (failure) throw rolledBack(failure)
      if (batchesSent === sentBefore) queue = before.queue
      else queue.push({ statements: [RELEASE_SAVEPOINT] })
      return result
    } catch (error) {
      if (batchesSent === sentBefore) ({ queue, deferred, currentTenantId } = before)
      else {
        queue = [{ statements: [ROLLBACK_TO_SAVEPOINT, RELEASE_SAVEPOINT] }]
        deferred = 0
        // The rollback also reverts set_config, so the current settings are unknown.
        currentTenantId = undefined
        failure = undefined
      }
      writeCount = before.writeCount
      throw error
    } finally {
      inSavepoint = false
    }
  }

  async function commit(): Promise<void> {
    if (failure) throw rolledBack(failure)
    if (batchesSent === 0) return
    queue.push({ statements: [COMMIT] })
    const results = await send('I')
    if (connection.status === undefined && writeCount > 0) reportUnconfirmedCommit()
    if (failure) throw failure
    // The server answers `commit` in a failed transaction with the command tag ROLLBACK and no error.
    if (results.at(-1)?.command !== 'COMMIT')
      throw rolledBack(new Error('the server rolled back instead of committing'))
  }

  async function rollback(): Promise<void> {
    if (batchesSent === 0 || connection.status === 'I' || connection.status === undefined) return
    // If even the rollback fails, the pool closes the connection because its status is not idle.
    await connection.run([ROLLBACK], timeoutMs)
  }

  return { run, defer, writeCount: () => writeCount, fail, savepoint, commit, rollback }
}

/** Resolves after the code that is running now and all promises that it settles, which may add statements to a batch. */
const endOfTurn = (): Promise<void> => new Promise(resolve => queueMicrotask(() => process.nextTick(resolve)))

/** Gives each caller its results. The one whose statement failed gets the error, and so do those behind it. */
function settle(entries: readonly Entry[], results: readonly StatementResult[], error: unknown): void {
  let at = 0
  let isReported = false
  for (const { statements, caller } of entries) {
    const own = results.slice(at, at + statements.length)
    at += statements.length
    if (!caller) continue
    if (own.length === statements.length && !isReported) caller.resolve(own)
    else {
      caller.reject(isReported ? refused(error) : error)
      isReported = true
    }
  }
}

const refused = (failure: unknown): unknown =>
  wrapFailure('an earlier statement of this unit failed, so it accepts no more statements', failure)
const rolledBack = (failure: unknown): unknown =>
  wrapFailure('a part of this unit failed, so all of it was rolled back', failure)

/** Keeps the 503 of an unavailable database. */
const wrapFailure = (message: string, failure: unknown): unknown =>
  Problem.is(failure) && failure.status === 503 ? failure : new Error(message, { cause: failure })
