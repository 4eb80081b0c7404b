/** The ports `database` and `systemDatabase`: units of work, which calls join through the async context. Connections are never exposed. */
import {
  type Database,
  type Precondition,
  type Result,
  type Step,
  type SystemDatabase,
  type Unit,
  type Verified,
  withContext,
} from 'larder/kernel'
import type { Logger } from 'pino'
import { type Identity, systemIdentity, tenantIdentity } from './identity.ts'
import type { PgResult } from './pg-internals.ts'
import { type EncodedStatement, encodeStatement } from './pipelined-batch.ts'
import type { ConnectionPool } from './pool.ts'
import { PendingPrecondition, pendingPrecondition } from './precondition.ts'
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
import { createStandaloneBatches } from './standalone-batch.ts'
import { uncachedStatement } from './statements.ts'
import { createTransaction } from './transaction.ts'

/** A unit across tenants with savepoints; used by the relay. */
export interface SystemTransaction extends Unit {
  /** Also waits for statements that `work` did not await. A failure fails the whole transaction. */
  nested(work: () => Promise<void>): Promise<void>
  /**
   * Rolls `work` back, with its `afterCommit` callbacks, if it throws or if one of its statements fails, awaited or not.
   * Units of any tenant inside it join. Savepoints cannot overlap.
   */
  savepoint<T>(work: () => Promise<T>): Promise<T>
}

export interface Units {
  readonly database: Database
  readonly systemDatabase: SystemDatabase
  systemTransaction<T>(why: string, work: (unit: SystemTransaction) => Promise<T>): Promise<T>
  /**
   * Runs one statement of a model in `unit`, or else in the current unit with its identity. A statement without values
   * isn't prepared, because Sequelize writes conditions into the text. Throws an Error without a unit.
   */
  queryInUnit(step: Step, unit?: Unit): Promise<PgResult>
}

/** For statements of models. */
const EXECUTE = Symbol('execute')
interface ExecutingUnit extends Unit {
  readonly [EXECUTE]: (statement: EncodedStatement) => Promise<PgResult>
}
const firstOf = (results: PgResult[]): PgResult => results[0] as PgResult
const allOf = (results: PgResult[]): Result[] => results as Result[]

