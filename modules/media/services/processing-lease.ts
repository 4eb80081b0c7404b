/** Who processes an item: one at a time, whatever asks for it, until it is done or whoever did it has died. */

import { randomUUID } from 'node:crypto'
import { type Deps, SECOND } from 'larder/kernel'
import { lockRow, type Row } from './item-repository.ts'

/** A claim lapses this long after it was last renewed. */
export const LEASE = 9 * SECOND
const RENEW_EVERY = 3 * SECOND

export interface Claim {
  readonly row: Row
  /** Aborted when the claim is lost. */
  readonly signal: AbortSignal
  release(): void
}

export function createClaims({ database, clock, log }: Deps<'database' | 'clock' | 'log'>) {
  const times = () => [new Date(clock.now()), new Date(clock.now() + LEASE)]

  /** Undefined where another has it, or there is nothing to do any more. */
  async function take(tenantId: string, id: string): Promise<Claim | undefined> {
    const claim = randomUUID()
    const row = await database.tenant(tenantId).transaction(async unit => {
      const [now, until] = times()
      const { rowCount } = await unit.query(
        `update media_items set status = 'processing', hold = null, tries = tries + 1, claim = $2, claimed_until = $4, updated_at = $3
         where id = $1 and (status in ('pending', 'uploaded')
           or (status = 'processing' and (claimed_until is null or claimed_until < $3)))`,
        [id, claim, now, until],
      )
      return rowCount === 0 ? undefined : lockRow(unit, id)
    })
    if (!row) return undefined
    const lost = new AbortController()
    const timer = setInterval(() => void renew(tenantId, id, claim, lost), RENEW_EVERY)
    return { row, signal: lost.signal, release: () => clearInterval(timer) }
  }

  async function renew(tenantId: string, id: string, claim: string, lost: AbortController): Promise<void> {
    try {
      const { rowCount } = await database
        .tenant(tenantId)
        .query('update media_items set claimed_until = $3 where id = $1 and claim = $2', [id, claim, times()[1]])
      if (rowCount === 0) lost.abort(new Error('the item was taken from whoever processed it'))
    } catch (error) {
      log.debug({ err: error, item: id }, 'a claim could not be renewed')
    }
  }

  return { take }
}
export type Claims = ReturnType<typeof createClaims>
