/** Amounts of the API are in minor units of their currency. Pure. */
import { decimalAmount, parseAmount } from '../../../../kernel/base/money.ts'

/** The currency of rows that name none: their amounts have two digits. */
const DEFAULT_CURRENCY = 'USD'
const codeOf = (currency: unknown): string =>
  typeof currency === 'string' && /^[A-Z]{3}$/.test(currency) ? currency : DEFAULT_CURRENCY

export const toMajor = (minor: number, currency: unknown): string => decimalAmount(minor, codeOf(currency))

/** Undefined for a text that is no amount of the currency. */
export const toMinor = (text: string, currency: unknown): number | undefined => parseAmount(text, codeOf(currency))
