/** Sums of the recorded changes by day, so that a report doesn't read every change since the first one. */
import { DAY, type Deps } from '@larder-dev/larder/kernel'

/**
 * A day is summed a day after its end: the time of a change is that of its process, and the transaction that records it ends
 * later.
 */
const OPEN_MS = DAY
/** Bounds the rows that one statement reads: an installation may have years of changes when it begins to sum them. */
const DAYS_AT_ONCE = 31

/** $1 the end of the days that are over. Days without changes have no sums. */
const SUM = `
  with first as (
    select min(recorded_at) as at from billing_revenue_changes where recorded_at >= (
      select coalesce((max(day) + 1)::timestamp at time zone 'UTC', '-infinity') from billing_revenue_days)
  )
  insert into billing_revenue_days (day, kind, plan_key, currency, annual, subscriptions, changes)
  select (recorded_at at time zone 'UTC')::date, kind, plan_key, currency, sum(annual), sum(subscriptions), count(*)
  from billing_revenue_changes
  where recorded_at >= (select at from first)
    and recorded_at < least($1, (select date_trunc('day', at, 'UTC') from first) + interval '${DAYS_AT_ONCE * 24} hours')
  group by 1, 2, 3, 4
  on conflict do nothing`

export interface RevenueDays {
  /** Sums the days that are over. */
  sum(signal: AbortSignal): Promise<void>
}

export const createRevenueDays = ({ systemDatabase, clock }: Deps<'systemDatabase' | 'clock'>): RevenueDays => ({
  async sum(signal) {
    const unit = systemDatabase.acrossTenants('sums of the revenue are those of all tenants')
    const end = new Date(Math.floor((clock.now() - OPEN_MS) / DAY) * DAY)
    for (let added = 1; added > 0 && !signal.aborted; ) added = (await unit.query(SUM, [end])).rowCount
  },
})

/**
 * Sums by period: 0 for all that was before the first one. A day counts by its sums if it is summed and belongs to one
 * period. Changes are read one by one where a period begins or ends within a day, as it does in most time zones, and after
 * the last sums.
 *
 * $1 starts of the periods, $2 their end, $3 the time zone of both.
 */
export const SUMS_BY_PERIOD = `
  with periods as (
    select array(select start::timestamp at time zone $3 from unnest($1::text[]) with ordinality s (start, n) order by n) as starts,
      $2::timestamp at time zone $3 as ends
  ), summed as (
    select coalesce((max(day) + 1)::timestamp at time zone 'UTC', '-infinity') as until from billing_revenue_days
  ), split as (
    select distinct (bound at time zone 'UTC')::date as day from periods, unnest(starts || ends) bound
    where bound < (select until from summed) and bound <> date_trunc('day', bound, 'UTC')
  ), parts as (
    select day::timestamp at time zone 'UTC' as at, kind, plan_key, currency, annual, subscriptions, changes
    from billing_revenue_days
    where day < (select (ends at time zone 'UTC')::date from periods) and day not in (select day from split)
    union all
    select c.recorded_at, c.kind, c.plan_key, c.currency, c.annual, c.subscriptions, 1
    from split join billing_revenue_changes c on c.recorded_at >= split.day::timestamp at time zone 'UTC'
      and c.recorded_at < least((split.day + 1)::timestamp at time zone 'UTC', (select ends from periods))
    union all
    select recorded_at, kind, plan_key, currency, annual, subscriptions, 1 from billing_revenue_changes
    where recorded_at >= (select until from summed) and recorded_at < (select ends from periods)
  )
  select width_bucket(at, (select starts from periods)) as period, kind, plan_key as "planKey", currency,
    sum(annual)::float8 as annual, sum(subscriptions)::int as subscriptions, sum(changes)::int as changes
  from parts group by 1, kind, plan_key, currency`
