import { type Deps, together, type Unit } from '@larder-dev/larder/kernel'
import { emailKey } from '@larder-dev/larder/kernel/internal'
import { isCustomerSql } from '../../domain/customers.ts'
import { timeAt } from '../../domain/time.ts'
import type { IdentitySettings } from '../../options.ts'

type Counted = Deps<'database' | 'clock'> & { readonly settings: Pick<IdentitySettings, 'customerRole'> }

/** Counts members and pending invitations: an invitation reserves its seat. Customers have none. */
export async function countSeats({ database, clock, settings }: Counted, tenantId: string): Promise<number> {
  const { customerRole } = settings
  const { rows } = await database.tenant(tenantId).query<{ seats: string }>(
    `select (select count(*) from identity_members where tenant_id = $1
               ${customerRole === undefined ? '' : `and not ${isCustomerSql('roles', '$3')}`})
          + (select count(*) from identity_invitations
             where tenant_id = $1 and status = 'pending' and expires_at > $2) as seats`,
    [tenantId, timeAt(clock), ...(customerRole === undefined ? [] : [customerRole])],
  )
  return Number(rows[0]?.seats ?? 0)
}

/** Throws `entitlement_exceeded` without a free seat. Needs the tenant's lock. */
export const requireSeat = async ({ entitlements }: Deps<never, 'entitlements'>, tenantId: string): Promise<void> =>
  entitlements?.require(tenantId, 'identity.seat')

/** The same for an invitation: a pending one of this address already has a seat. Both are read in one round trip. */
export async function assertSeatAvailable(
  unit: Unit,
  deps: Deps<'clock', 'entitlements'>,
  tenantId: string,
  email: string,
): Promise<void> {
  const pending = unit.query(
    `select 1 from identity_invitations
     where tenant_id = $1 and email_key = $2 and status = 'pending' and expires_at > $3`,
    [tenantId, emailKey(email), timeAt(deps.clock)],
  )
  const seat = requireSeat(deps, tenantId).then(
    () => undefined,
    (error: unknown) => error,
  )
  const {
    written: { rowCount },
    error,
  } = await together({ written: pending, error: seat })
  if (rowCount === 0 && error !== undefined) throw error
}
