/** Which rows of an import are new, and which exist. */
import { type FieldError, fieldError, type Unit, wording } from '@larder-dev/larder/kernel'
import { all, notDeleted } from '../../domain/conditions/condition-sql.ts'
import type { Collection, Field } from '../../domain/declarations/collection.ts'
import { columnType } from '../../domain/fields/column-types.ts'
import { specOf } from '../../domain/fields/field-types.ts'
import type { View } from '../../domain/rights/view.ts'
import { pointerOf, type Values } from '../../domain/rows/row-values.ts'
import { columnValue } from '../../domain/rows/write-sql.ts'
import { quoteName } from '../../domain/tables/sql-literals.ts'
import { takenErrors } from '../write-errors.ts'

export interface Positioned {
  readonly given: Values
  /** `/3` */
  readonly pointer: string
  readonly key: string
  /** The number that the row keeps. */
  readonly kept?: Values
}
export interface Parted {
  readonly creates: readonly Positioned[]
  /** Updates of rows that exist or that an earlier row of the list creates. */
  readonly updates: readonly Positioned[]
  /** Key → ID of an existing row. */
  readonly ids: Map<string, string>
  readonly errors: readonly FieldError[]
}

/** Parts the rows into new and existing ones. */
export async function part(
  unit: Unit,
  view: View,
  collection: Collection,
  by: string | null,
  rows: readonly Values[],
): Promise<Parted> {
  const field = by === null ? undefined : collection.fields.get(by)
  const given = rows.map((values, at) => ({ given: values, pointer: `/${at}`, key: `#${at}` }))
  if (!field) return { creates: given, updates: [], ids: new Map(), errors: [] }
  const errors: FieldError[] = []
  const existing = await existingRows(unit, view, collection, field, rows)
  const creates = new Map<string, Positioned>()
  const updates: Positioned[] = []
  const ids = new Map<string, string>()
  for (const { given: values, pointer } of given) {
    const value = values[field.name] ?? null
    const key = keyOf(field, value)
    const row = { given: values, pointer, key }
    const found = existing.get(key)
    if (value === null) errors.push(fieldError(pointerOf(pointer, field.name), 'required', wording('is required')))
    else if (found && !found.readable) errors.push(...takenErrors([field.name], pointer))
    else if (found || creates.has(key)) updates.push(row)
    else creates.set(key, row)
    if (found) ids.set(key, found.id)
  }
  return { creates: [...creates.values()], updates, ids, errors }
}

const keyOf = (field: Field, value: unknown): string => {
  const { parse, toColumn, fromColumn } = specOf(field)
  const parsed = parse(value)
  return String(parsed === undefined ? value : fromColumn(toColumn(parsed)))
}

interface ExistingRow {
  readonly id: string
  readonly key: unknown
  readonly readable: boolean
}

async function existingRows(
  unit: Unit,
  view: View,
  collection: Collection,
  field: Field,
  rows: readonly Values[],
): Promise<Map<string, ExistingRow>> {
  const context = view.rawContext()
  const { parameters } = context
  const values = rows.map(row => columnValue(field, row[field.name])).filter(value => value !== null)
  const column = `r.${quoteName(field.column)}`
  const where = all([
    `r.tenant_id = ${parameters.add(view.ownerOf(collection))}`,
    `${column} = any (${parameters.add(values)}::${columnType(field)}[])`,
    notDeleted(collection, 'r'),
  ])
  const readable = `coalesce(${view.rowsSql(context, collection, 'read', 'r')}, false)`
  const key = field.type === 'date' ? `${column}::text` : column
  const { rows: found } = await unit.query<ExistingRow>(
    `select r.id, ${key} as key, ${readable} as readable from ${quoteName(collection.table)} r where ${where}`,
    parameters.values,
  )
  return new Map(found.map(row => [String(specOf(field).fromColumn(row.key)), row]))
}
