/** The port `database`: units of work, joined ambiently, and never a connection. */
import { type Database, type Result, type Step, type Unit, withContext } from 'larder/kernel'
import type { Logger } from 'pino'
import { isRetryableConflict, isStalePlan, translateError } from './errors.ts'
import { type Identity, SYSTEM, tenantIdentity } from './identity.ts'
import type { PgResult } from './pg-internals.ts'
import { type EncodedStatement, encodeStatement, executeBatch, resetPreparedStatements } from './pipelined-batch.ts'
import type { ConnectionPool } from './pool.ts'
import {
  type AfterCommit,
  ambientScope,
  assertOpen,
  createScope,
  runInScope,
  type Scope,
  track,
  trackNested,
} from './scope.ts'
import { createTransaction } from './transaction.ts'

/** A unit that crosses tenants and takes back parts of itself: what the relay works in. */
export interface SystemTransaction extends Unit {
  /** Waits for what `work` did not await, too. What fails in it fails the whole transaction. One at a time. */
  nested(work: () => Promise<void>): Promise<void>
  /**
   * Undoes what `work` did, and drops its `afterCommit`, if it throws, if a statement of it failed, or if it left one
   * failing that it did not await. Units of any tenant inside join. One at a time.
   */
  savepoint<T>(work: () => Promise<T>): Promise<T>
}

export interface Units {
  readonly database: Database
  systemTransaction<T>(why: string, work: (unit: SystemTransaction) => Promise<T>): Promise<T>
  /** One statement in the unit that surrounds the call, as whoever it runs; an Error where there is none. */
  queryInUnit(step: Step): Promise<PgResult>
}

/** A flight is nothing but its data: after a deadlock, or a stale plan, it is sent again. */
const MAX_ATTEMPTS = 3

export function createUnits(pool: ConnectionPool, log: Logger): Units {
  const owner = {}
  const currentScope = () => ambientScope(owner)

  async function executeStandalone(
    identity: Identity,
    cargo: readonly EncodedStatement[],
    tries = MAX_ATTEMPTS,
  ): Promise<PgResult[]> {
    const client = await pool.checkout()
    const flight = executeBatch(client, [identity.enter, ...cargo])
    try {
      const results = await flight.completed
      if (flight.status !== 'I') throw new Error('a statement began a transaction of its own')
      return results.slice(1)
    } catch (error) {
      if (isStalePlan(error)) resetPreparedStatements()
      if (tries === 1 || !(isStalePlan(error) || isRetryableConflict(error))) throw translateError(error, flight)
    } finally {
      pool.release(client)
    }
    return executeStandalone(identity, cargo, tries - 1)
  }

  function unitOf(identity: Identity, find: () => Scope | undefined): Unit {
    const run = <T>(steps: readonly Step[], pick: (results: PgResult[]) => T): Promise<T> => {
      try {
        const cargo = steps.map(encodeStatement)
        const scope = find()
        if (!scope) return executeStandalone(identity, cargo).then(pick)
        const picked = executeInScope(scope, identity, cargo).then(pick)
        // The transaction knows of every statement that failed and throws at its end, also if nobody awaited this one.
        picked.catch(() => {})
        return picked
      } catch (error) {
        return Promise.reject(error)
      }
    }
    return {
      query: <Row>(text: string, values?: readonly unknown[]) =>
        run([[text, values]], ([result]) => result as unknown as Result<Row>),
      batch: steps => (steps.length === 0 ? Promise.resolve([]) : run(steps, results => results as Result[])),
      transaction: work => {
        const scope = find()
        return scope ? joinTransaction(scope, identity, work) : runTransaction(identity, scoped => work(unitIn(scoped)))
      },
    }
  }
  const unitIn = (scope: Scope): Unit => unitOf(scope.identity, () => scope)

  async function runTransaction<T>(identity: Identity, work: (scope: Scope) => Promise<T>): Promise<T> {
    const client = await pool.checkout()
    const transaction = createTransaction(client)
    const scope = createScope(owner, transaction, identity)
    let result: T
    try {
      result = await runInScope(scope, () => work(scope))
      await transaction.commit()
    } catch (error) {
      await transaction.rollback()
      throw error
    } finally {
      pool.release(client)
    }
    await Promise.all(scope.afterCommit.map(runAfterCommit))
    return result
  }

  function joinTransaction<T>(outer: Scope, identity: Identity, work: (unit: Unit) => Promise<T>): Promise<T> {
    const { transaction } = outer
    const writes = transaction.writeCount()
    return runNested(outer, identity, scope => work(unitIn(scope))).catch(error => {
      // Half of a unit must not be kept, whatever the outer one makes of the error. One that was given up on is undone.
      if (!outer.closed && transaction.writeCount() !== writes) transaction.fail(error)
      throw error
    })
  }

  /** Work in a scope of its own in the outer one's transaction; what it wants after the commit counts if it succeeds. */
  async function runNested<T>(outer: Scope, identity: Identity, work: (scope: Scope) => Promise<T>): Promise<T> {
    assertTenantAllowed(outer, identity)
    const scope = createScope(owner, outer.transaction, identity)
    const result = await trackNested(
      outer,
      scope,
      runInScope(scope, async () => work(scope)),
    )
    outer.afterCommit.push(...scope.afterCommit)
    return result
  }

  async function runAfterCommit(run: AfterCommit): Promise<void> {
    try {
      await withContext({ unit: undefined }, run)
    } catch (error) {
      log.error({ err: error }, 'what was to run after a commit failed')
    }
  }

  return {
    database: {
      tenant: tenantId => unitOf(tenantIdentity(tenantId), currentScope),
      system: () => unitOf(SYSTEM, currentScope),
      currentTenant: () => currentScope()?.identity.tenantId ?? undefined,
      afterCommit(run) {
        const scope = currentScope()
        if (!scope) return void runAfterCommit(run)
        assertOpen(scope)
        scope.afterCommit.push(run)
      },
    },
    systemTransaction(why, work) {
      if (currentScope()) throw new Error(`'${why}' needs a transaction of its own, and a unit of work surrounds it`)
      return runTransaction(SYSTEM, scope => {
        const savepoint = async <T>(part: () => Promise<T>): Promise<T> => {
          const before = scope.afterCommit.length
          try {
            return await scope.transaction.savepoint(() => runNested(scope, SYSTEM, part))
          } catch (error) {
            scope.afterCommit.length = before
            throw error
          }
        }
        return work({ ...unitIn(scope), savepoint, nested: part => runNested(scope, SYSTEM, part) })
      })
    },
    async queryInUnit(step) {
      const scope = currentScope()
      if (!scope) throw new Error('models work inside a unit of work: database.tenant(id).transaction(…)')
      const [result] = await executeInScope(scope, scope.identity, [encodeStatement(step)])
      return result as PgResult
    },
  }
}

function executeInScope(scope: Scope, identity: Identity, cargo: readonly EncodedStatement[]): Promise<PgResult[]> {
  assertTenantAllowed(scope, identity)
  return track(scope, scope.transaction.run(identity, cargo))
}

/** A tenant's unit takes in its own tenant and the system; the system's takes in every tenant. */
function assertTenantAllowed(scope: Scope, { tenantId }: Identity): void {
  assertOpen(scope)
  const { tenantId: own } = scope.identity
  if (own !== null && tenantId !== null && own !== tenantId)
    throw new Error(`work of tenant ${tenantId} inside a unit of tenant ${own}: end that unit first`)
}
