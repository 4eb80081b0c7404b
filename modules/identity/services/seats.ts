import type { Deps } from 'larder/kernel'
import { timeAt } from '../domain/time.ts'

/** Counts members and pending invitations: an invitation reserves its seat. */
export async function countSeats({ database, clock }: Deps<'database' | 'clock'>, tenantId: string): Promise<number> {
  const { rows } = await database.tenant(tenantId).query<{ seats: string }>(
    `select (select count(*) from identity_members where tenant_id = $1)
          + (select count(*) from identity_invitations
             where tenant_id = $1 and status = 'pending' and expires_at > $2) as seats`,
    [tenantId, timeAt(clock)],
  )
  return Number(rows[0]?.seats ?? 0)
}
