/** Times of a time zone. Pure. */
import { CronExpressionParser } from 'cron-parser'

const MINUTE = 60_000
/** Longer than any change of a zone's offset, in minutes. */
const MAX_GAP = 26 * 60

/** The next time of a cron expression of five fields after `after`; undefined if there is none. */
export function nextTime(cron: string, timeZone: string, after: number): number | undefined {
  try {
    const found = CronExpressionParser.parse(cron, { tz: timeZone, currentDate: new Date(after) })
      .next()
      .getTime()
    const valid = endOfGap(cron, timeZone, found)
    // The gap of a time that the zone leaves out may have ended already.
    return valid > after ? valid : nextTime(cron, timeZone, found)
  } catch {
    return undefined
  }
}

/** The last time of a cron expression until `until`, if it is after `since`. */
export function lastTime(cron: string, timeZone: string, since: number, until: number): number | undefined {
  let last: number | undefined
  for (
    let time = nextTime(cron, timeZone, Math.max(since, shortlyBefore(cron, timeZone, until)));
    time !== undefined && time <= until;
  ) {
    last = time
    time = nextTime(cron, timeZone, time)
  }
  return last
}

/** A time before the last two of a cron expression until `until`, so that a long outage isn't walked through. */
function shortlyBefore(cron: string, timeZone: string, until: number): number {
  try {
    const expression = CronExpressionParser.parse(cron, { tz: timeZone, currentDate: new Date(until) })
    expression.prev()
    return expression.prev().getTime() - 1
  } catch {
    return 0
  }
}

/** The moment of a date at a time of day: `2026-03-29`, `02:30`. */
export function timeOfDay(date: string, at: string, timeZone: string): number {
  const [year = 0, month, day] = date.split('-').map(Number)
  const [hour, minute] = at.split(':').map(Number)
  const before = Date.UTC(year, (month ?? 1) - 1, day) - 36 * 60 * MINUTE
  return nextTime(`${minute} ${hour} ${day} ${month} *`, timeZone, before) ?? Date.parse(`${date}T${at}:00Z`)
}

/** A time that the zone leaves out is moved to the first minute after the gap. Others stay. */
function endOfGap(cron: string, timeZone: string, time: number): number {
  if (CronExpressionParser.parse(cron, { tz: timeZone }).includesDate(new Date(time))) return time
  const minuteOf = wallClock(timeZone)
  for (let minutes = 0; minutes < MAX_GAP; minutes++) {
    const earlier = time - minutes * MINUTE
    if (minuteOf(earlier) - minuteOf(earlier - MINUTE) !== MINUTE) return earlier
  }
  return time
}

/** What a clock in the zone shows, as if it were UTC. */
function wallClock(timeZone: string): (time: number) => number {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  })
  return time => {
    const part = Object.fromEntries(format.formatToParts(time).map(({ type, value }) => [type, Number(value)]))
    return Date.UTC(part.year ?? 0, (part.month ?? 1) - 1, part.day, part.hour, part.minute)
  }
}

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** `H` of Jenkins, which the library replaces by another time whenever it reads the expression. */
const RANDOM = /(^|[\s,])H([(/,\s]|$)/i

/** Why a cron expression is invalid; undefined for a valid one. */
export function cronError(cron: string): string | undefined {
  if (cron.trim().split(/\s+/).length !== 5 || cron.trim().startsWith('@')) return 'it needs five fields'
  if (RANDOM.test(cron)) return 'H has no fixed time'
  try {
    CronExpressionParser.parse(cron).next()
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** The shortest time between two of the next 100 runs, in milliseconds. */
export function shortestInterval(cron: string): number {
  const expression = CronExpressionParser.parse(cron, { tz: 'UTC' })
  const times = expression.take(100).map(date => date.getTime())
  return Math.min(...times.slice(1).map((time, index) => time - (times[index] ?? 0)))
}
