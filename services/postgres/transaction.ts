/** One interactive transaction on one connection, shared by a unit of work and its nested units. */
import { Problem } from 'larder/kernel'
import type { PoolClient } from 'pg'
import { type EncodedStatement, encodeOnce } from './encoded-statement.ts'
import { isStalePlan, translateError } from './errors.ts'
import { enterWithPrecondition, type Identity } from './identity.ts'
import { type BatchHandler, resetPreparedStatements } from './pipelined-batch.ts'
import type { PendingPrecondition } from './precondition.ts'
import { executeBatch, sendBatch } from './send-batch.ts'
import type { StatementResult } from './statement-result.ts'
import { internalStatement } from './statements.ts'

export interface Transaction {
  /** Executes one batch as this identity. */
  run(identity: Identity, statements: readonly EncodedStatement[]): Promise<StatementResult[]>
  /** Executes the statements with the next batch or with the commit, and resolves with undefined; or at once, if it must. */
  defer(identity: Identity, statements: readonly EncodedStatement[]): Promise<StatementResult[] | undefined>
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

/** Bounds the memory of statements that are waiting, and the time of the commit that sends them. */
const MAX_DEFERRED_STATEMENTS = 200

const controlStatement = (text: string): EncodedStatement => encodeOnce(internalStatement(text))
const BEGIN = controlStatement('begin')
const COMMIT = controlStatement('commit')
const ROLLBACK = controlStatement('rollback')
const SAVEPOINT = controlStatement('savepoint larder')
const RELEASE_SAVEPOINT = controlStatement('release savepoint larder')
const ROLLBACK_TO_SAVEPOINT = controlStatement('rollback to savepoint larder')
/** Several statements may be sent in the same tick. */
const SHARED = { isAlone: false }

/** Sends nothing before the first statement: `begin`, the identity and a pending precondition are in the same batch. */
export function createTransaction(
  client: PoolClient,
  timeoutMs: number,
  pendingPrecondition: () => PendingPrecondition | undefined,
): Transaction {
  /** Sent ahead of the next statement, in the same batch. */
  let prelude: EncodedStatement[] = [BEGIN]
  /** The number of statements of callers in `prelude`. */
  let deferred = 0
  /** At the end of `prelude`. */
  let currentIdentity: Identity | undefined
  let failure: unknown
  let batchesSent = 0
  let writeCount = 0
  let inSavepoint = false
  /** While a batch on another connection carries the precondition of the request. */
  let gate: Promise<void> | undefined
  /** If the precondition that an earlier batch carried fails, the server rejects the batches that follow it. */
  let carriesPrecondition = false

  const fail = (error: unknown) => {
    failure ??= error
  }

  /** Resolves with the results from the statement at `from` on. */
  function execute(
    statements: readonly EncodedStatement[],
    expected: 'T' | 'I',
    from = 0,
    pending?: PendingPrecondition,
  ): Promise<StatementResult[]> {
    batchesSent++
    return new Promise((resolve, reject) => {
      const handler: BatchHandler = {
        completed(results, status) {
          pending?.settle()
          if (status === expected) return resolve(from > 0 ? results.slice(from) : results)
          const error = new Error("a statement ended the unit's transaction, or began another one")
          fail(error)
          reject(error)
        },
        failed(error, status) {
          if (isStalePlan(error)) resetPreparedStatements()
          const translated = translateError(error, { status })
          pending?.settle(translated)
          fail(translated)
          reject(translated)
        },
      }
      sendBatch(client, statements, timeoutMs, handler, SHARED)
    })
  }

  function run(identity: Identity, statements: readonly EncodedStatement[]): Promise<StatementResult[]> {
    if (failure)
      return Promise.reject(
        wrapFailure('an earlier statement of this unit failed, so it accepts no more statements', failure),
      )
    const pending = carriesPrecondition ? undefined : pendingPrecondition()
    if (!gate && pending?.inFlight) {
      const open = () => {
        gate = undefined
      }
      gate = pending.inFlight.then(open, open)
    }
    return gate ? gate.then(() => run(identity, statements)) : send(identity, statements, pending)
  }

  function send(
    identity: Identity,
    statements: readonly EncodedStatement[],
    pending: PendingPrecondition | undefined,
  ): Promise<StatementResult[]> {
    const leading = [...prelude]
    if (pending) leading.push(enterWithPrecondition(identity, pending.precondition))
    else if (currentIdentity?.tenantId !== identity.tenantId) leading.push(identity.enter)
    const started = () => {
      if (pending) carriesPrecondition = true
      takePrelude()
      currentIdentity = identity
      countWrites(statements)
      return execute([...leading, ...statements], 'T', leading.length, pending)
    }
    return pending ? pending.carry(started) : started()
  }

  function takePrelude(): EncodedStatement[] {
    const taken = prelude
    prelude = []
    deferred = 0
    return taken
  }

  function countWrites(statements: readonly EncodedStatement[]): void {
    for (const { statement } of statements) if (!statement.isRead) writeCount++
  }

  async function defer(
    identity: Identity,
    statements: readonly EncodedStatement[],
  ): Promise<StatementResult[] | undefined> {
    // The first batch begins the transaction. Behind a gate, other statements that came earlier are waiting.
    if (failure || gate || batchesSent === 0 || deferred + statements.length > MAX_DEFERRED_STATEMENTS)
      return run(identity, statements)
    if (currentIdentity?.tenantId !== identity.tenantId) prelude = [...prelude, identity.enter]
    prelude = [...prelude, ...statements]
    deferred += statements.length
    currentIdentity = identity
    countWrites(statements)
    return undefined
  }

  async function savepoint<T>(work: () => Promise<T>): Promise<T> {
    if (inSavepoint) throw new Error('savepoints cannot overlap')
    inSavepoint = true
    const sentBefore = batchesSent
    const before = { prelude, deferred, currentIdentity }
    prelude = [...prelude, SAVEPOINT]
    const writesBefore = writeCount
    try {
      const result = await work()
      // Their errors must fail this savepoint, not the transaction.
      if (deferred > (batchesSent === sentBefore ? before.deferred : 0)) await execute(takePrelude(), 'T')
      if (failure) throw rolledBack(failure)
      prelude = batchesSent === sentBefore ? before.prelude : [...prelude, RELEASE_SAVEPOINT]
      return result
    } catch (error) {
      if (batchesSent === sentBefore) ({ prelude, deferred, currentIdentity } = before)
      else {
        prelude = [ROLLBACK_TO_SAVEPOINT, RELEASE_SAVEPOINT]
        deferred = 0
        // The rollback also reverts set_config, so the current identity is unknown.
        currentIdentity = undefined
        failure = undefined
      }
      writeCount = writesBefore
      throw error
    } finally {
      inSavepoint = false
    }
  }

  async function commit(): Promise<void> {
    if (failure) throw rolledBack(failure)
    if (batchesSent === 0) return
    const results = await execute([...takePrelude(), COMMIT], 'I')
    // For `commit` in a failed transaction, the server returns the command tag ROLLBACK and no error.
    if (results.at(-1)?.command !== 'COMMIT')
      throw rolledBack(new Error('the server rolled back instead of committing'))
  }

  async function rollback(): Promise<void> {
    if (batchesSent === 0 || client.getTransactionStatus() === 'I') return
    // If even the rollback fails, the pool closes the connection because its status is not idle.
    await executeBatch(client, [ROLLBACK], timeoutMs).completed.catch(() => {})
  }

  return { run, defer, writeCount: () => writeCount, fail, savepoint, commit, rollback }
}

const rolledBack = (failure: unknown): unknown =>
  wrapFailure('a part of this unit failed, so all of it was rolled back', failure)

/** Keeps the 503 of an unavailable database. */
const wrapFailure = (message: string, failure: unknown): unknown =>
  Problem.is(failure) && failure.status === 503 ? failure : new Error(message, { cause: failure })
