/** The columns of an imported file. Pure. */

import { isDeepStrictEqual } from 'node:util'
import { type FieldError, fieldError, nearest, plainNumber, type Wording, wording } from '@larder-dev/larder/kernel'
import { textError } from '@larder-dev/larder/kernel/internal'
import { type Collection, type Field, SYSTEM_FIELDS } from '../declarations/collection.ts'
import { currentName, fieldNamed } from '../declarations/former-names.ts'
import { fromGuardedCell } from '../exports/csv-cells.ts'
import { isFilled } from '../fields/defaults.ts'
import { specOf } from '../fields/field-types.ts'
import type { View } from '../rights/view.ts'
import { fromCell, jsonError } from '../rows/seeds.ts'
import { AmountReader, fieldWithCurrency, TWO_WAYS } from './amounts.ts'
import { type CsvRecord, MAX_COLUMNS, tooManyColumns } from './csv-rows.ts'
import type { ImportedRow } from './imported-row.ts'

/** The field of each column; null for one that is ignored. */
export type Columns = readonly (Field | null)[]

/** Names that an export contains and an import ignores. */
const isIgnored = (collection: Collection, name: string): boolean =>
  (SYSTEM_FIELDS as readonly string[]).includes(name) || fieldNamed(collection, name)?.type === 'computed'

const writableNames = (view: View, collection: Collection): string[] =>
  [...collection.fields.values()]
    .filter(
      field =>
        field.type !== 'computed' &&
        (field.sequence !== undefined || view.mayWrite(collection, field)) &&
        (field.private || view.allows(collection, field)),
    )
    .map(({ name }) => name)

function unknownColumn(name: string, known: readonly string[]): Wording {
  const near = nearest(name, known) ?? nearest(uncapitalized(name), known)
  return near === undefined
    ? wording('is not a field that you can set.')
    : wording('is not a field that you can set. Did you mean "{near}"?', { near })
}

const uncapitalized = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1)

export interface ColumnRules {
  /** Name of the unique field by which rows are found. */
  readonly by: string | undefined
  /** Whether hooks may set required fields. */
  readonly hasHooks: boolean
}

interface ReadColumns {
  readonly columns: Columns
  /** Fields whose column names their currency. */
  readonly inCurrency: ReadonlySet<Field>
  readonly errors: readonly FieldError[]
}

/** Errors point to `/columns/0`, … */
export function readColumns(
  view: View,
  collection: Collection,
  header: readonly string[],
  { by, hasHooks }: ColumnRules,
): ReadColumns {
  if (header.length > MAX_COLUMNS) throw tooManyColumns()
  const isNeeded = by === undefined && !hasHooks
  const written = withoutEmptyEnd(header)
  const priced = written.map(name => fieldWithCurrency(collection, name))
  const given = written.map((name, at) => priced[at]?.name ?? name)
  const names = given.map(name => currentName(collection, name))
  const known = writableNames(view, collection)
  const errors = names.flatMap((name, at): FieldError[] => {
    const pointer = `/columns/${at}`
    const { field, isOther = false } = priced[at] ?? {}
    if (isOther && known.includes(name)) {
      const values = { column: written[at] ?? '', currency: field?.currency ?? '' }
      const text = wording('"{column}" must be in {currency}, the currency of the field', values)
      return [fieldError(pointer, 'other_currency', text)]
    }
    if (given.indexOf(given[at] as string) < at)
      return [fieldError(pointer, 'duplicate', wording('"{name}" is a column twice', { name }))]
    if (isIgnored(collection, name) || known.includes(name)) return []
    return [
      fieldError(
        pointer,
        'unknown_field',
        wording('"{name}" {problem}', { name, problem: unknownColumn(name, known) }),
      ),
    ]
  })
  const missing = [...collection.fields.values()].filter(
    field =>
      (field.name === by || (isNeeded && field.required && field.type !== 'computed' && !isFilled(field))) &&
      !names.includes(field.name),
  )
  const absent = missing.map(({ name }) =>
    fieldError('/columns', 'required', wording('must include "{name}"', { name })),
  )
  const columns = names.map(name => (isIgnored(collection, name) ? null : (collection.fields.get(name) ?? null)))
  const inCurrency = new Set(priced.flatMap(each => (each ? [each.field] : [])))
  return { columns, inCurrency, errors: [...errors, ...absent] }
}

/** Spreadsheets end rows early, or with empty cells. */
function withoutEmptyEnd(cells: readonly string[]): string[] {
  const texts = cells.map(cell => cell.trim())
  return texts.slice(0, texts.findLastIndex(text => text !== '') + 1)
}

