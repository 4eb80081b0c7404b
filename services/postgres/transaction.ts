/** One interactive transaction on one connection: what several units of work, nested or not, share. */
import { Problem } from 'larder/kernel'
import type { PoolClient } from 'pg'
import { isStalePlan, translateError } from './errors.ts'
import type { Identity } from './identity.ts'
import type { PgResult } from './pg-internals.ts'
import { type EncodedStatement, executeBatch, resetPreparedStatements } from './pipelined-batch.ts'
import { internalStatement } from './statements.ts'

export interface Transaction {
  /** One flight as this identity. */
  run(identity: Identity, cargo: readonly EncodedStatement[]): Promise<PgResult[]>
  /** Statements so far that may have changed something. */
  writeCount(): number
  /** From now on it cannot commit. */
  fail(error: unknown): void
  /** Undoes what `work` did if it throws or a statement of it failed. Costs no flight of its own. */
  savepoint<T>(work: () => Promise<T>): Promise<T>
  /** @throws when anything in it failed, also where the handler has swallowed the error. */
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

/** Nothing is sent before the first statement: `begin` and the identity travel with it. */
export function createTransaction(client: PoolClient): Transaction {
  /** What goes ahead of the next statement, in the same flight. */
  let prelude: EncodedStatement[] = [BEGIN]
  let currentIdentity: Identity | undefined
  let failure: unknown
  /** Flights that left. */
  let batchesSent = 0
  let writeCount = 0
  let inSavepoint = false

  const fail = (error: unknown) => {
    failure ??= error
  }

  async function execute(cargo: readonly EncodedStatement[], expected: 'T' | 'I'): Promise<PgResult[]> {
    batchesSent++
    const flight = executeBatch(client, cargo)
    try {
      const results = await flight.completed
      if (flight.status === expected) return results
    } catch (error) {
      if (isStalePlan(error)) resetPreparedStatements()
      const told = translateError(error, flight)
      fail(told)
      throw told
    }
    const escaped = new Error("a statement ended the unit's transaction, or began one")
    fail(escaped)
    throw escaped
  }

  function run(identity: Identity, cargo: readonly EncodedStatement[]): Promise<PgResult[]> {
    if (failure)
      return Promise.reject(wrapFailure('an earlier statement of this unit failed, so it takes no more', failure))
    const lead = currentIdentity?.tenantId === identity.tenantId ? prelude : [...prelude, identity.enter]
    prelude = []
    currentIdentity = identity
    for (const { statement } of cargo) if (!statement.isRead) writeCount++
    return execute([...lead, ...cargo], 'T').then(results => results.slice(lead.length))
  }

  async function savepoint<T>(work: () => Promise<T>): Promise<T> {
    if (inSavepoint) throw new Error('one savepoint at a time')
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
        // What set_config did since is undone too: nobody knows as whom the next statement would run.
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
    // To `commit` in a failed transaction the server answers with the command ROLLBACK and no error.
    if (results.at(-1)?.command !== 'COMMIT') throw rolledBack(new Error('the server answered commit with a rollback'))
  }

  async function rollback(): Promise<void> {
    if (batchesSent === 0 || client.getTransactionStatus() === 'I') return
    // A connection that cannot even roll back is closed by the pool: its status is not idle.
    await executeBatch(client, [ROLLBACK]).completed.catch(() => {})
  }

  return { run, writeCount: () => writeCount, fail, savepoint, commit, rollback }
}

const rolledBack = (failure: unknown): unknown =>
  wrapFailure('something in this unit failed, so nothing of it was kept', failure)

/** A database that is away stays what it is: 503. */
const wrapFailure = (message: string, failure: unknown): unknown =>
  Problem.is(failure) && failure.status === 503 ? failure : new Error(message, { cause: failure })
