/** Exact arithmetic on decimals: 19.99 is a multiple of 0.01, although 19.99 / 0.01 is 1998.9999999999998. Pure. */

const NUMBER = /^[-+]?(\d*)(?:\.(\d*))?(?:e([-+]?\d+))?$/i
const ZERO = 0x30

/** `digits` × 10^`exponent`, without a sign, and without zeros at either end of `digits`. */
interface Decimal {
  readonly digits: string
  readonly exponent: number
}

/** Undefined for text that is no decimal number. */
function parseDecimal(text: string): Decimal | undefined {
  const [found, whole = '', fraction = '', exponent = '0'] = NUMBER.exec(text) ?? []
  if (found === undefined) return undefined
  const all = whole + fraction
  let start = 0
  let end = all.length
  while (start < end && all.charCodeAt(start) === ZERO) start++
  while (end > start && all.charCodeAt(end - 1) === ZERO) end--
  return { digits: all.slice(start, end), exponent: Number(exponent) - fraction.length + (all.length - end) }
}

/**
 * False for the text of a number whose digits would change: a number beyond 2^53 that JSON.parse rounds. The rounding of
 * smaller numbers, such as a fraction with 20 digits, is expected.
 */
export function isExactNumber(text: string): boolean {
  // A double keeps every number of 15 digits.
  if (text.length <= 15) return true
  const number = Number(text)
  if (!Number.isFinite(number) || Math.abs(number) <= Number.MAX_SAFE_INTEGER) return true
  const [given, kept] = [parseDecimal(text), parseDecimal(String(number))]
  return given?.digits === kept?.digits && given?.exponent === kept?.exponent
}

/** Whether a value is a multiple of a step, both taken as the decimals that they are written as. */
export function isMultipleOf(value: number, step: number): boolean {
  if (step === 0 || !Number.isFinite(value) || !Number.isFinite(step)) return false
  if (Number.isSafeInteger(value) && Number.isSafeInteger(step)) return value % step === 0
  const [a, b] = [parseDecimal(String(value)), parseDecimal(String(step))] as [Decimal, Decimal]
  const exponent = Math.min(a.exponent, b.exponent)
  const scaled = (decimal: Decimal) => BigInt(decimal.digits) * 10n ** BigInt(decimal.exponent - exponent)
  return scaled(a) % scaled(b) === 0n
}
