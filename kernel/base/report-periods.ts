/** The days, weeks or months of a report, in one time zone. Pure. */
import { invalidField } from './problem.ts'
import { isTimeZone } from './time-zones.ts'
import { wording } from './wording.ts'

/** What a report can count by. Weeks begin on Monday. */
export const PERIOD_STEPS = ['day', 'week', 'month'] as const
/** The length of a period. */
export type PeriodStep = (typeof PERIOD_STEPS)[number]

/** The range and the steps that a request asks for. */
export interface PeriodQuery<Step extends PeriodStep = PeriodStep> {
  readonly by?: Step
  /** A day of the first and of the last period, `2026-11-29`. */
  readonly from?: string
  readonly to?: string
  /** IANA name; UTC by default. */
  readonly timeZone?: string
}
/** All periods of a report. Dates are their first days. */
export interface ReportPeriods<Step extends PeriodStep = PeriodStep> {
  readonly by: Step
  readonly timeZone: string
  readonly starts: readonly string[]
  /** The first day after the last period. */
  readonly until: string
}

const MAX_PERIODS = { day: 366, week: 260, month: 120 } as const
const DEFAULT_PERIODS = { day: 30, week: 12, month: 12 } as const
const FIRST_YEAR = 1900
const LAST_YEAR = 9000

/**
 * The periods of a query; without `from`, the last 30 days, 12 weeks or 12 months until `to`, which is today by default.
 * Throws 422 for an unknown time zone, and for a range that is too long or ends before it begins.
 */
export function periodsOf<Step extends PeriodStep>(
  { by, from, to, timeZone = 'UTC' }: PeriodQuery<Step> & { readonly by: Step },
  now: number,
): ReportPeriods<Step> {
  if (!isTimeZone(timeZone))
    throw invalidField(
      'query/timeZone',
      'unknown_time_zone',
      wording('must be the name of a time zone such as Europe/Berlin'),
    )
  for (const [name, day] of Object.entries({ from, to }))
    if (day !== undefined && (yearOf(day) < FIRST_YEAR || yearOf(day) > LAST_YEAR))
      throw invalidField(
        `query/${name}`,
        'out_of_range',
        wording('must be in the years {first} to {last}', { first: String(FIRST_YEAR), last: String(LAST_YEAR) }),
      )
  const last = startOf(by, to ?? dayIn(timeZone, now))
  const first = startOf(by, from ?? shiftPeriod(by, last, 1 - DEFAULT_PERIODS[by]))
  if (first > last)
    throw invalidField('query/from', 'too_great', wording('must not be later than {name}', { name: 'to' }))
  const starts: string[] = []
  for (let start = first; start <= last; start = shiftPeriod(by, start, 1)) {
    if (starts.length === MAX_PERIODS[by]) throw invalidField('query/from', 'too_many', tooMany(by))
    starts.push(start)
  }
  return { by, timeZone, starts, until: shiftPeriod(by, last, 1) }
}

const yearOf = (day: string): number => Number(day.slice(0, 4))

const tooMany = (by: PeriodStep) => {
  const count = MAX_PERIODS[by]
  if (by === 'day') return wording('must be at most {count} days before the end', { count })
  if (by === 'week') return wording('must be at most {count} weeks before the end', { count })
  return wording('must be at most {count} months before the end', { count })
}

/** The day of a time there, `2026-11-29`. @param at milliseconds since 1970. */
export function dayIn(timeZone: string, at: number): string {
  const format = new Intl.DateTimeFormat('en', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]))
  return `${parts.get('year')?.padStart(4, '0')}-${parts.get('month')}-${parts.get('day')}`
}

function startOf(by: PeriodStep, day: string): string {
  if (by === 'day') return day
  if (by === 'month') return `${day.slice(0, 7)}-01`
  const sinceMonday = (new Date(day).getUTCDay() + 6) % 7
  return shiftPeriod('day', day, -sinceMonday)
}

/** The start of the period `count` periods later. */
export function shiftPeriod(by: PeriodStep, start: string, count: number): string {
  const [year = 0, month = 1, day = 1] = start.split('-').map(Number)
  const at =
    by === 'month'
      ? Date.UTC(year, month - 1 + count, 1)
      : Date.UTC(year, month - 1, day + count * (by === 'week' ? 7 : 1))
  return new Date(at).toISOString().slice(0, 10)
}
