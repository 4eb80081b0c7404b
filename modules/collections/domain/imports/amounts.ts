/** Amounts of money in CSV, which people read and write in spreadsheets: decimal, in the currency of the column. Pure. */
import { type Wording, wording } from '@larder-dev/larder/kernel'
import {
  type AmountFault,
  currencyDigits,
  decimalAmount,
  readAmount,
  signsOf,
  splitCurrency,
} from '@larder-dev/larder/kernel/internal'
import type { Collection, Field } from '../declarations/collection.ts'
import { fieldNamed } from '../declarations/former-names.ts'
import { SMALLEST_UNIT } from '../fields/value-validation.ts'

/** `smallest_unit`: as exports had them that named no currency in the column. */
export const AMOUNTS = ['decimal', 'smallest_unit'] as const
export type Amounts = (typeof AMOUNTS)[number]

/** The name of a column in a file. */
export const columnName = ({ name, type, currency }: Pick<Field, 'name' | 'type' | 'currency'>): string =>
  type === 'money' && currency !== undefined ? `${name} (${currency})` : name

export const amountCell = (value: unknown, { currency = 'EUR' }: Pick<Field, 'currency'>): string =>
  typeof value === 'number' ? decimalAmount(value, currency) : ''

/** The field of `price (EUR)`; undefined if the name has no currency. */
export function fieldWithCurrency(
  collection: Pick<Collection, 'fields'>,
  header: string,
): { readonly field: Field; readonly name: string; readonly isOther: boolean } | undefined {
  const { name, currency } = splitCurrency(header) ?? {}
  if (name === undefined || currency === undefined || fieldNamed(collection, header)) return undefined
  const field = fieldNamed(collection, name)
  if (field?.type !== 'money') return undefined
  return { field, name, isOther: !signsOf(field.currency ?? 'EUR').includes(currency.toUpperCase()) }
}

/** Remembers how the amounts of each column are written. */
export class AmountReader {
  readonly #amounts: Amounts | undefined
  /** Fields whose column names the currency: `price (EUR)`. */
  readonly #inCurrency: ReadonlySet<Field>
  /** Field → a whole number of it; null once another amount has decimals or a sign of the currency. */
  readonly #whole = new Map<Field, number | null>()

  constructor(amounts?: Amounts, inCurrency: ReadonlySet<Field> = new Set()) {
    this.#amounts = amounts
    this.#inCurrency = inCurrency
  }

  /** Returns the amount in the smallest unit, or the end of a sentence. */
  read(field: Field, cell: string, decimalComma: boolean): number | Wording {
    const { currency = 'EUR' } = field
    if (this.#amounts === 'smallest_unit' && !this.#inCurrency.has(field)) {
      const amount = Number(cell)
      return /^\s*-?\d+\s*$/.test(cell) && Number.isSafeInteger(amount) ? amount : SMALLEST_UNIT
    }
    const found = readAmount(cell, currency, decimalComma)
    if (typeof found === 'string') return faultText(found, currency)
    const known = this.#whole.get(field)
    if (!found.isWhole) this.#whole.set(field, null)
    else if (known === undefined && found.amount !== 0) this.#whole.set(field, found.amount)
    return found.amount
  }

  /** Fields whose amounts could be in either unit, each with a sentence. */
  ambiguities(): { readonly field: Field; readonly text: Wording }[] {
    if (this.#amounts !== undefined) return []
    return [...this.#whole].flatMap(([field, amount]) => {
      const { name, currency = 'EUR' } = field
      const digits = currencyDigits(currency)
      if (amount === null || digits === 0 || this.#inCurrency.has(field)) return []
      const smallest = decimalAmount(Math.trunc(amount / 10 ** digits), currency)
      const names = { name, column: columnName(field) }
      const decimal = decimalAmount(amount, currency)
      const text = wording(
        '"{name}" has whole numbers only. Name it "{column}" if the first is {decimal}, or send amounts=smallest_unit if it is {smallest}.',
        { ...names, decimal, smallest },
      )
      return [{ field, text }]
    })
  }
}

export const TWO_WAYS = wording('can be read in two ways; write the decimals, and no separators of thousands')

function faultText(fault: AmountFault, currency: string): Wording {
  if (fault === 'other_currency') return wording('must be an amount in {currency}', { currency })
  if (fault === 'too_many_decimals')
    return wording('must have at most {count} decimals', { count: currencyDigits(currency) })
  if (fault === 'ambiguous') return TWO_WAYS
  const example = decimalAmount(4950 * 10 ** (currencyDigits(currency) - 2), currency)
  return wording('must be an amount such as {example}', { example })
}
