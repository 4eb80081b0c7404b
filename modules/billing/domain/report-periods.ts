/** The days or months of a report, in one time zone. Pure. */
import { invalidField, isTimeZone, wording } from '@larder-dev/larder/kernel'

export type Step = 'day' | 'month'

export interface PeriodQuery {
  readonly by?: Step
  /** First and last day, `2026-11-29`. */
  readonly from?: string
  readonly to?: string
  readonly timeZone?: string
}
/** Dates are the first days of periods. */
export interface ReportPeriods {
  readonly by: Step
  readonly timeZone: string
  readonly starts: readonly string[]
  /** The first day after the last period. */
  readonly until: string
}

const MAX_PERIODS = { day: 366, month: 120 } as const
const DEFAULT_PERIODS = { day: 30, month: 12 } as const

/** Throws 422 for an unknown time zone, and for a range that is too long or ends before it begins. */
export function periodsOf({ by = 'month', from, to, timeZone = 'UTC' }: PeriodQuery, now: number): ReportPeriods {
  if (!isTimeZone(timeZone))
    throw invalidField(
      'query/timeZone',
      'unknown_time_zone',
      wording('must be the name of a time zone such as Europe/Berlin'),
    )
  const last = startOf(by, to ?? dayIn(timeZone, now))
  const first = startOf(by, from ?? shift(by, last, 1 - DEFAULT_PERIODS[by]))
  if (first > last)
    throw invalidField('query/from', 'too_great', wording('must not be later than {name}', { name: 'to' }))
  const starts: string[] = []
  for (let start = first; start <= last; start = shift(by, start, 1)) {
    if (starts.length === MAX_PERIODS[by]) throw invalidField('query/from', 'too_many', tooMany(by))
    starts.push(start)
  }
  return { by, timeZone, starts, until: shift(by, last, 1) }
}

const tooMany = (by: Step) =>
  by === 'day'
    ? wording('must be at most {count} days before the end', { count: MAX_PERIODS.day })
    : wording('must be at most {count} months before the end', { count: MAX_PERIODS.month })

/** The day there, `2026-11-29`. */
export function dayIn(timeZone: string, at: number): string {
  const format = new Intl.DateTimeFormat('en', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]))
  return `${parts.get('year')?.padStart(4, '0')}-${parts.get('month')}-${parts.get('day')}`
}

const startOf = (by: Step, day: string): string => (by === 'day' ? day : `${day.slice(0, 7)}-01`)

/** The start of the period `count` periods later. */
export function shift(by: Step, start: string, count: number): string {
  const [year = 0, month = 1, day = 1] = start.split('-').map(Number)
  const at = by === 'day' ? Date.UTC(year, month - 1, day + count) : Date.UTC(year, month - 1 + count, 1)
  return new Date(at).toISOString().slice(0, 10)
}
