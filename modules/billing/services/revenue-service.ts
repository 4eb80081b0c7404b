/** Numbers of the business: recurring revenue, trials, sign-ups, by day or month. */
import {
  DAY,
  type Deps,
  dayIn,
  type PeriodQuery,
  periodsOf,
  type Registrations,
  together,
} from '@larder-dev/larder/kernel'
import type { ChangeKind } from '../domain/revenue.ts'
import { type ChangeSum, type RevenuePeriod, type RevenuePeriods, reportOf } from '../domain/revenue-report.ts'
import { SUMS_BY_PERIOD } from './revenue-days.ts'

export interface CurrentNumbers {
  /** Subscriptions on trial. */
  readonly trialing: number
  /** Those whose trial ends within 7 days, and within 30. */
  readonly trialsEndingIn7Days: number
  readonly trialsEndingIn30Days: number
  /** Subscriptions that an operator gave, which don't count as revenue. */
  readonly given: number
}
export interface RevenueReport extends Pick<RevenuePeriods, 'by' | 'timeZone'> {
  /** From when figures exist. */
  readonly since: Date
  readonly current: CurrentNumbers
  readonly data: readonly RevenuePeriod[]
}
export interface RevenueService {
  /** Throws 422 for a range that can't be reported. */
  report(query: PeriodQuery<RevenuePeriods['by']>): Promise<RevenueReport>
}

type Row = Readonly<Record<string, unknown>>

/** @param starts of the periods, which the row counts from 1. */
const sumOf = (row: Row, starts: readonly string[]): ChangeSum => ({
  start: starts[Number(row.period) - 1] ?? '',
  kind: row.kind as ChangeKind,
  planKey: String(row.planKey),
  currency: String(row.currency),
  annual: Number(row.annual),
  subscriptions: Number(row.subscriptions),
  changes: Number(row.changes),
})

const currentOf = (counts: Row): CurrentNumbers => ({
  trialing: Number(counts.trialing),
  trialsEndingIn7Days: Number(counts.trialsEndingIn7Days),
  trialsEndingIn30Days: Number(counts.trialsEndingIn30Days),
  given: Number(counts.given),
})

type Needs = Deps<'systemDatabase' | 'clock' | 'registry'>

export function createRevenueService({ systemDatabase, clock, registry }: Needs): RevenueService {
  /** Undefined in a product without accounts. */
  async function readPeople({ by, timeZone, starts, until }: RevenuePeriods) {
    const [read] = registry.collect<Registrations['peopleCounts']>('peopleCounts')
    const [from = until] = starts
    return read?.value({ by, timeZone, from, until })
  }

  async function readSums({ timeZone, starts, until }: RevenuePeriods) {
    const now = clock.now()
    return systemDatabase.acrossTenants('figures of the business are those of all tenants').all({
      since: ['select since from billing_revenue_start', []],
      sums: [SUMS_BY_PERIOD, [starts, until, timeZone]],
      trials: [
        `select count(*)::int as trialing,
           count(*) filter (where trial_ends_at < $1)::int as "trialsEndingIn7Days",
           count(*) filter (where trial_ends_at < $2)::int as "trialsEndingIn30Days"
         from billing_subscriptions where state = 'trialing'`,
        [new Date(now + 7 * DAY), new Date(now + 30 * DAY)],
      ],
      given: [
        `select count(*)::int as given from billing_subscriptions where given and state in ('active', 'past_due')`,
        [],
      ],
    })
  }

  return {
    async report(query) {
      const periods = periodsOf({ ...query, by: query.by ?? 'month' }, clock.now())
      const { sums: found, people } = await together({ sums: readSums(periods), people: readPeople(periods) })
      const since = new Date(String(found.since.rows[0]?.since))
      const sums = found.sums.rows.map(row => sumOf(row, periods.starts))
      return {
        by: periods.by,
        timeZone: periods.timeZone,
        since,
        current: currentOf({ ...found.trials.rows[0], ...found.given.rows[0] }),
        data: reportOf(periods, dayIn(periods.timeZone, since.getTime()), sums, people),
      }
    },
  }
}
