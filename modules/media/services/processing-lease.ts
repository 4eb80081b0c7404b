/** Ensures that one process at a time works on an item, until it is done or has died. */
import { randomUUID } from 'node:crypto'
import { type Deps, SECOND, statementTime } from '@larder-dev/larder/kernel'
import { type ItemRow, itemTable } from '../records/item.ts'

/** A lease expires this long after its last renewal. */
export const LEASE_MS = 9 * SECOND
const RENEWAL_INTERVAL_MS = 3 * SECOND

export interface ProcessingLease {
  readonly row: ItemRow
  /** Aborted when the lease is lost. */
  readonly signal: AbortSignal
  release(): void
}
export interface ProcessingLeases {
  /** Returns undefined if another process has the lease or the item needs no processing. */
  acquire(tenantId: string, id: string): Promise<ProcessingLease | undefined>
}

/** $3: the time, $4: milliseconds. */
const LEASE_END = `coalesce($3::timestamptz, statement_timestamp()) + $4::float8 * interval '1 millisecond'`

export function createProcessingLeases({ database, clock, log }: Deps<'database' | 'clock' | 'log'>): ProcessingLeases {
  async function renew(tenantId: string, id: string, claim: string, lost: AbortController): Promise<void> {
    try {
      const { rowCount } = await database
        .tenant(tenantId)
        .query(`update media_items set claimed_until = ${LEASE_END} where id = $1 and claim = $2`, [
          id,
          claim,
          statementTime(clock),
          LEASE_MS,
        ])
      if (rowCount === 0) lost.abort(new Error('another process took over the item'))
    } catch (error) {
      log.debug({ err: error, item: id }, 'could not renew a processing lease')
    }
  }

  return {
    async acquire(tenantId, id) {
      const claim = randomUUID()
      const [row] = await itemTable.query(
        database.tenant(tenantId),
        `update media_items set status = 'processing', hold = null, tries = tries + 1, claim = $2,
           claimed_until = ${LEASE_END}, updated_at = now
         from coalesce($3::timestamptz, statement_timestamp()) as now
         where id = $1 and (status in ('pending', 'uploaded')
           or (status = 'processing' and (claimed_until is null or claimed_until < now)))
         returning ${itemTable.columns()}`,
        [id, claim, statementTime(clock), LEASE_MS],
      )
      if (!row) return undefined
      const lost = new AbortController()
      const timer = setInterval(() => void renew(tenantId, id, claim, lost), RENEWAL_INTERVAL_MS)
      return { row, signal: lost.signal, release: () => clearInterval(timer) }
    },
  }
}
