/** The line of totals at the end of a CSV file: spreadsheets have one, and it is no row. Pure. */
import { wording } from '@larder-dev/larder/kernel'
import type { Collection, Field } from '../declarations/collection.ts'
import type { ImportedRow } from './imported-row.ts'

/** The whole label. A sum is recognized without one if its line has empty cells. */
const WORD =
  /^\P{L}*((sub|grand ?)?totale?s?|sums?|summen?|gesamt(summe|betrag)?|zwischensumme|somme|suma|soma|totaal|razem|toplam|összesen|celkem|итого|всего|合計|小計|总计|合计|합계)\P{L}*$/iu

const NUMBERS: readonly Field['type'][] = ['integer', 'number', 'money']

/**
 * Passes rows on, one late, so that the last one can be compared with all others: it is a line of totals if a number is the
 * sum of those above, and it leaves out what all other rows have or says so. A total of one row is no sum.
 */
export async function* withoutTotals(
  collection: Collection,
  rows: AsyncIterable<ImportedRow>,
): AsyncGenerator<ImportedRow> {
  const sums = new Map<string, { sum: number; summands: number }>()
  /** Fields that all rows before the last have. */
  let always: readonly string[] | undefined
  let last: ImportedRow | undefined
  for await (const row of rows) {
    if (last) {
      const { values, error } = last
      if (!error) {
        always = always ? always.filter(name => name in values) : Object.keys(values)
        for (const [name, value] of Object.entries(values))
          if (typeof value === 'number' && value !== 0) {
            const { sum = 0, summands = 0 } = sums.get(name) ?? {}
            sums.set(name, { sum: sum + value, summands: summands + 1 })
          }
      }
      yield last
    }
    last = row
  }
  if (!last) return
  const { line, values, error } = last
  const isNumber = (name: string) => NUMBERS.includes(collection.fields.get(name)?.type ?? 'text')
  const numbers = Object.keys(values).filter(isNumber)
  const isSum = numbers.some(name => isSumOf(values[name], sums.get(name)))
  const isPartial = always?.some(name => !(name in values)) ?? false
  const isNamed = Object.values(values).some(value => typeof value === 'string' && WORD.test(value))
  const isTotal = error === undefined && numbers.length > 0 && [isSum, isPartial, isNamed].filter(Boolean).length > 1
  yield isTotal ? { line, values: {}, error: TOTAL } : last
}

const TOTAL = {
  column: null,
  code: 'total',
  wording: wording('looks like a total of the rows above. Delete it from the file, or fill in its empty cells'),
} as const

function isSumOf(value: unknown, known: { readonly sum: number; readonly summands: number } | undefined): boolean {
  if (typeof value !== 'number' || known === undefined || known.summands < 2) return false
  return Math.abs(value - known.sum) <= Math.abs(known.sum) * 1e-9
}
