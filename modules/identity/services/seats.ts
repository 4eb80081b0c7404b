/** Members and those who were invited: a seat is taken when it is offered. */
import type { Deps } from 'larder/kernel'
export async function countSeats({ database, clock }: Deps<'database' | 'clock'>, tenantId: string): Promise<number> {
  const { rows } = await database.tenant(tenantId).query<{ seats: string }>(
    `select (select count(*) from identity_members where tenant_id = $1)
          + (select count(*) from identity_invitations
             where tenant_id = $1 and status = 'pending' and expires_at > $2) as seats`,
    [tenantId, new Date(clock.now()).toISOString()],
  )
  return Number(rows[0]?.seats ?? 0)
}
