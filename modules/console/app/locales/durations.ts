/** Durations, whose properties in the API end in their unit: `ttl_seconds`, `delayMs`. Pure. */
import { DAY, HOUR, MINUTE, SECOND } from '../../../../kernel/base/units.ts'

/** Milliseconds. */
export const UNITS = { ms: 1, second: SECOND, minute: MINUTE, hour: HOUR, day: DAY } as const
export type DurationUnit = keyof typeof UNITS

const SECONDS = /(_seconds|Seconds)$/
const MILLISECONDS = /(_ms|Ms)$/

export const isDuration = (name: string): boolean => SECONDS.test(name) || MILLISECONDS.test(name)
/** The unit of the values in the API. */
export const unitOf = (name: string): DurationUnit => (MILLISECONDS.test(name) ? 'ms' : 'second')

const LARGEST_FIRST = ['day', 'hour', 'minute', 'second', 'ms'] as const

/**
 * What a form shows for a value in its unit: 7,200 seconds as 2 hours.
 * @param unit the one that the reader chose; the largest that gives a whole number by default.
 */
export function amountIn(
  value: string,
  base: DurationUnit,
  unit?: DurationUnit,
): { readonly amount: string; readonly unit: DurationUnit } {
  const ms = Number(value) * UNITS[base]
  if (value.trim() === '' || Number.isNaN(ms))
    return { amount: value, unit: unit ?? (base === 'ms' ? 'second' : 'minute') }
  const shown = unit ?? LARGEST_FIRST.find(each => ms >= UNITS[each] && ms % UNITS[each] === 0) ?? base
  return { amount: String(ms / UNITS[shown]), unit: shown }
}

/** The two largest units of a duration: 5,400 seconds are 1 hour and 30 minutes. */
export function partsOfDuration(ms: number): readonly (readonly [amount: number, unit: DurationUnit])[] {
  const parts: [number, DurationUnit][] = []
  let left = ms
  for (const unit of LARGEST_FIRST) {
    const amount = Math.floor(left / UNITS[unit])
    if (amount > 0) parts.push([amount, unit])
    left -= amount * UNITS[unit]
  }
  return parts.length > 0 ? parts.slice(0, 2) : [[0, 'ms']]
}

/** `1 hour, 30 minutes`. @param language BCP 47. @param ms in milliseconds. */
export const durationIn = (language: string, ms: number): string =>
  new Intl.ListFormat(language, { type: 'unit' }).format(
    partsOfDuration(ms).map(([amount, unit]) =>
      new Intl.NumberFormat(language, {
        style: 'unit',
        unit: unit === 'ms' ? 'millisecond' : unit,
        unitDisplay: 'long',
      }).format(amount),
    ),
  )
