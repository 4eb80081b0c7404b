/** Reads the CSV file of a seed. */
import { readFileSync, statSync } from 'node:fs'
import { inEnglish, MIB } from '@larder-dev/larder/kernel'
import { parse } from 'csv-parse/sync'
import type { Collection, Field } from '../../domain/declarations/collection.ts'
import { AmountReader, fieldWithCurrency } from '../../domain/imports/amounts.ts'
import type { Values } from '../../domain/rows/row-values.ts'
import { fromCells, jsonError } from '../../domain/rows/seeds.ts'

const MAX_FILE_BYTES = 20 * MIB

export interface SeedRow {
  readonly values: Values
  /** Line of the file in which the row ends; counts from 1. */
  readonly line: number
}

/** A file that can't be read as rows. `line` is 1 if the mistake has no line of its own. */
export class SeedFileError extends Error {
  readonly line: number
  constructor(message: string, line = 1, cause?: unknown) {
    super(message, { cause })
    this.line = line
  }
}

/** Throws a SeedFileError. */
export function readSeedFile(collection: Collection, file: string): readonly SeedRow[] {
  const inCurrency = new Set<Field>()
  const amounts = new AmountReader(undefined, inCurrency)
  const rows = recordsOf(file).map(({ record, info: { lines } }, index) => {
    const cells = Object.entries(record).map(([header, cell]) => {
      const priced = fieldWithCurrency(collection, header)
      const field = priced?.field ?? collection.fields.get(header)
      if (priced) inCurrency.add(priced.field)
      const fail = (detail: string) =>
        new SeedFileError(`row ${index + 1}: "${field?.name ?? header}" ${detail}`, lines)
      if (priced?.isOther) throw fail(`must be in ${field?.currency}, the currency of the field`)
      const problem = field?.type === 'json' ? jsonError(cell) : undefined
      if (problem) throw fail(inEnglish(problem))
      if (field?.type !== 'money' || cell.trim() === '') return [field?.name ?? header, cell] as const
      const amount = amounts.read(field, cell, false)
      if (typeof amount !== 'number') throw fail(inEnglish(amount))
      return [field.name, String(amount)] as const
    })
    return { values: fromCells(collection, Object.fromEntries(cells)), line: lines }
  })
  const [ambiguous] = amounts.ambiguities()
  // A seed has no parameter for the unit.
  if (ambiguous) throw new SeedFileError(inEnglish(ambiguous.text).replace(/, or send .*/, '.'))
  return rows
}

interface CsvRecord {
  readonly record: Readonly<Record<string, string>>
  readonly info: { readonly lines: number }
}

function recordsOf(file: string): CsvRecord[] {
  try {
    const { size } = statSync(file)
    if (size > MAX_FILE_BYTES) throw new Error(`it has ${size} bytes, over the limit of ${MAX_FILE_BYTES}`)
    return parse(readFileSync(file, 'utf8'), {
      columns: true,
      bom: true,
      skip_empty_lines: true,
      info: true,
    }) as unknown as CsvRecord[]
  } catch (error) {
    const { message, lines } = error as Error & { lines?: number }
    throw new SeedFileError(message, lines ?? 1, error)
  }
}
