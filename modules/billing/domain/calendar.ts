/** Calendar in UTC. Pure. */

const DAY = 24 * 60 * 60 * 1000

/** When the period of a meter began. */
export function periodStart(period: 'day' | 'month' = 'month', now: number): Date {
  const at = new Date(now)
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), period === 'day' ? at.getUTCDate() : 1))
}

/** A month or a year later, at the same time of day. From the 31st to the last day of a shorter month. */
export function periodEnd(interval: 'month' | 'year', start: number): number {
  const at = new Date(start)
  const [year, months] = [at.getUTCFullYear(), at.getUTCMonth() + (interval === 'year' ? 12 : 1)]
  const lastDay = new Date(Date.UTC(year, months + 1, 0)).getUTCDate()
  const timeOfDay = start - Date.UTC(year, at.getUTCMonth(), at.getUTCDate())
  return Date.UTC(year, months, Math.min(at.getUTCDate(), lastDay)) + timeOfDay
}

export const daysLater = (start: number, days: number): number => start + days * DAY

export const time = (date: Date | null): number | null => date?.getTime() ?? null
export const dateOf = (at: number | null): Date | null => (at === null ? null : new Date(at))
