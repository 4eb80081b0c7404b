/** The precondition of a request that reads: its batches carry it until one of them has passed. */
import {
  currentContext,
  type Database,
  type Precondition,
  type Verified,
  withContext,
} from '@larder-dev/larder/kernel/internal'
import pg from 'pg'
import type { TransactionSettings } from './server-settings.ts'
import type { EncodedStatement } from './statements.ts'

const PRECONDITION_FAILED = 'LA401'

class Verification {
  /** Identifies the database: one process may have several. */
  readonly owner: object
  readonly precondition: Precondition
  state: 'pending' | 'passed' | 'failed' = 'pending'

  constructor(owner: object, precondition: Precondition) {
    this.owner = owner
    this.precondition = precondition
  }
}

/** What a batch does about the precondition of the surrounding request. */
export interface BatchVerification {
  /** The statement that starts a batch for this tenant, or the system if null, with the timeout of its statements. */
  start(tenantId: string | null, statementTimeoutMs: number): EncodedStatement
  /** Call it once the batch has ended. */
  end(error: Error | undefined): void
}

/** Verifies one batch, or the batches of one transaction. */
export function batchVerification(owner: object, settings: TransactionSettings): BatchVerification {
  const { precondition, refusesSuspended } = currentContext()
  const verification = precondition as Verification | undefined
  if (verification?.state !== 'pending' || verification.owner !== owner)
    return { start: (tenantId, timeoutMs) => settings.enter(tenantId, timeoutMs, { refusesSuspended }), end: () => {} }
  let isCarried = false
  return {
    start(tenantId, timeoutMs) {
      const conditions = { precondition: isCarried ? undefined : verification.precondition, refusesSuspended }
      isCarried = true
      return settings.enter(tenantId, timeoutMs, conditions)
    },
    end(error) {
      if (error instanceof pg.DatabaseError && error.code === PRECONDITION_FAILED) verification.state = 'failed'
      else if (!error && isCarried && verification.state === 'pending') verification.state = 'passed'
    },
  }
}

/**
 * @param owner identifies the database.
 * @param sendAlone sends the precondition without another statement.
 */
export function createVerified(owner: object, sendAlone: () => Promise<unknown>): Database['verified'] {
  return async <T>(precondition: Precondition, work: () => Promise<T>): Promise<Verified<T>> => {
    const verification = new Verification(owner, precondition)
    const context = { precondition: verification }
    const [result] = await Promise.allSettled([withContext(context, async () => work())])
    if (verification.state === 'pending')
      await withContext(context, sendAlone).catch(error => {
        if (verification.state !== 'failed') throw error
      })
    if (verification.state === 'failed') return { holds: false }
    if (result.status === 'rejected') throw result.reason
    return { holds: true, value: result.value }
  }
}
