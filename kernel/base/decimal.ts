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
 * False for the text of a number that JSON.parse would round: the digits that are kept differ from those given. Exact are
 * also the 16 or 17 digits with which some languages write a number that has fewer, such as 0.10000000000000001.
 */
export function isExactNumber(text: string): boolean {
  // A double keeps every number of 15 digits, unless its exponent is too small.
  if (text.length <= 15 && !/e/i.test(text)) return true
  const number = Number(text)
  if (!Number.isFinite(number)) return true
  const given = parseDecimal(text)
  // Another notation, such as 0x1F in YAML.
  if (given === undefined) return Math.abs(number) <= Number.MAX_SAFE_INTEGER
  return [String(number), number.toPrecision(17), number.toPrecision(16)].some(written => {
    const kept = parseDecimal(written) as Decimal
    return given.digits === kept.digits && (given.digits === '' || given.exponent === kept.exponent)
  })
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
