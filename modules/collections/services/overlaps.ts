/** Finds rows whose periods overlap with those of rows that are about to be written. */
import { type FieldError, locksStep, type Step, type Unit } from '@larder-dev/larder/kernel'
import type { Collection, Field, Periods } from '../domain/declarations/collection.ts'
import { columnType } from '../domain/fields/column-types.ts'
import type { View } from '../domain/rights/view.ts'
import { createCalendars, type Period, periodOf } from '../domain/rows/periods.ts'
import type { Values } from '../domain/rows/row-values.ts'
import { columnValue } from '../domain/rows/write-sql.ts'
import { quoteName } from '../domain/tables/sql-literals.ts'
import { problems } from '../problems.ts'
import { overlapErrors } from './write-errors.ts'

export interface PeriodRow {
  /** The values of the whole row, after the change. */
  readonly values: Values
  readonly pointer: string
  /** The ID of a row that exists. */
  readonly id?: string
}

interface Overlaps {
  readonly errors: readonly FieldError[]
  /** IDs of the other rows that the caller may read. */
  readonly rows: readonly string[]
}
const NONE: Overlaps = { errors: [], rows: [] }

/** Whether a change of these fields can make two rows overlap. */
export const movesPeriod = ({ noOverlap }: Collection, changed: readonly string[]): boolean =>
  noOverlap !== undefined && [...noOverlap.by, noOverlap.from, noOverlap.to].some(name => changed.includes(name))

/** Throws `period_taken`. */
export async function assertNoOverlap(
  unit: Unit,
  view: View,
  collection: Collection,
  rows: readonly PeriodRow[],
): Promise<void> {
  const { errors, rows: others } = await findOverlaps(unit, view, collection, rows)
  if (errors.length > 0) throw problems.period_taken({}, { errors, rows: [...others] })
}

/**
 * Writers of one calendar take turns until their units end. Otherwise, each could wait for the row that the other one
 * has inserted, until PostgreSQL ends one of them.
 */
export async function findOverlaps(
  unit: Unit,
  view: View,
  collection: Collection,
  rows: readonly PeriodRow[],
): Promise<Overlaps> {
  const { noOverlap } = collection
  if (!noOverlap) return NONE
  const wanted = rows.flatMap(row => {
    const period = periodOf(collection, noOverlap, row.values)
    return period ? [{ row, period }] : []
  })
  if (wanted.length === 0) return NONE
  const calendars = createCalendars()
  const errors = wanted.flatMap(({ row, period }) =>
    calendars.add(period) ? [] : overlapErrors(noOverlap, row.pointer),
  )
  const keys = wanted.map(({ period }) => [view.ownerOf(collection), collection.name, period.key])
  // Each statement of a batch sees what was committed before it began, so the rows are read under the locks.
  const [_locks, ...found] = await unit.all([
    locksStep('collections.periods', keys),
    overlapsStep(view, collection, noOverlap, wanted),
  ])
  const others = found.flatMap(({ rows: columns }) => columns) as unknown as readonly {
    at: number
    id: string
    readable: boolean
  }[]
  const readable = others.filter(other => other.readable).map(({ id }) => id)
  for (const { at, id, readable: isReadable } of others) {
    const row = wanted[at - 1]?.row
    if (row) errors.push(...overlapErrors(noOverlap, row.pointer, isReadable ? id : undefined))
  }
  return { errors, rows: [...new Set(readable)] }
}

/** One other row for each period, a readable one if there is one. */
function overlapsStep(
  view: View,
  collection: Collection,
  { by, from, to }: Periods,
  wanted: readonly { readonly row: PeriodRow; readonly period: Period }[],
): Step {
  const context = view.rawContext()
  const { parameters } = context
  const fields = [...by, from, to].map(name => collection.fields.get(name)).filter(field => field !== undefined)
  const listOf = (field: Field) =>
    `${parameters.add(wanted.map(({ row }) => columnValue(field, row.values[field.name])))}::${columnType(field)}[]`
  const lists = [...fields.map(listOf), `${parameters.add(wanted.map(({ row }) => row.id ?? null))}::text[]`]
  const names = fields.map((_, at) => `v${at}`)
  const [start, end] = [names.at(-2), names.at(-1)]
  const columnOf = (name: string) => `r.${quoteName(collection.fields.get(name)?.column ?? name)}`
  const where = [
    `r.tenant_id = ${parameters.add(view.ownerOf(collection))}`,
    'r.deleted_at is null',
    ...by.map((name, at) => `${columnOf(name)} = given.v${at}`),
    `${columnOf(from)} < given.${end}`,
    `${columnOf(to)} > given.${start}`,
    `${columnOf(from)} < ${columnOf(to)}`,
    'r.id is distinct from given.own',
  ]
  const readable = `coalesce(${view.rowsSql(context, collection, 'read', 'r')}, false)`
  return [
    `select distinct on (given.at) given.at::int as at, r.id, ${readable} as readable
     from unnest(${lists.join(', ')}) with ordinality as given (${[...names, 'own'].join(', ')}, at)
     join ${quoteName(collection.table)} r on ${where.join(' and ')}
     order by given.at, readable desc, r.id`,
    parameters.values,
  ]
}
