/** Periods of rows that must not overlap. Pure. */
import { type FieldError, fieldError, wording } from '@larder-dev/larder/kernel'
import { escapePointer } from '@larder-dev/larder/kernel/internal'
import type { Collection, Periods } from '../declarations/collection.ts'

type Values = Readonly<Record<string, unknown>>

/** From `start` until just before `end`, in milliseconds. */
export interface Period {
  /** Rows with the same key must not overlap. */
  readonly key: string
  readonly start: number
  readonly end: number
}

/** Undefined for a row without a period or without one of the values that share a calendar, which overlaps with nothing. */
export function periodOf({ fields }: Collection, { by, from, to }: Periods, values: Values): Period | undefined {
  const shared = by.map(name => (values[name] === undefined ? (fields.get(name)?.default ?? null) : values[name]))
  const [start = Number.NaN, end = Number.NaN] = [from, to].map(name => timeOf(values[name]))
  return shared.includes(null) || !(start < end) ? undefined : { key: JSON.stringify(shared), start, end }
}
const timeOf = (value: unknown): number => (typeof value === 'string' ? Date.parse(value) : Number.NaN)

/** A period ends after it begins. @param values of the whole row. */
export function periodErrors({ noOverlap }: Collection, values: Values, pointer: string): FieldError[] {
  if (!noOverlap) return []
  const { from, to } = noOverlap
  const isReversed = timeOf(values[from]) >= timeOf(values[to])
  return isReversed
    ? [fieldError(`${pointer}/${escapePointer(to)}`, 'invalid', wording('must be later than {field}', { field: from }))]
    : []
}

export interface Calendars {
  /** Returns false for a period that overlaps with an earlier one, and doesn't add it. */
  add(period: Period): boolean
}

export function createCalendars(): Calendars {
  const calendars = new Map<string, Period[]>()
  return {
    add(period) {
      const known = calendars.get(period.key) ?? []
      calendars.set(period.key, known)
      const at = positionOf(known, period.start)
      const [before, after] = [known[at - 1], known[at]]
      if ((before && before.end > period.start) || (after && after.start < period.end)) return false
      known.splice(at, 0, period)
      return true
    },
  }
}

/** The position of the first period that begins at this time or later. */
function positionOf(periods: readonly Period[], start: number): number {
  let [low, high] = [0, periods.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((periods[middle] as Period).start < start) low = middle + 1
    else high = middle
  }
  return low
}
