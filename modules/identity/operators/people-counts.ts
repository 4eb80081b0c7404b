/** Accounts and active people by day or month, for reports of the business. */
import { DAY, type Deps } from '@larder-dev/larder/kernel'
import type { ReadPeopleCounts } from '../ports.ts'

/** Longer than a process is down: a login keeps only the time of its last use. */
const COUNTED_MS = 2 * DAY

const acrossTenants = ({ systemDatabase }: Deps<'systemDatabase'>) =>
  systemDatabase.acrossTenants('accounts belong to no tenant')

/** Remembers who has used the product this month. */
export const countActivePeople = async (deps: Deps<'systemDatabase' | 'clock'>): Promise<void> => {
  const now = deps.clock.now()
  await acrossTenants(deps).query(
    `insert into identity_active_people
     select distinct date_trunc('month', extended_at, 'UTC')::date, user_id from identity_logins
     where extended_at > $1 and impersonator_id is null
     on conflict do nothing`,
    [new Date(now - COUNTED_MS)],
  )
}

export const peopleCounts =
  (deps: Deps<'systemDatabase'>): ReadPeopleCounts =>
  async ({ by, timeZone, from, until }) => {
    const { signUps, active } = await acrossTenants(deps).all({
      signUps: [
        // Each period is a range of the index: a time zone for each account would take most of the time.
        `select to_char(start, 'YYYY-MM-DD') as start, (select count(*)::int from identity_users
           where created_at >= start at time zone $3 and created_at < (start + step) at time zone $3) as count
         from cast('1 ' || $4 as interval) step,
           generate_series($1::timestamp, $2::timestamp - interval '1 day', step) start`,
        [from, until, timeZone, by],
      ],
      active: [
        `select to_char(month, 'YYYY-MM-DD') as start, count(*)::int as count from identity_active_people
         where $3 = 'month' and month >= $1 and month < $2 group by month`,
        [from, until, by],
      ],
    })
    const signedUp = countsOf(signUps.rows)
    const counted = countsOf(active.rows)
    return [...new Set([...signedUp.keys(), ...counted.keys()])].map(start => ({
      start,
      signUps: signedUp.get(start) ?? 0,
      activePeople: counted.get(start) ?? null,
    }))
  }

const countsOf = (rows: readonly Record<string, unknown>[]): ReadonlyMap<string, number> =>
  new Map(rows.map(({ start, count }) => [String(start), Number(count)]))
