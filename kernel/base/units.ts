/** Durations in milliseconds and sizes in bytes, and their notation in recipes. */

/** Milliseconds of a second. */
export const SECOND = 1000
/** Milliseconds of a minute. */
export const MINUTE = 60 * SECOND
/** Milliseconds of an hour. */
export const HOUR = 60 * MINUTE
/** Milliseconds of a day. */
export const DAY = 24 * HOUR

/** Bytes of a kibibyte. */
export const KIB = 1024
/** Bytes of a mebibyte. */
export const MIB = 1024 * KIB
/** Bytes of a gibibyte. */
export const GIB = 1024 * MIB

const DURATION = { ms: 1, s: SECOND, m: MINUTE, h: HOUR, d: DAY } as const
const SIZE = { B: 1, KiB: KIB, MiB: MIB, GiB: GIB, kB: 1e3, MB: 1e6, GB: 1e9 } as const

/** JSON Schema pattern of a duration in a recipe: `500ms`, `15m`, `7d`. Bounded, so that a time after it is still a date. */
export const DURATION_PATTERN = '^(\\d{1,12}ms|\\d{1,9}s|\\d{1,7}m|\\d{1,5}[hd])$'
/** The same for durations of which zero makes no sense, such as lifetimes. */
export const POSITIVE_DURATION_PATTERN = `^(?!0+[a-z])${DURATION_PATTERN.slice(1)}`
/** JSON Schema pattern of a size in a recipe: `100MiB`, `1GB`. */
export const SIZE_PATTERN = '^\\d+(B|KiB|MiB|GiB|kB|MB|GB)$'

/** `15m` → milliseconds. Throws a RangeError for a text in another notation. */
export function milliseconds(text: string): number {
  const [, amount, unit] = /^(\d+)(ms|s|m|h|d)$/.exec(text) ?? []
  if (!amount) throw new RangeError(`'${text}' is not a duration such as 500ms, 30s, 15m, 12h or 7d`)
  return Number(amount) * DURATION[unit as keyof typeof DURATION]
}

/** `100MiB` → bytes. Throws a RangeError unless the text matches SIZE_PATTERN. */
export function bytes(text: string): number {
  const [, amount, unit] = /^(\d+)(B|KiB|MiB|GiB|kB|MB|GB)$/.exec(text) ?? []
  if (!amount) throw new RangeError(`'${text}' is not a size such as 64KiB, 100MiB or 1GB`)
  return Number(amount) * SIZE[unit as keyof typeof SIZE]
}

/** `1536` → `1.5 KiB`. */
export function formatSize(size: number): string {
  if (size < KIB) return `${size} B`
  const [unit, word] = size < MIB ? [KIB, 'KiB'] : size < GIB ? [MIB, 'MiB'] : [GIB, 'GiB']
  return `${(size / unit).toFixed(1).replace(/\.0$/, '')} ${word}`
}

const BINARY = ['B', 'KiB', 'MiB', 'GiB', 'TiB']
const DECIMAL = ['B', 'kB', 'MB', 'GB', 'TB']

/** A quantity below 1 in a smaller unit: 0.006 GiB → 6.144 MiB. Other units, and none, stay. */
export function scaledQuantity(amount: number, unit: string | null | undefined) {
  const [units, step] = DECIMAL.includes(unit ?? '') && unit !== 'B' ? [DECIMAL, 1000] : [BINARY, 1024]
  let at = units.indexOf(unit ?? '')
  let scaled = amount
  while (at > 0 && scaled > 0 && scaled < 1) {
    scaled *= step
    at--
  }
  return { amount: scaled, unit: units[at] ?? unit ?? null }
}
