/** One interactive transaction on one connection, shared by a unit of work and its nested units. */
import { Problem } from 'larder/kernel'
import type { PoolClient } from 'pg'
import { isStalePlan, translateError } from './errors.ts'
import type { Identity } from './identity.ts'
import type { PgResult } from './pg-internals.ts'
import { type EncodedStatement, executeBatch, resetPreparedStatements } from './pipelined-batch.ts'
import { internalStatement } from './statements.ts'

export interface Transaction {
  /** Executes one batch as this identity. */
  run(identity: Identity, statements: readonly EncodedStatement[]): Promise<PgResult[]>
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

const controlStatement = (text: string): EncodedStatement => ({ statement: internalStatement(text), values: [] })
const BEGIN = controlStatement('begin')
const COMMIT = controlStatement('commit')
const ROLLBACK = controlStatement('rollback')
const SAVEPOINT = controlStatement('savepoint larder')
const RELEASE_SAVEPOINT = controlStatement('release savepoint larder')
const ROLLBACK_TO_SAVEPOINT = controlStatement('rollback to savepoint larder')

/** Sends nothing before the first statement: `begin` and the identity are in the same batch. */
export function createTransaction(client: PoolClient, timeoutMs: number): Transaction {
  /** Sent ahead of the next statement, in the same batch. */
  let prelude: EncodedStatement[] = [BEGIN]
  let currentIdentity: Identity | undefined
  let failure: unknown
  let batchesSent = 0
  let writeCount = 0
  let inSavepoint = false

  const fail = (error: unknown) => {
    failure ??= error
  }

  async function execute(statements: readonly EncodedStatement[], expected: 'T' | 'I'): Promise<PgResult[]> {
    batchesSent++
    const batch = executeBatch(client, statements, timeoutMs)
    try {
      const results = await batch.completed
      if (batch.status === expected) return results
    } catch (error) {
      if (isStalePlan(error)) resetPreparedStatements()
      const translated = translateError(error, batch)
      fail(translated)
      throw translated
    }
    const error = new Error("a statement ended the unit's transaction, or began another one")
    fail(error)
    throw error
  }

  function run(identity: Identity, statements: readonly EncodedStatement[]): Promise<PgResult[]> {
    if (failure)
      return Promise.reject(
        wrapFailure('an earlier statement of this unit failed, so it accepts no more statements', failure),
      )
    const leading = currentIdentity?.tenantId === identity.tenantId ? prelude : [...prelude, identity.enter]
    prelude = []
    currentIdentity = identity
    for (const { statement } of statements) if (!statement.isRead) writeCount++
    return execute([...leading, ...statements], 'T').then(results => results.slice(leading.length))
  }

  async function savepoint<T>(work: () => Promise<T>): Promise<T> {
    if (inSavepoint) throw new Error('savepoints cannot overlap')
    inSavepoint = true
    const sentBefore = batchesSent
    const preludeBefore = prelude
    prelude = [...prelude, SAVEPOINT]
    const writesBefore = writeCount
    try {
      const result = await work()
      if (failure) throw rolledBack(failure)
      prelude = batchesSent === sentBefore ? preludeBefore : [...prelude, RELEASE_SAVEPOINT]
      return result
    } catch (error) {
      if (batchesSent === sentBefore) prelude = preludeBefore
      else {
        prelude = [ROLLBACK_TO_SAVEPOINT, RELEASE_SAVEPOINT]
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
    const results = await execute([...prelude, COMMIT], 'I')
    // For `commit` in a failed transaction, the server returns the command tag ROLLBACK and no error.
    if (results.at(-1)?.command !== 'COMMIT')
      throw rolledBack(new Error('the server rolled back instead of committing'))
  }

  async function rollback(): Promise<void> {
    if (batchesSent === 0 || client.getTransactionStatus() === 'I') return
    // If even the rollback fails, the pool closes the connection because its status is not idle.
    await executeBatch(client, [ROLLBACK], timeoutMs).completed.catch(() => {})
  }

  return { run, writeCount: () => writeCount, fail, savepoint, commit, rollback }
}

const rolledBack = (failure: unknown): unknown =>
  wrapFailure('a part of this unit failed, so all of it was rolled back', failure)

/** Keeps the 503 of an unavailable database. */
const wrapFailure = (message: string, failure: unknown): unknown =>
  Problem.is(failure) && failure.status === 503 ? failure : new Error(message, { cause: failure })
