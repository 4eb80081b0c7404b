/** The ports `database` and `systemDatabase`: units of work, which calls join through the async context. Connections are never exposed. */
import {
  currentContext,
  lockStep,
  type NamedResults,
  type NamedSteps,
  type Result,
  type Step,
  type SystemDatabase,
  type Unit,
  withContext,
} from '@larder-dev/larder/kernel'
import type { Logger } from 'pino'
import { MAX_BESIDE } from './connection-places.ts'
import type { ConnectionPool } from './pool.ts'
import type { Postgres } from './ports.ts'
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
import { assertTenantId } from './server-settings.ts'
import { runStandalone } from './standalone.ts'
import type { StatementResult } from './statement-result.ts'
import { encodeStatement } from './statements.ts'
import { createTransaction } from './transaction.ts'
import { batchVerification, createVerified } from './verification.ts'

export interface Units extends Pick<Postgres, 'database' | 'systemTransaction'> {
  readonly systemDatabase: SystemDatabase
  /**
   * Runs one statement of a model in `unit`, or else in the current unit in its role. A statement without values
   * isn't prepared, because Sequelize writes conditions into the text. Throws an Error without a unit.
   */
  queryInUnit(step: Step, unit?: Unit): Promise<StatementResult>
}

const scans = ([, , options]: Step): boolean => options?.scans ?? false

/** Work across tenants. */
const SYSTEM = null
/** Kept for their next use. */
const MAX_TENANT_UNITS = 1000

export function createUnits(pool: ConnectionPool, log: Logger): Units {
  const owner = {}
  const verification = () => batchVerification(owner, pool.settings)
  const currentScope = () => ambientScope(owner)

  function unitOf(tenantId: string | null, find: () => Scope | undefined): Unit {
    async function execute(steps: readonly Step[]): Promise<StatementResult[]> {
      const statements = steps.map(encodeStatement)
      const scope = find()
      const results = await (scope
        ? executeInScope(scope, tenantId, statements)
        : runStandalone(pool, tenantId, statements, verification(), steps.some(scans)))
      runStepsAfterCommit(steps, scope)
      return results
    }
    /** An error that the caller doesn't await fails the surrounding unit at its end. */
    function joined<T>(work: Promise<T>): Promise<T> {
      if (find()) work.catch(() => {})
      return work
    }
    const list = (steps: readonly Step[]): Promise<Result[]> =>
      joined(steps.length === 0 ? Promise.resolve([]) : (execute(steps) as Promise<Result[]>))
    const named = async <Steps extends NamedSteps>(steps: Steps): Promise<NamedResults<Steps>> => {
      const given = Object.entries(steps).flatMap(([name, step]) => (step ? [{ name, step }] : []))
      const results = await list(given.map(({ step }) => step))
      return Object.fromEntries(given.map(({ name }, at) => [name, results[at]])) as NamedResults<Steps>
    }
    const isList = (steps: readonly Step[] | NamedSteps): steps is readonly Step[] => Array.isArray(steps)
    const all = ((steps: readonly Step[] | NamedSteps) =>
      isList(steps) ? list(steps) : joined(named(steps))) as Unit['all']
    return {
      query: <Row>(...step: Step) => joined(execute([step]).then(([result]) => result as unknown as Result<Row>)),
      all,
      defer: steps => {
        const scope = find()
        return scope && steps.length > 0 ? joined(defer(scope, tenantId, steps)) : all(steps)
      },
      lock: async (name, ...parts) => {
        await joined(execute([lockStep(name, ...parts)]))
      },
      transaction: work => {
        const scope = find()
        return scope ? joinTransaction(scope, tenantId, work) : runTransaction(tenantId, scoped => work(unitIn(scoped)))
      },
    }
  }
  async function defer(scope: Scope, tenantId: string | null, steps: readonly Step[]): Promise<Result[] | undefined> {
    const results = await deferInScope(scope, tenantId, steps.map(encodeStatement))
    runStepsAfterCommit(steps, scope)
    return results
  }
  function runStepsAfterCommit(steps: readonly Step[], scope: Scope | undefined): void {
    for (const [, , { afterCommit } = {}] of steps)
      if (afterCommit && scope) scope.afterCommit.push(afterCommit)
      else if (afterCommit) runAtOnce(afterCommit)
  }
  const unitIn = (scope: Scope): Unit => unitOf(scope.tenantId, () => scope)

  /** Units that join the surrounding one have no state. */
  const tenantUnits = new Map<string, Unit>()
  const systemUnit = unitOf(SYSTEM, currentScope)
  function tenantUnit(tenantId: string): Unit {
    const known = tenantUnits.get(tenantId)
    if (known) return known
    assertTenantId(tenantId)
    const made = unitOf(tenantId, currentScope)
    if (tenantUnits.size >= MAX_TENANT_UNITS) tenantUnits.clear()
    tenantUnits.set(tenantId, made)
    return made
  }

  async function runTransaction<T>(tenantId: string | null, work: (scope: Scope) => Promise<T>): Promise<T> {
    const connection = await pool.connect(tenantId, { beside: currentContext().beside })
    const transaction = createTransaction(connection, pool, verification())
    const scope = createScope(owner, transaction, tenantId)
    let result: T
    try {
      result = await runInScope(scope, () => work(scope))
      await transaction.commit()
    } catch (error) {
      await transaction.rollback()
      throw error
    } finally {
      connection.release()
    }
    await Promise.all(scope.afterCommit.map(runAfterCommit))
    return result
  }

  function joinTransaction<T>(outer: Scope, tenantId: string | null, work: (unit: Unit) => Promise<T>): Promise<T> {
    const { transaction } = outer
    const writes = transaction.writeCount()
    return runNested(outer, tenantId, scope => work(unitIn(scope))).catch(error => {
      // A unit must not be committed in part, even if the outer one catches the error. A unit that timed out is rolled back anyway.
      if (!outer.closed && transaction.writeCount() !== writes) transaction.fail(error)
      throw error
    })
  }

  /** Runs `work` in a nested scope of the same transaction. Keeps its `afterCommit` callbacks only if it succeeds. */
  async function runNested<T>(outer: Scope, tenantId: string | null, work: (scope: Scope) => Promise<T>): Promise<T> {
    assertTenantAllowed(outer, tenantId)
    const scope = createScope(owner, outer.transaction, tenantId)
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
      currentTenant: () => currentScope()?.tenantId ?? undefined,
      afterCommit(run) {
        const scope = currentScope()
        if (!scope) return runAtOnce(run)
        assertOpen(scope)
        scope.afterCommit.push(run)
      },
      async beside(work) {
        if (!currentScope()) return work()
        const { beside = 0 } = currentContext()
        if (beside === MAX_BESIDE)
          throw new Error(`units of work beside each other have more than ${MAX_BESIDE} levels`)
        return withContext({ unit: undefined, precondition: undefined, beside: beside + 1 }, work)
      },
      verified: createVerified(owner, () => runStandalone(pool, SYSTEM, [], verification())),
    },
    systemDatabase: { acrossTenants: () => systemUnit },
    systemTransaction(why, work) {
      if (currentScope()) throw new Error(`'${why}' needs its own transaction and cannot run inside a unit of work`)
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
    async queryInUnit([text, values = []], unit) {
      const scope = currentScope()
      const running = unit ?? (scope && unitIn(scope))
      if (!running) throw new Error('models can only be used inside a unit of work: database.tenant(id).transaction(…)')
      return (await running.query(text, values, { prepare: values.length > 0 })) as unknown as StatementResult
    },
  }
}
