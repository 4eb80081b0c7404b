/** One interactive transaction on one connection: what several units of work, nested or not, share. */
import { Problem } from 'larder/kernel'
import type { PoolClient } from 'pg'
import { isStalePlan, translated } from './errors.ts'
import type { Identity } from './identity.ts'
import type { WireResult } from './pg-internals.ts'
import { forgetPrepared, type Packed, send } from './pipelined-batch.ts'
import { ownStatement } from './statements.ts'

export interface Transaction {
  /** One flight as this identity. */
  run(identity: Identity, cargo: readonly Packed[]): Promise<WireResult[]>
  /** Statements so far that may have changed something. */
  writes(): number
  /** From now on it cannot commit. */
  fail(error: unknown): void
  /** Undoes what `work` did if it throws or a statement of it failed. Costs no flight of its own. */
  savepoint<T>(work: () => Promise<T>): Promise<T>
  /** @throws when anything in it failed, also where the handler has swallowed the error. */
  commit(): Promise<void>
  rollback(): Promise<void>
}

const control = (text: string): Packed => ({ statement: ownStatement(text), values: [] })
const BEGIN = control('begin')
const COMMIT = control('commit')
const ROLLBACK = control('rollback')
const SAVEPOINT = control('savepoint larder')
const RELEASE = control('release savepoint larder')
const UNDO = control('rollback to savepoint larder')

/** Nothing is sent before the first statement: `begin` and the identity travel with it. */
export function createTransaction(client: PoolClient): Transaction {
  /** What goes ahead of the next statement, in the same flight. */
  let ahead: Packed[] = [BEGIN]
  let entered: Identity | undefined
  let failure: unknown
  /** Flights that left. */
  let sent = 0
  let writes = 0
  let saving = false

  const fail = (error: unknown) => {
    failure ??= error
  }

  async function fly(cargo: readonly Packed[], expected: 'T' | 'I'): Promise<WireResult[]> {
    sent++
    const flight = send(client, cargo)
    try {
      const results = await flight.landed
      if (flight.status === expected) return results
    } catch (error) {
      if (isStalePlan(error)) forgetPrepared()
      const told = translated(error, flight)
      fail(told)
      throw told
    }
    const escaped = new Error("a statement ended the unit's transaction, or began one")
    fail(escaped)
    throw escaped
  }

  function run(identity: Identity, cargo: readonly Packed[]): Promise<WireResult[]> {
    if (failure)
      return Promise.reject(because('an earlier statement of this unit failed, so it takes no more', failure))
    const lead = entered?.tenantId === identity.tenantId ? ahead : [...ahead, identity.enter]
    ahead = []
    entered = identity
    for (const { statement } of cargo) if (!statement.reads) writes++
    return fly([...lead, ...cargo], 'T').then(results => results.slice(lead.length))
  }

  async function savepoint<T>(work: () => Promise<T>): Promise<T> {
    if (saving) throw new Error('one savepoint at a time')
    saving = true
    const before = sent
    const standing = ahead
    ahead = [...ahead, SAVEPOINT]
    const wrote = writes
    try {
      const result = await work()
      if (failure) throw swallowed(failure)
      ahead = sent === before ? standing : [...ahead, RELEASE]
      return result
    } catch (error) {
      if (sent === before) ahead = standing
      else {
        ahead = [UNDO, RELEASE]
        // What set_config did since is undone too: nobody knows as whom the next statement would run.
        entered = undefined
        failure = undefined
      }
      writes = wrote
      throw error
    } finally {
      saving = false
    }
  }

  async function commit(): Promise<void> {
    if (failure) throw swallowed(failure)
    if (sent === 0) return
    const results = await fly([...ahead, COMMIT], 'I')
    // To `commit` in a failed transaction the server answers with the command ROLLBACK and no error.
    if (results.at(-1)?.command !== 'COMMIT') throw swallowed(new Error('the server answered commit with a rollback'))
  }

  async function rollback(): Promise<void> {
    if (sent === 0 || client.getTransactionStatus() === 'I') return
    // A connection that cannot even roll back is closed by the pool: its status is not idle.
    await send(client, [ROLLBACK]).landed.catch(() => {})
  }

  return { run, writes: () => writes, fail, savepoint, commit, rollback }
}

const swallowed = (failure: unknown): unknown =>
  because('something in this unit failed, so nothing of it was kept', failure)

/** A database that is away stays what it is: 503. */
const because = (message: string, failure: unknown): unknown =>
  Problem.is(failure) && failure.status === 503 ? failure : new Error(message, { cause: failure })
