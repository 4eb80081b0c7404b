/**
 * The precondition of the surrounding request. One batch at a time carries it until it has passed; other writes of
 * the request wait for the outcome, so that work is run again only if none of it has taken effect. Other reads verify it
 * themselves.
 */
import { currentContext, type Precondition, Problem } from 'larder/kernel'
import pg from 'pg'

export class PendingPrecondition {
  /** Identifies the database: one process may have several. */
  readonly owner: object
  readonly precondition: Precondition
  state: 'pending' | 'passed' | 'failed' = 'pending'
  /** The 503 of a batch that carried it. The batch may have taken effect, so the work must not be run again. */
  unconfirmed: Problem | undefined = undefined
  /** The batch that carries it. */
  inFlight: Promise<unknown> | undefined = undefined
  #isSent = false

  constructor(owner: object, precondition: Precondition) {
    this.owner = owner
    this.precondition = precondition
  }

  /**
   * Sends the batch that carries it, which must call `settle` before its promise settles. Throws if it has failed: nothing
   * may take effect.
   */
  carry<T>(send: () => Promise<T>): Promise<T> {
    if (this.state === 'failed') throw new Error('a precondition of this request failed, so it runs no more statements')
    this.#isSent = true
    const sent = send()
    if (this.#isSent) this.inFlight = sent
    return sent
  }

  /** @param error of the batch; undefined if it succeeded. */
  settle(error?: unknown): void {
    if (Problem.is(error) && error.status === 503) this.unconfirmed ??= error
    this.state = error === undefined ? 'passed' : isFailedPrecondition(error) ? 'failed' : 'pending'
    this.#isSent = false
    this.inFlight = undefined
  }
}

const PRECONDITION_FAILED = 'LA401'
export const isFailedPrecondition = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === PRECONDITION_FAILED

/** The precondition that the next batch of this database must carry. */
export function pendingPrecondition(owner: object): PendingPrecondition | undefined {
  const pending = currentContext().precondition as PendingPrecondition | undefined
  return pending !== undefined && pending.state !== 'passed' && pending.owner === owner ? pending : undefined
}
