/**
 * The precondition of the surrounding request. One batch at a time carries it until it has passed; other statements of the
 * request wait for the outcome, so that work is run again only if none of it has taken effect.
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
  /** Settles with the batch that carries it. Never rejects. */
  inFlight: Promise<void> | undefined = undefined

  constructor(owner: object, precondition: Precondition) {
    this.owner = owner
    this.precondition = precondition
  }

  /** Registers the batch that carries it. Throws if it has failed: nothing may take effect. */
  track<T>(send: () => Promise<T>): Promise<T> {
    if (this.state === 'failed') throw new Error('a precondition of this request failed, so it runs no more statements')
    const sent = send()
    this.inFlight = sent.then(
      () => this.#settle('passed'),
      error => {
        if (Problem.is(error) && error.status === 503) this.unconfirmed ??= error
        this.#settle(isFailure(error) ? 'failed' : 'pending')
      },
    )
    return sent
  }

  #settle(state: 'pending' | 'passed' | 'failed'): void {
    this.state = state
    this.inFlight = undefined
  }
}

const PRECONDITION_FAILED = 'LA401'
const isFailure = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === PRECONDITION_FAILED

/** The precondition that the next batch of this database must carry. */
export function pendingPrecondition(owner: object): PendingPrecondition | undefined {
  const pending = currentContext().precondition as PendingPrecondition | undefined
  return pending !== undefined && pending.state !== 'passed' && pending.owner === owner ? pending : undefined
}
