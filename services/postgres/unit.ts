/** The ports `database` and `systemDatabase`: units of work, which calls join through the async context. Connections are never exposed. */
import {
  currentContext,
  type Database,
  type Result,
  type Step,
  type SystemDatabase,
  type Unit,
  withContext,
} from 'larder/kernel'
import type { Logger } from 'pino'
import { type EncodedStatement, encodeStatement } from './encoded-statement.ts'
import { type Identity, systemIdentity, tenantIdentity } from './identity.ts'
import type { ConnectionPool } from './pool.ts'
import { pendingPrecondition } from './precondition.ts'
import {
  type AfterCommit,
  ambientScope,
  assertOpen,
  assertTenantAllowed,
  createScope,
  deferInScope,
  executeInScope,
  runInScope,
  type Scope,
  trackNested,
} from './scope.ts'
import { createStandaloneBatches } from './standalone-batch.ts'
import type { StatementResult } from './statement-result.ts'
import { uncachedStatement } from './statements.ts'
import { createTransaction } from './transaction.ts'
import { createVerification } from './verification.ts'

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
  queryInUnit(step: Step, unit?: Unit): Promise<StatementResult>
}

/** For statements of models. */
const EXECUTE = Symbol('execute')
interface ExecutingUnit extends Unit {
  readonly [EXECUTE]: (statement: EncodedStatement) => Promise<StatementResult>
}
/** Kept for their next use. */
const MAX_TENANT_UNITS = 1000

const firstOf = (results: StatementResult[]): StatementResult => results[0] as StatementResult
const allOf = (results: StatementResult[]): Result[] => results as Result[]

export function createUnits(pool: ConnectionPool, log: Logger): Units {
  const owner = {}
  const system = systemIdentity(pool.settingsSource)
  const currentScope = () => ambientScope(owner)
  const executeStandalone = createStandaloneBatches(pool, owner)

  function unitOf(identity: Identity, find: () => Scope | undefined): ExecutingUnit {
    const execute = <T>(
      statements: readonly EncodedStatement[],
      pick: (results: StatementResult[]) => T,
    ): Promise<T> => {
      const scope = find()
      if (!scope) return executeStandalone(identity, statements, pick)
      const picked = executeInScope(scope, identity, statements).then(pick)
      // A transaction records every failed statement and throws at its end, even if the caller did not await this one.
      picked.catch(() => {})
      return picked
    }
    const batch = (steps: readonly Step[]): Promise<Result[]> => {
      if (steps.length === 0) return Promise.resolve([])
      try {
        return execute(steps.map(encodeStatement), allOf)
      } catch (error) {
        return Promise.reject(error)
      }
    }
    return {
      [EXECUTE]: statement => execute([statement], firstOf),
      query<Row>(text: string, values?: readonly unknown[]) {
        try {
          return execute([encodeStatement([text, values])], firstOf) as unknown as Promise<Result<Row>>
        } catch (error) {
          return Promise.reject(error)
        }
      },
      batch,
      defer(steps) {
        const scope = find()
        if (steps.length === 0) return Promise.resolve([])
        if (!scope) return batch(steps)
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

  /** Units that join the surrounding one have no state. */
  const tenantUnits = new Map<string, Unit>()
  const systemUnit = unitOf(system, currentScope)
  function tenantUnit(tenantId: string): Unit {
    const known = tenantUnits.get(tenantId)
    if (known) return known
    const made = unitOf(tenantIdentity(tenantId, pool.settingsSource), currentScope)
    if (tenantUnits.size >= MAX_TENANT_UNITS) tenantUnits.clear()
    tenantUnits.set(tenantId, made)
    return made
  }

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

  const afterCommitFailed = (error: unknown) => log.error({ err: error }, 'an afterCommit callback failed')

  async function runAfterCommit(run: AfterCommit): Promise<void> {
    try {
      await withContext({ unit: undefined }, run)
    } catch (error) {
      afterCommitFailed(error)
    }
  }

  /** Outside a unit. */
  function runAtOnce(run: AfterCommit): void {
    try {
      // The surrounding unit may be one of another database.
      const running = currentContext().unit === undefined ? run() : withContext({ unit: undefined }, run)
      if (running instanceof Promise) running.catch(afterCommitFailed)
    } catch (error) {
      afterCommitFailed(error)
    }
  }

  return {
    database: {
      tenant: tenantUnit,
      currentTenant: () => currentScope()?.identity.tenantId ?? undefined,
      afterCommit(run) {
        const scope = currentScope()
        if (!scope) return runAtOnce(run)
        assertOpen(scope)
        scope.afterCommit.push(run)
      },
      verified: createVerification(owner, () => executeStandalone(system, [], allOf)),
    },
    systemDatabase: { acrossTenants: () => systemUnit },
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
