/**
 * Amounts of money in the smallest unit of their currency that the payment provider charges, such as cents, and numbers as
 * people and spreadsheets write them.
 */

/**
 * Currencies whose smallest unit isn't a hundredth. Up to TND, this is Stripe's table
 * (https://docs.stripe.com/currencies#zero-decimal), so that an amount means here what is charged there: ISK and UGX have
 * hundredths, although neither is divided in practice. The currencies after it, which Stripe doesn't charge, are those of
 * ISO 4217. Tables of `Intl` say how a currency is usually written, and change with the version of ICU.
 */
const DIGITS: Readonly<Record<string, number>> = {
  BIF: 0,
  CLP: 0,
  DJF: 0,
  GNF: 0,
  JPY: 0,
  KMF: 0,
  KRW: 0,
  MGA: 0,
  PYG: 0,
  RWF: 0,
  VND: 0,
  VUV: 0,
  XAF: 0,
  XOF: 0,
  XPF: 0,
  BHD: 3,
  JOD: 3,
  KWD: 3,
  OMR: 3,
  TND: 3,
  IQD: 3,
  LYD: 3,
  UYI: 0,
  CLF: 4,
  UYW: 4,
}

/** Digits after the decimal point: 2 for EUR and ISK, 0 for JPY, 3 for KWD. */
export const currencyDigits = (currency: string): number => DIGITS[currency.toUpperCase()] ?? 2

/**
 * `€29.00`, `29,00 €`. Whole amounts of a currency that is usually written without decimals have none: `29 kr.`. Throws
 * RangeError unless the currency has the form of an ISO 4217 code.
 */
export function formatMoney(locale: string, amount: number, currency: string): string {
  const digits = currencyDigits(currency)
  const written = new Intl.NumberFormat(locale, { style: 'currency', currency }).resolvedOptions().maximumFractionDigits
  const isWhole = amount % 10 ** digits === 0
  const shown = isWhole && written === 0 ? 0 : digits
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: shown,
    maximumFractionDigits: shown,
  }).format(decimalText(amount, digits) as `${number}`)
}

/** `29.00`, without a symbol. */
export const decimalAmount = (amount: number, currency: string): string => decimalText(amount, currencyDigits(currency))

/** Moves the decimal point of the digits, because a division would round amounts of more than 15 digits. */
function decimalText(amount: number, digits: number): string {
  if (!Number.isSafeInteger(amount)) return (amount / 10 ** digits).toFixed(digits)
  const text = String(Math.abs(amount)).padStart(digits + 1, '0')
  const whole = text.slice(0, text.length - digits)
  const sign = amount < 0 ? '-' : ''
  return digits === 0 ? `${sign}${whole}` : `${sign}${whole}.${text.slice(-digits)}`
}

/**
 * `49.5` and `49,50` → 4950. Nothing is rounded or guessed: undefined for a text that is no amount, has more decimals than
 * the currency, or is thousands to some readers, such as `1,500`, and `1.500` of a currency with two decimals.
 */
export function parseAmount(text: string, currency: string): number | undefined {
  const digits = currencyDigits(currency)
  const [, sign = '', whole, decimals = ''] = /^([-+]?)(\d{1,16})(?:[.,](\d*))?$/.exec(text.trim()) ?? []
  if (whole === undefined || (digits < 3 && couldBeThousands(whole, decimals))) return undefined
  // Currencies with three decimals, too, have them after a point only: `1,234` is a thousand to many readers.
  if (plainNumber(text, false, false) === undefined) return undefined
  return hasMoreDecimals(decimals, digits)
    ? undefined
    : safeAmount(`${sign}${whole}${decimals.padEnd(digits, '0').slice(0, digits)}`)
}

const hasMoreDecimals = (decimals: string, digits: number): boolean => /[^0]/.test(decimals.slice(digits))

function safeAmount(text: string): number | undefined {
  const amount = Number(text)
  return Number.isSafeInteger(amount) ? amount || 0 : undefined
}

export interface ReadAmount {
  readonly amount: number
  /** Without decimals and without a sign of the currency: it could be in the smallest unit. */
  readonly isWhole: boolean
}
export type AmountFault = 'no_amount' | 'other_currency' | 'too_many_decimals' | 'ambiguous'

/**
 * An amount as people and spreadsheets write it: `1,234.50`, `1.234,50 €`, `EUR 49`, `(49.00)`, `1 234`. Nothing is
 * guessed: `1.234` of a currency with two decimals is ambiguous unless its file writes commas before decimals.
 * @param decimalComma whether the file separates cells by another character than the comma.
 */
