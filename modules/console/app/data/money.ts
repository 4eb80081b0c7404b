/** Amounts of the API are in minor units of their currency. Pure. */

const DEFAULT_DIGITS = 2

/** Digits after the decimal point: 2 for EUR, 0 for JPY. */
export function currencyDigits(currency: unknown): number {
  if (typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency)) return DEFAULT_DIGITS
  return (
    new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ??
    DEFAULT_DIGITS
  )
}

export const toMajor = (minor: number, currency: unknown): string => {
  const digits = currencyDigits(currency)
  return (minor / 10 ** digits).toFixed(digits)
}

export const toMinor = (major: number, currency: unknown): number => Math.round(major * 10 ** currencyDigits(currency))
