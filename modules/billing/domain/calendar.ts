/** Calendar arithmetic in UTC. Timestamps are milliseconds since 1970. */
import { DAY } from '@larder-dev/larder/kernel'

/** Start of the metering period that contains `now`. */
export function periodStart(period: 'day' | 'month' = 'month', now: number): Date {
  const at = new Date(now)
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), period === 'day' ? at.getUTCDate() : 1))
}

/**
 * One month or year later at the same time of day, on the last day of the month if that month is shorter.
 * @param anchorDay the day of the month on which the first period began, which later periods return to.
 */
export function periodEnd(interval: 'month' | 'year', start: number, anchorDay?: number): number {
  const at = new Date(start)
  const [year, months] = [at.getUTCFullYear(), at.getUTCMonth() + (interval === 'year' ? 12 : 1)]
  const lastDay = new Date(Date.UTC(year, months + 1, 0)).getUTCDate()
  const timeOfDay = start - Date.UTC(year, at.getUTCMonth(), at.getUTCDate())
  return Date.UTC(year, months, Math.min(anchorDay ?? at.getUTCDate(), lastDay)) + timeOfDay
}

export const dayOfMonth = (at: number): number => new Date(at).getUTCDate()

export const addDays = (start: number, days: number): number => start + days * DAY

export const toMs = (date: Date | null): number | null => date?.getTime() ?? null
export const toDate = (at: number | null): Date | null => (at === null ? null : new Date(at))
