/** Amounts of money in an imported file, in words. */
import { currencyDigits, readAmount, splitCurrency } from '../../../../kernel/base/money.ts'
import type { Collection } from '../data/collection.ts'
import type { CsvPreview } from '../data/csv.ts'
import { ApiError } from '../data/problem.ts'
import { formatMoney } from '../locales/index.ts'

const isWhole = (cell: string): boolean => /^\s*-?\d+\s*$/.test(cell)
const moneyField = (name: string, collection: Collection | undefined) => {
  const field = collection?.fields[name]
  return field?.type === 'money' ? field : undefined
}

/** Whether a cell is the name of a field, with or without a currency. */
export const isColumn = (header: string, collection: Collection | undefined): boolean =>
  collection?.fields[header.trim()] !== undefined ||
  moneyField(splitCurrency(header)?.name ?? '', collection) !== undefined

/** Currency of a column of amounts whose unit is known. */
export function currencyOfColumn(
  header: string,
  collection: Collection | undefined,
  amounts: string,
  cells: readonly string[],
): string | undefined {
  const named = moneyField(splitCurrency(header)?.name ?? '', collection)
  if (named) return named.currency
  const { currency = '' } = moneyField(header.trim(), collection) ?? {}
  const isClear = amounts !== '' || currency === '' || currencyDigits(currency) === 0 || !cells.every(isUnclear)
  return isClear && currency !== '' ? currency : undefined
}

const isUnclear = (cell: string): boolean => cell.trim() === '' || isWhole(cell)

/** `4900` → `€4,900.00`; undefined if it is no amount. */
export function amountInWords(
  cell: string,
  currency: string,
  amounts: string,
  decimalComma: boolean,
): string | undefined {
  if (amounts === 'smallest_unit' && isWhole(cell)) return formatMoney(Number(cell), currency)
  const found = readAmount(cell, currency, decimalComma)
  return typeof found === 'string' ? undefined : formatMoney(found.amount, currency)
}

/** The column whose unit the API asked for, with the first number in both units. */
export function ambiguousAmount(failure: unknown, { header, rows }: CsvPreview, collection: Collection | undefined) {
  const errors = failure instanceof ApiError ? (failure.problem.errors ?? []) : []
  const found = errors.find(({ code }) => code === 'ambiguous_amounts')
  if (!found) return undefined
  const at = Number(found.pointer.split('/').at(-1))
  const name = (header[at] ?? '').trim()
  const currency = moneyField(name, collection)?.currency ?? 'EUR'
  const text = rows.map(row => row[at] ?? '').find(cell => isWhole(cell) && Number(cell) !== 0) ?? '4900'
  return {
    name,
    text,
    decimal: formatMoney(Number(text) * 10 ** currencyDigits(currency), currency),
    smallest: formatMoney(Number(text), currency),
  }
}
