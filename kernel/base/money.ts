/** Amounts of money in the smallest unit of their currency, such as cents. */

/** `€29.00`, `29,00 €`. Throws RangeError unless the currency has the form of an ISO 4217 code. */
export function formatMoney(locale: string, amount: number, currency: string): string {
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency })
  return format.format(amount / 10 ** digitsOf(format))
}

/** `29.00`, without a symbol. Throws RangeError unless the currency has the form of an ISO 4217 code. */
export function decimalAmount(amount: number, currency: string): string {
  const digits = currencyDigits(currency)
  return (amount / 10 ** digits).toFixed(digits)
}

/** Digits after the decimal point: 2 for EUR, 0 for JPY. Throws RangeError like `formatMoney`. */
export const currencyDigits = (currency: string): number =>
  digitsOf(new Intl.NumberFormat('en', { style: 'currency', currency }))

const digitsOf = (format: Intl.NumberFormat): number => format.resolvedOptions().maximumFractionDigits ?? 2

/** Returns whether ISO 4217 has the code. */
export const isCurrency = (code: string): boolean => Intl.supportedValuesOf('currency').includes(code)