export function readAmount(cell: string, currency: string, decimalComma: boolean): ReadAmount | AmountFault {
  const { text, isNegative, hasSign } = unsigned(cell, currency)
  if (/[^\d.,'’\s]/.test(text)) return /[\p{Sc}\p{L}]/u.test(text) ? 'other_currency' : 'no_amount'
  const digits = currencyDigits(currency)
  const parts = splitDecimals(text, digits, decimalComma)
  if (typeof parts === 'string') return parts === 'ambiguous' ? parts : 'no_amount'
  if (hasMoreDecimals(parts.decimals, digits)) return 'too_many_decimals'
  const decimals = parts.decimals.padEnd(digits, '0').slice(0, digits)
  const amount = safeAmount(`${isNegative ? '-' : ''}${parts.whole}${decimals}`)
  return amount === undefined ? 'no_amount' : { amount, isWhole: parts.decimals === '' && !hasSign }
}

/** Takes off the sign, the parentheses of a negative amount, and the sign or the code of the currency. */
function unsigned(cell: string, currency: string): { text: string; isNegative: boolean; hasSign: boolean } {
  let text = cell.trim().replace(/[−‒–]/g, '-')
  let isNegative = false
  let hasSign = false
  const take = (pattern: RegExp): boolean => {
    const rest = text.replace(pattern, '$1').trim()
    const isTaken = rest !== text
    text = rest
    return isTaken
  }
  const takeMinus = () => {
    if (!isNegative) isNegative = take(/^-(.*)$/) || take(/^(.*)-$/) || take(/^\((.*)\)$/)
  }
  takeMinus()
  for (const sign of signsOf(currency))
    if (!hasSign && text.toUpperCase().startsWith(sign)) {
      hasSign = true
      text = text.slice(sign.length).trim()
    } else if (!hasSign && text.toUpperCase().endsWith(sign)) {
      hasSign = true
      text = text.slice(0, -sign.length).trim()
    }
  takeMinus()
  if (!isNegative) take(/^\+(.*)$/)
  return { text, isNegative, hasSign }
}

/** The code, and the signs by which people write the currency, in capitals and longest first. */
export function signsOf(currency: string): string[] {
  const signs = (['symbol', 'narrowSymbol'] as const).flatMap(currencyDisplay =>
    new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay })
      .formatToParts(0)
      .filter(({ type }) => type === 'currency')
      .map(({ value }) => value.toUpperCase()),
  )
  return [...new Set([currency, ...signs])].sort((a, b) => b.length - a.length)
}

interface WrittenNumber {
  /** Digits. */
  readonly whole: string
  readonly decimals: string
}
type NumberFault = 'no_number' | 'ambiguous'

/** Whether a number such as `1.000` or `12,500` is thousands to some readers, and has three decimals to others. */
const couldBeThousands = (whole: string, decimals: string): boolean =>
  decimals.length === 3 && /^[1-9]\d{0,2}$/.test(whole)

/**
 * @param text without a sign.
 * @param digits decimals that such a number can have.
 * @param decimalComma whether a comma stands before decimals, and a point between thousands.
 */
function splitDecimals(text: string, digits: number, decimalComma: boolean): WrittenNumber | NumberFault {
  const isSpaced = /^\d{1,3}(?:([\s'’])\d{3})(?:\1\d{3})*(?:[.,]\d+)?$/.test(text)
  const plain = isSpaced ? text.replace(/[\s'’]/g, '') : text
  const [, before = '', mark, after = ''] = /^([\d.,]*?)(?:([.,])(\d*))?$/.exec(plain) ?? []
  if (before === '') return 'no_number'
  if (mark === undefined) return { whole: before, decimals: '' }
  const grouping = mark === '.' ? ',' : '.'
  if (/^\d+$/.test(before)) {
    if (isSpaced || !couldBeThousands(before, after)) return { whole: before, decimals: after }
    const isGroup = (mark === '.') === decimalComma
    if (digits >= 3) return isGroup ? 'ambiguous' : { whole: before, decimals: after }
    return isGroup ? { whole: before + after, decimals: '' } : 'ambiguous'
  }
  // `1.234.567`, `12,34,567.50`
  if (isGrouped(`${before}${mark}${after}`, mark))
    return { whole: `${before}${after}`.replaceAll(mark, ''), decimals: '' }
  return isGrouped(before, grouping) ? { whole: before.replaceAll(grouping, ''), decimals: after } : 'no_number'
}

const isGrouped = (text: string, mark: string): boolean => {
  const groups = text.split(mark)
  return (
    groups.every(group => /^\d+$/.test(group)) &&
    /^\d{1,3}$/.test(groups[0] ?? '') &&
    groups.at(-1)?.length === 3 &&
    (groups.slice(1).every(({ length }) => length === 3) || groups.slice(1, -1).every(({ length }) => length === 2))
  )
}

/**
 * The number in the notation of JSON: `1.234,5` → `1234.5`. What is written in another way stays as it is. Undefined for a
 * text that can be read in two ways.
 * @param isWhole whether it has no decimals: `1,234` is then 1234 where a point stands before decimals.
 */
export function plainNumber(text: string, decimalComma: boolean, isWhole: boolean): string | undefined {
  const [, sign = '', digits] = /^([-+]?)([\d.,'’\s]+)$/.exec(text.trim()) ?? []
  if (digits === undefined) return text
  const found = splitDecimals(digits, isWhole ? 0 : Number.POSITIVE_INFINITY, decimalComma)
  if (found === 'ambiguous') return undefined
  if (found === 'no_number') return text
  const { whole, decimals } = found
  return `${sign === '-' ? sign : ''}${whole}${decimals === '' ? '' : `.${decimals}`}`
}

/** `price (EUR)` → `price` and `EUR`; undefined for a name without a currency. */
export function splitCurrency(header: string): { readonly name: string; readonly currency: string } | undefined {
  const text = header.trim()
  const at = Math.max(text.lastIndexOf('('), text.lastIndexOf('['))
  if (at < 1) return undefined
  const [, currency] = /^[([]([^()[\]]{1,8})[)\]]$/.exec(text.slice(at)) ?? []
  const name = text.slice(0, at).trimEnd()
  return currency === undefined || name === '' ? undefined : { name, currency: currency.trim() }
}

/** Returns whether ISO 4217 has the code. */
export const isCurrency = (code: string): boolean => Intl.supportedValuesOf('currency').includes(code)
