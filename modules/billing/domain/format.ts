/** Amounts formatted for people, in the reader's locale. */
import { defineTexts } from 'larder/kernel'
import { UNLIMITED } from './plans.ts'

/** `€29.00`, `29,00 €`. `amount` is in minor units. */
export function formatMoney(locale: string, amount: number, currency: string | undefined): string {
  if (currency === undefined) return String(amount)
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency })
  return format.format(amount / 10 ** digitsOf(format))
}

/** `29.00`, without a symbol. `amount` is in minor units. */
export function decimalAmount(amount: number, currency: string | undefined): string {
  if (!currency) return String(amount)
  const digits = digitsOf(new Intl.NumberFormat('en', { style: 'currency', currency }))
  return (amount / 10 ** digits).toFixed(digits)
}

const digitsOf = (format: Intl.NumberFormat): number => format.resolvedOptions().maximumFractionDigits ?? 2

/** `100 GiB`; the page translates `Unlimited`. */
export function formatQuantity(locale: string, amount: number, unit: string | null | undefined): string {
  if (amount === UNLIMITED) return defineTexts('Unlimited')
  const shown = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 }).format(amount)
  return unit ? `${shown} ${unit}` : shown
}
