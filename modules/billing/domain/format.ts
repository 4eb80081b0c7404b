/** Quantities formatted for people, in the reader's locale. */
import { defineTexts } from '@larder-dev/larder/kernel'
import { UNLIMITED } from './plans.ts'

/** `100 GiB`; the page translates `Unlimited`. */
export function formatQuantity(locale: string, amount: number, unit: string | null | undefined): string {
  if (amount === UNLIMITED) return defineTexts('Unlimited')
  const shown = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 }).format(amount)
  return unit ? `${shown} ${unit}` : shown
}
