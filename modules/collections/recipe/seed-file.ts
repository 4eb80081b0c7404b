/** Reads the CSV file of a seed. */
import { readFileSync, statSync } from 'node:fs'
import { MIB } from '@larder-dev/larder/kernel'
import { parse } from 'csv-parse/sync'
import type { Collection } from '../domain/collection.ts'
import type { Values } from '../domain/row-values.ts'
import { fromCells, jsonError } from '../domain/seeds.ts'

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
  return recordsOf(file).map(({ record, info: { lines } }, index) => {
    for (const [name, cell] of Object.entries(record)) {
      const detail = collection.fields.get(name)?.type === 'json' ? jsonError(cell) : undefined
      if (detail !== undefined) throw new SeedFileError(`row ${index + 1}: "${name}" ${detail}`, lines)
    }
    return { values: fromCells(collection, record), line: lines }
  })
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
