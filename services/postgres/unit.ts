/** The port `database`: units of work, joined ambiently, and never a connection. */
import { type Database, type Result, type Step, type Unit, withContext } from 'larder/kernel'
import type { Logger } from 'pino'
import { isCollision, isStalePlan, translated } from './errors.ts'
import { type Identity, SYSTEM, tenantIdentity } from './identity.ts'
import type { WireResult } from './pg-internals.ts'
import { forgetPrepared, type Packed, pack, send } from './pipelined-batch.ts'
import type { LeasePool } from './pool.ts'
import { type AfterCommit, assertOpen, createScope, enclose, inScope, type Scope, surrounding, track } from './scope.ts'
import { createTransaction } from './transaction.ts'

/** A unit that crosses tenants and takes back parts of itself: what the relay works in. */
export interface SystemTransaction extends Unit {
  /** Waits for what `work` did not await, too. What fails in it fails the whole transaction. One at a time. */
  part(work: () => Promise<void>): Promise<void>
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
  joined(step: Step): Promise<WireResult>
}

/** A flight is nothing but its data: after a deadlock, or a stale plan, it is sent again. */
const TRIES = 3

export function createUnits(pool: LeasePool, log: Logger): Units {
  const owner = {}
  const ambient = () => surrounding(owner)

  async function alone(identity: Identity, cargo: readonly Packed[], tries = TRIES): Promise<WireResult[]> {
    const client = await pool.lease()
    const flight = send(client, [identity.enter, ...cargo])
    try {
      const results = await flight.landed
      if (flight.status !== 'I') throw new Error('a statement began a transaction of its own')
      return results.slice(1)
    } catch (error) {
      if (isStalePlan(error)) forgetPrepared()
      if (tries === 1 || !(isStalePlan(error) || isCollision(error))) throw translated(error, flight)
    } finally {
      pool.release(client)
    }
    return alone(identity, cargo, tries - 1)
  }

  function unitOf(identity: Identity, find: () => Scope | undefined): Unit {
    const run = <T>(steps: readonly Step[], pick: (results: WireResult[]) => T): Promise<T> => {
      try {
        const cargo = steps.map(pack)
        const scope = find()
        if (!scope) return alone(identity, cargo).then(pick)
        const picked = joining(scope, identity, cargo).then(pick)
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
        return scope ? nested(scope, identity, work) : outermost(identity, scoped => work(unitIn(scoped)))
      },
    }
  }
  const unitIn = (scope: Scope): Unit => unitOf(scope.identity, () => scope)

  async function outermost<T>(identity: Identity, work: (scope: Scope) => Promise<T>): Promise<T> {
    const client = await pool.lease()
    const transaction = createTransaction(client)
    const scope = createScope(owner, transaction, identity)
    let result: T
    try {
      result = await inScope(scope, () => work(scope))
      await transaction.commit()
    } catch (error) {
      await transaction.rollback()
      throw error
    } finally {
      pool.release(client)
    }
    await Promise.all(scope.afterCommit.map(announce))
    return result
  }

  function nested<T>(outer: Scope, identity: Identity, work: (unit: Unit) => Promise<T>): Promise<T> {
    const { transaction } = outer
    const writes = transaction.writes()
    return within(outer, identity, scope => work(unitIn(scope))).catch(error => {
      // Half of a unit must not be kept, whatever the outer one makes of the error. One that was given up on is undone.
      if (!outer.closed && transaction.writes() !== writes) transaction.fail(error)
      throw error
    })
  }

  /** Work in a scope of its own in the outer one's transaction; what it wants after the commit counts if it succeeds. */
  async function within<T>(outer: Scope, identity: Identity, work: (scope: Scope) => Promise<T>): Promise<T> {
    admit(outer, identity)
    const scope = createScope(owner, outer.transaction, identity)
    const result = await enclose(
      outer,
      scope,
      inScope(scope, async () => work(scope)),
    )
    outer.afterCommit.push(...scope.afterCommit)
    return result
  }

  async function announce(run: AfterCommit): Promise<void> {
    try {
      await withContext({ unit: undefined }, run)
    } catch (error) {
      log.error({ err: error }, 'what was to run after a commit failed')
    }
  }

  return {
    database: {
      tenant: tenantId => unitOf(tenantIdentity(tenantId), ambient),
      system: () => unitOf(SYSTEM, ambient),
      currentTenant: () => ambient()?.identity.tenantId ?? undefined,
      afterCommit(run) {
        const scope = ambient()
        if (!scope) return void announce(run)
        assertOpen(scope)
        scope.afterCommit.push(run)
      },
    },
    systemTransaction(why, work) {
      if (ambient()) throw new Error(`'${why}' needs a transaction of its own, and a unit of work surrounds it`)
      return outermost(SYSTEM, scope => {
        const savepoint = async <T>(part: () => Promise<T>): Promise<T> => {
          const before = scope.afterCommit.length
          try {
            return await scope.transaction.savepoint(() => within(scope, SYSTEM, part))
          } catch (error) {
            scope.afterCommit.length = before
            throw error
          }
        }
        return work({ ...unitIn(scope), savepoint, part: part => within(scope, SYSTEM, part) })
      })
    },
    async joined(step) {
      const scope = ambient()
      if (!scope) throw new Error('models work inside a unit of work: database.tenant(id).transaction(…)')
      const [result] = await joining(scope, scope.identity, [pack(step)])
      return result as WireResult
    },
  }
}

function joining(scope: Scope, identity: Identity, cargo: readonly Packed[]): Promise<WireResult[]> {
  admit(scope, identity)
  return track(scope, scope.transaction.run(identity, cargo))
}

/** A tenant's unit takes in its own tenant and the system; the system's takes in every tenant. */
function admit(scope: Scope, { tenantId }: Identity): void {
  assertOpen(scope)
  const { tenantId: own } = scope.identity
  if (own !== null && tenantId !== null && own !== tenantId)
    throw new Error(`work of tenant ${tenantId} inside a unit of tenant ${own}: end that unit first`)
}
