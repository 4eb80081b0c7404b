/** Runs work whose statements carry a precondition, and finds out whether it held. */
import { type Database, type Precondition, type Verified, withContext } from 'larder/kernel'
import { PendingPrecondition } from './precondition.ts'

/**
 * @param owner identifies the database.
 * @param sendAlone sends the precondition without another statement.
 */
export function createVerification(owner: object, sendAlone: () => Promise<unknown>): Database['verified'] {
  /** Rejects if it doesn't hold, but a part of the work may have taken effect. */
  async function holds(pending: PendingPrecondition): Promise<boolean> {
    while (pending.inFlight) await pending.inFlight.catch(() => {})
    // Nothing has carried it, or the batch that did failed for another reason.
    if (pending.state === 'pending')
      await sendAlone().catch(error => {
        if (pending.state !== 'failed') throw error
      })
    if (pending.state !== 'passed' && pending.unconfirmed) throw pending.unconfirmed
    return pending.state === 'passed'
  }

  return <T>(precondition: Precondition, work: () => Promise<T>): Promise<Verified<T>> => {
    const pending = new PendingPrecondition(owner, precondition)
    const context = { precondition: pending }
    const verify = () => withContext(context, () => holds(pending))
    return startIn(context, work).then(
      value =>
        pending.state === 'passed'
          ? { holds: true, value }
          : verify().then(isHeld => (isHeld ? { holds: true, value } : { holds: false })),
      async error => {
        if (await verify()) throw error
        return { holds: false }
      },
    )
  }
}

/** Rejects if `work` throws. */
function startIn<T>(context: Parameters<typeof withContext>[0], work: () => Promise<T>): Promise<T> {
  try {
    return withContext(context, work)
  } catch (error) {
    return Promise.reject(error)
  }
}
