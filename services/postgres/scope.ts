/**
 * The surrounding unit of work: the transaction that port calls join, and its tenant. Each unit has its own scope,
 * which waits for statements that the work did not await and then closes, so that late statements cannot reach the next
 * unit.
 */
import { currentContext, HandlerTimeout, type Result, withContext } from '@larder-dev/larder/kernel'
import type { StatementResult } from './statement-result.ts'
import type { EncodedStatement } from './statements.ts'
import type { Transaction } from './transaction.ts'

export interface Scope {
  /** Identifies the database that created it: one process may have several. */
  readonly owner: object
  readonly transaction: Transaction
  /** Null for the system, across tenants. */
  readonly tenantId: string | null
  /** Statements in progress. */
  readonly statements: Set<Promise<unknown>>
  /** Nested units in progress. */
  readonly nested: Map<Scope, Promise<unknown>>
  readonly afterCommit: AfterCommit[]
  closed: boolean
}
export type AfterCommit = () => void | Promise<void>

export const createScope = (owner: object, transaction: Transaction, tenantId: string | null): Scope => ({
  owner,
  transaction,
  tenantId,
  statements: new Set(),
  nested: new Map(),
  afterCommit: [],
  closed: false,
})

/** The current scope of this database. */
export function ambientScope(owner: object): Scope | undefined {
  const scope = currentContext().unit as Scope | undefined
  return scope?.owner === owner ? scope : undefined
}

/** Runs `work` in the scope and waits until everything that it started has settled. */
export async function runInScope<T>(scope: Scope, work: () => Promise<T>): Promise<T> {
  try {
    return await withContext({ unit: scope }, work)
  } catch (error) {
    if (error instanceof HandlerTimeout) closeAll(scope)
    throw error
  } finally {
    await drain(scope)
    scope.closed = true
  }
}

/** Makes the scope wait for this statement. */
function track<T>(scope: Scope, statement: Promise<T>): Promise<T> {
  const remove = () => scope.statements.delete(statement)
  scope.statements.add(statement)
  statement.then(remove, remove)
  return statement
}

/** Makes the outer scope wait for this nested unit. */
export function trackNested<T>(outer: Scope, scope: Scope, work: Promise<T>): Promise<T> {
  const ended = () => outer.nested.delete(scope)
  outer.nested.set(scope, work)
  work.then(ended, ended)
  return work
}

/** Rejects further statements in this scope and in nested ones. */
function closeAll(scope: Scope): void {
  scope.closed = true
  for (const inner of scope.nested.keys()) closeAll(inner)
}

/** @throws Error if the unit has ended: the statement would run outside its transaction. */
export function assertOpen({ closed }: Scope): void {
  if (closed) throw new Error('this unit of work has ended: await every call inside it, or make the call outside it')
}

async function drain(scope: Scope): Promise<void> {
  for (let under = pendingWork(scope); under.length > 0; under = pendingWork(scope)) {
    await Promise.allSettled(under)
    // One turn of the event loop: code that awaited those results may send more statements.
    await new Promise(resolve => setImmediate(resolve))
  }
}

/** Work that has timed out may never end; its statements do. */
const pendingWork = ({ statements, nested, closed }: Scope): Promise<unknown>[] => [
  ...statements,
  ...(closed ? [...nested.keys()].flatMap(pendingWork) : nested.values()),
]

/** Executes one batch in the transaction of the scope, for this tenant, or for the system if null. */
export function executeInScope(
  scope: Scope,
  tenantId: string | null,
  statements: readonly EncodedStatement[],
): Promise<StatementResult[]> {
  assertTenantAllowed(scope, tenantId)
  return track(scope, scope.transaction.run(tenantId, statements))
}

export function deferInScope(
  scope: Scope,
  tenantId: string | null,
  statements: readonly EncodedStatement[],
): Promise<Result[] | undefined> {
  assertTenantAllowed(scope, tenantId)
  const sent = track(scope, scope.transaction.defer(tenantId, statements)) as Promise<Result[] | undefined>
  // The transaction throws at its end, even if the caller did not await this.
  sent.catch(() => {})
  return sent
}

/** Inside a tenant's unit, only that tenant and the system may run statements; inside a system unit, every tenant may. */
export function assertTenantAllowed(scope: Scope, tenantId: string | null): void {
  assertOpen(scope)
  const { tenantId: own } = scope
  if (own !== null && tenantId !== null && own !== tenantId)
    throw new Error(`cannot run work of tenant ${tenantId} inside a unit of tenant ${own}: end that unit first`)
}
