/** Checks the rows of a recipe as a start writes them: their values, unique keys, and the rows that they refer to. */
import { existsSync } from 'node:fs'
import { didYouMean } from '@larder-dev/larder/kernel'
import type { Collection, Collections } from '../domain/declarations/collection.ts'
import type { DeclaredCollection } from '../domain/declarations/declaration.ts'
import { isRowId } from '../domain/declarations/naming.ts'
import { createCalendars, periodOf } from '../domain/rows/periods.ts'
import { newValues, type Values } from '../domain/rows/row-values.ts'
import { NOBODY, seedErrors, seedKey } from '../domain/rows/seeds.ts'
import { keyValues, placeOf, uniqueKeys } from '../domain/rows/unique-keys.ts'
import { readSeedFile, SeedFileError } from '../services/storage/seed-file.ts'
import type { Report } from './report.ts'

interface Row {
  readonly values: Values
  /** In the CSV file; undefined for a row of the recipe. */
  readonly line: number | undefined
}
type Rows = ReadonlyMap<string, readonly Row[]>

export function validateSeeds(
  collections: Collections,
  declaredIn: (name: string) => DeclaredCollection | undefined,
  report: Report,
): void {
  const rows: Rows = new Map(
    [...collections.values()].map(collection => [
      collection.name,
      readRows(collection, declaredIn(collection.name), report),
    ]),
  )
  for (const collection of collections.values()) {
    const own = rows.get(collection.name) ?? []
    const sound = own.map(({ values, line }, index) => {
      const errors = seedErrors(collection, values)
      for (const { field, message } of errors) reportRow(collection, index, line, field, message, report)
      return errors.length === 0
    })
    // Duplicates and references of invalid rows are found once the rows are valid.
    if (sound.includes(false)) continue
    validateUnique(collection, own, report)
    validatePlaces(collection, own, rows, collections, report)
    validateReferences(collection, own, rows, collections, report)
  }
}

function readRows(collection: Collection, declared: DeclaredCollection | undefined, report: Report): readonly Row[] {
  const { name, seed } = collection
  if (seed === undefined) return collection.rows.map(values => ({ values, line: undefined }))
  if (!existsSync(seed)) {
    report(
      [name, 'seed'],
      'invalid_value',
      `File not found: ${declared?.seed ?? seed}`,
      'The path is relative to the recipe',
    )
    return []
  }
  try {
    return readSeedFile(collection, seed)
  } catch (error) {
    if (!(error instanceof SeedFileError)) throw error
    report([name, 'seed'], 'invalid_value', `The seed can't be read: ${error.message}`, undefined, undefined, {
      file: seed,
      line: error.line,
      column: 1,
    })
    return []
  }
}

function reportRow(
  { name, seed }: Collection,
  index: number,
  line: number | undefined,
  field: string | undefined,
  message: string,
  report: Report,
  hint?: string,
): void {
  if (line === undefined || seed === undefined)
    report([name, 'rows', index, ...(field === undefined ? [] : [field])], 'invalid_value', message, hint)
  else report([name, 'seed'], 'invalid_value', message, hint, undefined, { file: seed, line, column: 1 })
}

/** The first unique text names a row, so a second row with the same one replaces the first; other keys must differ. */
function validateUnique(collection: Collection, rows: readonly Row[], report: Report): void {
  const own = seedKey(collection)
  const keys = uniqueKeys(collection).filter(
    ({ fields, where }) => where || fields.length > 1 || fields[0] !== own?.name,
  )
  const named = new Map(
    rows.map((row, index) => {
      const { values } = newValues(collection, row.values, NOBODY)
      return [(own && values[own.name]) ?? index, { row, values, index }] as const
    }),
  )
  for (const key of keys) {
    const seen = new Map<string, number>()
    const only = key.fields.length === 1 ? key.fields[0] : undefined
    for (const { row, values, index } of named.values()) {
      const parts = keyValues(collection, key, values)
      if (!parts) continue
      const id = JSON.stringify(parts)
      const other = seen.get(id)
      if (other !== undefined)
        reportRow(
          collection,
          index,
          row.line,
          only !== undefined && only in row.values ? only : undefined,
          `Rows ${other + 1} and ${index + 1} have the same ${key.fields.join(' and ')}`,
          report,
          'Only one row can have these values',
        )
      seen.set(id, index)
    }
  }
  const { noOverlap } = collection
  if (!noOverlap) return
  const calendars = createCalendars()
  for (const { row, values, index } of named.values()) {
    const period = periodOf(collection, noOverlap, values)
    if (!period || calendars.add(period)) continue
    const message = `Row ${index + 1} overlaps with an earlier row`
    reportRow(collection, index, row.line, noOverlap.from, message, report, 'Move one of the periods')
  }
}

/** Rows refer to those of the recipe by their names. */
function validatePlaces(
  collection: Collection,
  rows: readonly Row[],
  all: Rows,
  collections: Collections,
  report: Report,
): void {
  const { capacity, fields } = collection
  const target = collections.get(fields.get(capacity?.of ?? '')?.reference?.to ?? '')
  if (!capacity || !target) return
  const { of, max } = capacity
  const key = seedKey(target)
  const targets = (all.get(target.name) ?? []).map(row => newValues(target, row.values, NOBODY).values)
  const placesOf = (name: string): unknown =>
    typeof max === 'number'
      ? max
      : key && targets.find(values => String(values[key.name]) === name)?.[max.slice(of.length + 1)]
  const taken = new Map<string, number>()
  for (const [index, { values, line }] of rows.entries()) {
    const place = placeOf(collection, newValues(collection, values, NOBODY).values)
    if (place === undefined) continue
    const count = (taken.get(place) ?? 0) + 1
    taken.set(place, count)
    const places = placesOf(place)
    if (typeof places === 'number' && count > places) {
      const message = `Row ${index + 1} takes place ${count} of "${place}", which has ${places}`
      reportRow(collection, index, line, of, message, report, 'Remove a row, or raise the number')
    }
  }
}

/** A row of the recipe can refer to another one by its first unique text, or to an existing one by its id. */
function validateReferences(
  collection: Collection,
  rows: readonly Row[],
  all: Rows,
  collections: Collections,
  report: Report,
): void {
  for (const { name, reference } of collection.fields.values()) {
    const target = reference && collections.get(reference.to)
    if (!target) continue
    const key = seedKey(target)
    for (const [index, { values, line }] of rows.entries()) {
      // Rows of a collection that refer to each other are written in their order.
      const known = target === collection ? rows.slice(0, index) : (all.get(target.name) ?? [])
      const names = key ? known.map(row => String(newValues(target, row.values, NOBODY).values[key.name] ?? '')) : []
      for (const value of [values[name]].flat())
        if (value !== undefined && value !== null && !names.includes(String(value)) && !isRowId(value))
          reportRow(
            collection,
            index,
            line,
            name,
            `"${name}" refers to an unknown row of ${target.name}: ${String(value)}`,
            report,
            didYouMean(String(value), names) ?? 'Add the row to the recipe, before this one',
          )
    }
  }
}
