/** Values of duration fields, in the notation of recipes: `90m`. Pure. */
import { DAY, HOUR, MINUTE, milliseconds, SECOND } from '@larder-dev/larder/kernel'

export const DURATION_VALUE_PATTERN = '^\\d{1,12}(ms|s|m|h|d)$'
const VALUE = new RegExp(DURATION_VALUE_PATTERN)
const UNITS = { d: DAY, h: HOUR, m: MINUTE, s: SECOND } as const

/** Milliseconds; undefined for a text that isn't a duration, and for one beyond the range of exact integers. */
export function parseDuration(text: string): number | undefined {
  const total = VALUE.test(text) ? milliseconds(text) : undefined
  return Number.isSafeInteger(total) ? total : undefined
}

/** In the largest unit that needs no fraction: 5,400,000 → `90m`. */
export function formatDuration(ms: number): string {
  const [unit, length] = Object.entries(UNITS).find(([, length]) => ms !== 0 && ms % length === 0) ?? ['ms', 1]
  return ms === 0 ? '0s' : `${ms / length}${unit}`
}

/** `formatDuration` of a column. */
export function durationSql(column: string): string {
  const cases = Object.entries(UNITS).map(
    ([unit, length]) => `when ${column} % ${length} = 0 then ${column} / ${length} || '${unit}'`,
  )
  return `case when ${column} = 0 then '0s' ${cases.join(' ')} else ${column} || 'ms' end`
}
