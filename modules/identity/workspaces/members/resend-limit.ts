/** An invitation is sent again at most 3 times an hour, to protect mailboxes from floods. */
import { common, type Deps, HOUR, SECOND, type Unit, withHeaders } from '@larder-dev/larder/kernel'
import { emailKey } from '@larder-dev/larder/kernel/internal'
import { timeAt } from '../../domain/time.ts'

const MAX_RESENDS = 3
const WINDOW = 1 * HOUR

/**
 * Counts per address, so that revoking and inviting again has the same limit. Needs the tenant's lock. Returns whether
 * the address was invited within the window. Throws `rate_limited`.
 */
export async function limitResends(
  unit: Unit,
  { clock }: Deps<'clock'>,
  tenantId: string,
  email: string,
): Promise<{ readonly resent: boolean }> {
  const { rows } = await unit.query<{ resent_at: Date | null }>(
    `select r.resent_at from identity_invitations i
     left join lateral unnest(i.resent_at) as r (resent_at) on r.resent_at > $3 and r.resent_at <= $4
     where i.tenant_id = $1 and i.email_key = $2 and i.updated_at > $3 order by r.resent_at desc nulls last`,
    // Later times are from before the clock was set back.
    [tenantId, emailKey(email), timeAt(clock, -WINDOW), timeAt(clock)],
  )
  const earliest = rows[MAX_RESENDS - 1]?.resent_at
  if (!earliest) return { resent: rows.length > 0 }
  const seconds = Math.ceil((earliest.getTime() + WINDOW - clock.now()) / SECOND)
  throw withHeaders(common.rate_limited({ seconds }), { 'retry-after': String(seconds) })
}

/** Removes the times that no longer count. */
export const recentResends = (resentAt: readonly Date[], { clock }: Deps<'clock'>): Date[] =>
  resentAt.filter(time => time.getTime() > clock.now() - WINDOW)

/** SQL of `resent_at` with the time `now`, an expression, and without times that don't count any more. */
export const appendResend = (now: string): string =>
  `array_append(
     array(select r from unnest(identity_invitations.resent_at) as r
           where r > ${now} - interval '${WINDOW / SECOND} seconds'), ${now})`
