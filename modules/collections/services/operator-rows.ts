/** The port `operatorRows`: rows of shared collections, in a unit of work beside the surrounding one. */
import { type Deps, newId, SECOND } from '@larder-dev/larder/kernel'
import type { CollectionReference } from '../domain/declarations/define-collection.ts'
import type { OperatorRows, RowStore, Undo } from '../ports.ts'
import { createCollectionRows, type RowsDeps } from './row-store.ts'

/** Until the surrounding unit has taken over the job: it can't start before. */
const UNDO_DELAY_MS = 10 * SECOND

type OperatorRowsDeps = Deps<'database' | 'operator' | 'jobs' | 'clock'> & RowsDeps

export function createOperatorRows(deps: OperatorRowsDeps): OperatorRows {
  const { database, operator, jobs, clock } = deps
  const collections = createCollectionRows(deps)
  const { tenantId } = operator
  const rows = <C extends CollectionReference>(collection: C): RowStore<C> => collections.rows(collection, { tenantId })

  return {
    async transaction(work, { undo } = {}) {
      // A rollback of the surrounding unit reverts it, too.
      if (database.currentTenant() === tenantId) return database.tenant(tenantId).transaction(() => work(rows))
      if (undo && database.currentTenant() === undefined)
        throw new Error('operatorRows: `undo` needs a surrounding unit of work, whose rollback it follows')
      const key = newId('undo')
      const { result, pending } = await database.beside(() =>
        database.tenant(tenantId).transaction(async () => {
          const written = await work(rows)
          const reverting: Undo | undefined = undo?.(written)
          if (reverting) {
            const at = new Date(clock.now() + UNDO_DELAY_MS)
            await jobs.enqueue(reverting.job, reverting.data, { key, at, tenantId })
          }
          return { result: written, pending: reverting }
        }),
      )
      // Part of the surrounding unit: a rollback, or the end of the process, leaves the job. Until the commit, the row of the
      // job is locked, so that no worker starts it.
      if (pending && (await jobs.cancel(pending.job, key)) === 0)
        throw new Error(`operatorRows: ${pending.job} has started before the surrounding unit of work continued`)
      return result
    },
  }
}