export function createUnits(pool: ConnectionPool, log: Logger): Units {
  const owner = {}
  const system = systemIdentity(pool.settingsSource)
  const currentScope = () => ambientScope(owner)
  const executeStandalone = createStandaloneBatches(pool, owner)

  function unitOf(identity: Identity, find: () => Scope | undefined): ExecutingUnit {
    const execute = <T>(statements: readonly EncodedStatement[], pick: (results: PgResult[]) => T): Promise<T> => {
      const scope = find()
      if (!scope) return executeStandalone(identity, statements, pick)
      const picked = executeInScope(scope, identity, statements).then(pick)
      // A transaction records every failed statement and throws at its end, even if the caller did not await this one.
      picked.catch(() => {})
      return picked
    }
    const run = <T>(steps: readonly Step[], pick: (results: PgResult[]) => T): Promise<T> => {
      try {
        return execute(steps.map(encodeStatement), pick)
      } catch (error) {
        return Promise.reject(error)
      }
    }
    return {
      [EXECUTE]: statement => execute([statement], firstOf),
      query: <Row>(text: string, values?: readonly unknown[]) =>
        run([[text, values]], firstOf) as unknown as Promise<Result<Row>>,
      batch: steps => (steps.length === 0 ? Promise.resolve([]) : run(steps, allOf)),
      defer(steps) {
        const scope = find()
        if (steps.length === 0) return Promise.resolve([])
        if (!scope) return run(steps, allOf)
        try {
          return deferInScope(scope, identity, steps.map(encodeStatement))
        } catch (error) {
          return Promise.reject(error)
        }
      },
      transaction: work => {
        const scope = find()
        return scope ? joinTransaction(scope, identity, work) : runTransaction(identity, scoped => work(unitIn(scoped)))
      },
    }
  }
  const unitIn = (scope: Scope): Unit => unitOf(scope.identity, () => scope)

  async function runTransaction<T>(identity: Identity, work: (scope: Scope) => Promise<T>): Promise<T> {
    const client = pool.tryCheckout() ?? (await pool.checkout())
    const transaction = createTransaction(client, pool.writeTimeoutMs, () => pendingPrecondition(owner))
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
      // A unit must not be committed in part, even if the outer one catches the error. A unit that timed out is rolled back anyway.
      if (!outer.closed && transaction.writeCount() !== writes) transaction.fail(error)
      throw error
    })
  }

  /** Runs `work` in a nested scope of the same transaction. Keeps its `afterCommit` callbacks only if it succeeds. */
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

  async function runVerified<T>(precondition: Precondition, work: () => Promise<T>): Promise<Verified<T>> {
    const pending = new PendingPrecondition(owner, precondition)
    const context = { precondition: pending }
    let value: T
    try {
      value = await withContext(context, work)
    } catch (error) {
      if (await withContext(context, () => holds(pending))) throw error
      return { holds: false }
    }
    if (pending.state === 'passed') return { holds: true, value }
    return (await withContext(context, () => holds(pending))) ? { holds: true, value } : { holds: false }
  }

  /** Rejects if it doesn't hold, but a part of the work may have taken effect. */
  async function holds(pending: PendingPrecondition): Promise<boolean> {
    while (pending.inFlight) await pending.inFlight.catch(() => {})
    // Nothing has carried it, or the batch that did failed for another reason.
    if (pending.state === 'pending')
      await executeStandalone(system, [], allOf).catch(error => {
        if (pending.state !== 'failed') throw error
      })
    if (pending.state !== 'passed' && pending.unconfirmed) throw pending.unconfirmed
    return pending.state === 'passed'
  }

  async function runAfterCommit(run: AfterCommit): Promise<void> {
    try {
      await withContext({ unit: undefined }, run)
    } catch (error) {
      log.error({ err: error }, 'an afterCommit callback failed')
    }
  }

  return {
    database: {
      tenant: tenantId => unitOf(tenantIdentity(tenantId, pool.settingsSource), currentScope),
      currentTenant: () => currentScope()?.identity.tenantId ?? undefined,
      afterCommit(run) {
        const scope = currentScope()
        if (!scope) return void runAfterCommit(run)
        assertOpen(scope)
        scope.afterCommit.push(run)
      },
      verified: runVerified,
    },
    systemDatabase: { acrossTenants: () => unitOf(system, currentScope) },
    systemTransaction(why, work) {
      if (currentScope()) throw new Error(`'${why}' needs its own transaction and cannot run inside a unit of work`)
      return runTransaction(system, scope => {
        const savepoint = async <T>(part: () => Promise<T>): Promise<T> => {
          const before = scope.afterCommit.length
          try {
            return await scope.transaction.savepoint(() => runNested(scope, system, part))
          } catch (error) {
            scope.afterCommit.length = before
            throw error
          }
        }
        return work({ ...unitIn(scope), savepoint, nested: part => runNested(scope, system, part) })
      })
    },
    async queryInUnit(step, unit) {
      const scope = currentScope()
      const execute =
        (unit as Partial<ExecutingUnit> | undefined)?.[EXECUTE] ??
        (scope && ((statement: EncodedStatement) => executeInScope(scope, scope.identity, [statement]).then(firstOf)))
      if (!execute) throw new Error('models can only be used inside a unit of work: database.tenant(id).transaction(…)')
      const [text, values = []] = step
      return execute(values.length > 0 ? encodeStatement(step) : { statement: uncachedStatement(text), values: [] })
    },
  }
}

function executeInScope(
  scope: Scope,
  identity: Identity,
  statements: readonly EncodedStatement[],
): Promise<PgResult[]> {
  assertTenantAllowed(scope, identity)
  return track(scope, scope.transaction.run(identity, statements))
}

function deferInScope(
  scope: Scope,
  identity: Identity,
  statements: readonly EncodedStatement[],
): Promise<Result[] | undefined> {
  assertTenantAllowed(scope, identity)
  const sent = track(scope, scope.transaction.defer(identity, statements)) as Promise<Result[] | undefined>
  // The transaction throws at its end, even if the caller did not await this.
  sent.catch(() => {})
  return sent
}

/** Inside a tenant's unit, only that tenant and the system may run statements; inside a system unit, every tenant may. */
function assertTenantAllowed(scope: Scope, { tenantId }: Identity): void {
  assertOpen(scope)
  const { tenantId: own } = scope.identity
  if (own !== null && tenantId !== null && own !== tenantId)
    throw new Error(`cannot run work of tenant ${tenantId} inside a unit of tenant ${own}: end that unit first`)
}
