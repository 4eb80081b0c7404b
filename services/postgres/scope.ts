/**
 * What surrounds the code that runs: the transaction that ports join, and as whom. One scope a piece of work: it waits
 * for what the work did not await, and then it is closed, so that nothing late strays into what comes after.
 */
import { currentContext, withContext } from 'larder/kernel'
import type { Identity } from './identity.ts'
import type { Transaction } from './transaction.ts'

export interface Scope {
  /** Of the database that made it: two of them may live in one process. */
  readonly owner: object
  readonly transaction: Transaction
  readonly identity: Identity
  /** Statements that are under way. */
  readonly flights: Set<Promise<unknown>>
  /** Work in scopes of their own inside this one. */
  readonly inner: Map<Scope, Promise<unknown>>
  readonly afterCommit: AfterCommit[]
  closed: boolean
}
export type AfterCommit = () => void | Promise<void>

export const createScope = (owner: object, transaction: Transaction, identity: Identity): Scope => ({
  owner,
  transaction,
  identity,
  flights: new Set(),
  inner: new Map(),
  afterCommit: [],
  closed: false,
})

/** The scope of this database that surrounds the call. */
export function surrounding(owner: object): Scope | undefined {
  const scope = currentContext().unit as Scope | undefined
  return scope?.owner === owner ? scope : undefined
}

/** Thrown by whoever gives up on work that does not end: its unit waits for the statements under way alone. */
export class Abandoned extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'Abandoned'
  }
}

/** Runs `work` with the scope around it, until nothing that it began is under way. */
export async function inScope<T>(scope: Scope, work: () => Promise<T>): Promise<T> {
  try {
    return await withContext({ unit: scope }, work)
  } catch (error) {
    if (error instanceof Abandoned) close(scope)
    throw error
  } finally {
    await settle(scope)
    scope.closed = true
  }
}

/** The scope's unit waits for this statement. */
export function track<T>(scope: Scope, flight: Promise<T>): Promise<T> {
  const landed = () => scope.flights.delete(flight)
  scope.flights.add(flight)
  flight.then(landed, landed)
  return flight
}

/** The outer scope's unit waits for this work. */
export function enclose<T>(outer: Scope, scope: Scope, work: Promise<T>): Promise<T> {
  const ended = () => outer.inner.delete(scope)
  outer.inner.set(scope, work)
  work.then(ended, ended)
  return work
}

/** Nothing more is taken, here or inside. */
function close(scope: Scope): void {
  scope.closed = true
  for (const inner of scope.inner.keys()) close(inner)
}

/** @throws Error when the unit has ended: a statement now would be in no transaction. */
export function assertOpen({ closed }: Scope): void {
  if (closed) throw new Error('this unit of work has ended. Await everything inside it, or call again from outside it.')
}

async function settle(scope: Scope): Promise<void> {
  for (let under = underWay(scope); under.length > 0; under = underWay(scope)) {
    await Promise.allSettled(under)
    // One turn of the loop: what waited for those results may go on and send more.
    await new Promise(resolve => setImmediate(resolve))
  }
}

/** Work that was abandoned may never end; its statements do. */
const underWay = ({ flights, inner, closed }: Scope): Promise<unknown>[] => [
  ...flights,
  ...(closed ? [...inner.keys()].flatMap(underWay) : inner.values()),
]
