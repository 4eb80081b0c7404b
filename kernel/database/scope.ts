/**
 * What surrounds the code that runs: the transaction that ports join, and as whom. One scope a piece of work: it waits
 * for what the work did not await, and then it is closed, so that nothing late strays into what comes after.
 */
import { currentContext, withContext } from '../context.ts'
import type { Identity } from './identity.ts'
import type { Transaction } from './transaction.ts'

export interface Scope {
  /** Of the database that made it: two of them may live in one process. */
  readonly owner: object
  readonly transaction: Transaction
  readonly identity: Identity
  readonly pending: Set<Promise<unknown>>
  readonly afterCommit: AfterCommit[]
  closed: boolean
}
export type AfterCommit = () => void | Promise<void>

export const createScope = (owner: object, transaction: Transaction, identity: Identity): Scope => ({
  owner,
  transaction,
  identity,
  pending: new Set(),
  afterCommit: [],
  closed: false,
})

/** The scope of this database that surrounds the call. */
export function surrounding(owner: object): Scope | undefined {
  const scope = currentContext().unit as Scope | undefined
  return scope?.owner === owner ? scope : undefined
}

/** Runs `work` with the scope around it, until nothing that it began is under way. */
export async function inScope<T>(scope: Scope, work: () => Promise<T>): Promise<T> {
  try {
    return await withContext({ unit: scope }, work)
  } finally {
    await settle(scope)
    scope.closed = true
  }
}

/** The scope must still be open, and its unit wait for this promise. */
export function track<T>(scope: Scope, promise: Promise<T>): Promise<T> {
  const settled = () => scope.pending.delete(promise)
  scope.pending.add(promise)
  promise.then(settled, settled)
  return promise
}

/** @throws Error when the unit has ended: a statement now would be in no transaction. */
export function assertOpen({ closed }: Scope): void {
  if (closed) throw new Error('this unit of work has ended. Await everything inside it, or call again from outside it.')
}

async function settle({ pending }: Scope): Promise<void> {
  while (pending.size > 0) {
    await Promise.allSettled(pending)
    // One turn of the loop: what waited for those results may go on and send more.
    await new Promise(resolve => setImmediate(resolve))
  }
}
