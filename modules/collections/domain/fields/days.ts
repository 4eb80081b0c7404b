/** Days of the calendar. Pure. */

const DAYS_OF_MONTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const
const FEBRUARY = 2

const isLeapYear = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)

/**
 * Whether a text of the form `2026-01-31` is a day of the years 1 to 9999. `Date` moves 2026-02-30 into March, and takes
 * longer.
 */
export function isDay(date: string): boolean {
  const [year, month, day] = [Number(date.slice(0, 4)), Number(date.slice(5, 7)), Number(date.slice(8, 10))]
  const length = month === FEBRUARY && isLeapYear(year) ? 29 : (DAYS_OF_MONTHS[month - 1] ?? 0)
  return year >= 1 && day >= 1 && day <= length
}