/** Whether a line of a file has names of fields. Others may be a title above them. */
export const isHeader = (collection: Collection, cells: readonly string[]): boolean =>
  cells.some(cell => {
    const name = cell.trim()
    const isField = fieldNamed(collection, name) !== undefined || fieldWithCurrency(collection, name) !== undefined
    return isField || isIgnored(collection, name)
  })

/** An empty cell is a value that is left out, as is one that the row ends before. */
export function rowFromCells(
  columns: Columns,
  { line, cells, decimalComma }: CsvRecord,
  amounts = new AmountReader(),
): ImportedRow {
  const row = (error: ImportedRow['error']): ImportedRow => ({ line, values: {}, ...(error && { error }) })
  if (cells.length > columns.length && cells.slice(columns.length).some(cell => cell.trim() !== ''))
    return row({
      column: null,
      code: 'wrong_length',
      wording: wording('has {count} cells instead of {columns}', { count: cells.length, columns: columns.length }),
    })
  const values: Record<string, unknown> = {}
  const contradicts = (field: Field, value: unknown) =>
    Object.hasOwn(values, field.name) && !isDeepStrictEqual(values[field.name], value)
  for (const [at, field] of columns.entries()) {
    const cell = fromGuardedCell(cells[at] ?? '')
    if (!field || cell === '') continue
    const problem = textError(cell) ?? (field.type === 'json' ? jsonError(cell) : undefined)
    if (problem) return row({ column: field.name, code: 'not_allowed', wording: problem })
    if (field.type === 'money') {
      if (cell.trim() === '') continue
      const amount = amounts.read(field, cell, decimalComma)
      if (typeof amount !== 'number') return row({ column: field.name, code: 'wrong_format', wording: amount })
      if (contradicts(field, amount)) return row(contradiction(field))
      values[field.name] = amount
      continue
    }
    const written = NUMBERS.includes(field.type) ? plainNumber(cell, decimalComma, field.type === 'integer') : cell
    if (written === undefined) return row({ column: field.name, code: 'wrong_format', wording: TWO_WAYS })
    const value = cellValue(field, written)
    const format = FORMATS[field.type]
    if (format !== undefined && specOf(field).parse(value) === undefined)
      return row({ column: field.name, code: 'wrong_format', wording: format })
    if (contradicts(field, value)) return row(contradiction(field))
    values[field.name] = value
  }
  return { line, values }
}

/** A file can have a column for each name of a renamed field. */
const contradiction = (field: Field): ImportedRow['error'] => ({
  column: field.name,
  code: 'contradiction',
  wording: wording('has another value than its former name "{name}". Use one of both columns', {
    name: field.was ?? '',
  }),
})

/** Spreadsheets write these as their language does, for example `31.12.2026`. */
const FORMATS: Partial<Record<Field['type'], Wording>> = {
  boolean: wording('must be true or false'),
  date: wording('must be a date like 2026-12-31'),
  datetime: wording('must be a time like 2026-12-31T18:30:00Z'),
}

const NUMBERS: readonly Field['type'][] = ['integer', 'number']
const TEXTS: readonly Field['type'][] = ['text', 'longtext', 'markdown']

const cellValue = (field: Field, cell: string): unknown => {
  if (TEXTS.includes(field.type)) return cell
  return field.reference?.many
    ? cell
        .split(/[,;]/)
        .map(part => part.trim())
        .filter(Boolean)
    : fromCell(field, cell.trim())
}

/** Leaves out the values that an export adds. A key that isn't a field is an error. */
export function createObjectReader(view: View, collection: Collection): (row: ImportedRow) => ImportedRow {
  const known = writableNames(view, collection)
  return row => {
    if (row.error) return row
    const { line } = row
    const values: Record<string, unknown> = {}
    for (const [given, value] of Object.entries(row.values)) {
      const name = currentName(collection, given)
      if (isIgnored(collection, name)) continue
      if (!known.includes(name)) {
        const column = name.slice(0, MAX_NAME_LENGTH)
        return { line, values: {}, error: { column, code: 'unknown_field', wording: unknownColumn(name, known) } }
      }
      const field = collection.fields.get(name)
      if (field && Object.hasOwn(values, name) && !isDeepStrictEqual(values[name], value))
        return { line, values: {}, error: contradiction(field) }
      values[name] = value
    }
    return { line, values }
  }
}

const MAX_NAME_LENGTH = 100
