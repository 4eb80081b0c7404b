/** Amounts of money in the smallest unit of their currency that the payment provider charges, such as cents. */

/**
 * Currencies whose smallest unit isn't a hundredth. Up to TND, this is Stripe's table
 * (https://docs.stripe.com/currencies#zero-decimal), so that an amount means here what is charged there: ISK and UGX have
 * hundredths, although neither is divided in practice. The currencies after it, which Stripe doesn't charge, are those of
 * ISO 4217. Tables of `Intl` say how a currency is usually written, and change with the version of ICU.
 */
const DIGITS: Readonly<Record<string, number>> = {
  ...{ BIF: 0, CLP: 0, DJF: 0, GNF: 0, JPY: 0, KMF: 0, KRW: 0, MGA: 0, PYG: 0, RWF: 0, VND: 0, VUV: 0 },
  ...{ XAF: 0, XOF: 0, XPF: 0, BHD: 3, JOD: 3, KWD: 3, OMR: 3, TND: 3 },
  ...{ IQD: 3, LYD: 3, UYI: 0, CLF: 4, UYW: 4 },
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
    ...{ style: 'currency', currency, minimumFractionDigits: shown, maximumFractionDigits: shown },
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
 * `49.5` and `49,50` → 4950. Nothing is rounded: undefined for a text that is no amount, or has more decimals than the
 * currency.
 */
export function parseAmount(text: string, currency: string): number | undefined {
  const digits = currencyDigits(currency)
  const [, sign = '', whole, decimals = ''] = /^([-+]?)(\d{1,16})(?:[.,](\d*))?$/.exec(text.trim()) ?? []
  return whole === undefined || hasMoreDecimals(decimals, digits)
    ? undefined
    : safeAmount(`${sign}${whole}${decimals.padEnd(digits, '0').slice(0, digits)}`)
}

const hasMoreDecimals = (decimals: string, digits: number): boolean => /[^0]/.test(decimals.slice(digits))

function safeAmount(text: string): number | undefined {
  const amount = Number(text)
  return Number.isSafeInteger(amount) ? amount || 0 : undefined
}

/** Returns whether ISO 4217 has the code. */
export const isCurrency = (code: string): boolean => Intl.supportedValuesOf('currency').includes(code)
