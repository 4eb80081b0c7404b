/** Reads rows with all their fields and locks them until the unit ends. */
import { common, type Step, type Unit } from '@larder-dev/larder/kernel'
import { all, notDeleted } from '../domain/conditions/condition-sql.ts'
import type { Action, Collection, Row } from '../domain/declarations/collection.ts'
import { withFormerNames } from '../domain/declarations/former-names.ts'
import { everyField, nameOf } from '../domain/queries/selection.ts'
import { type Columns, rowOf, selectionSql } from '../domain/queries/selection-sql.ts'
import type { View } from '../domain/rights/view.ts'
import { quoteName } from '../domain/tables/sql-literals.ts'
import { actionForbidden } from './write-access.ts'

export interface WantedRow {
  readonly id: string
  readonly action: Action
  readonly pointer: string
  /** The row has to be in the trash since a later time than this. */
  readonly deletedAfter?: Date
}

/**
 * Throws `not_found` for a row that doesn't exist or that the caller can't read, and `row_action_forbidden` for one that
 * the action isn't open for.
 */
export async function lockRow(
  unit: Unit,
  view: View,
  collection: Collection,
  { id, action, pointer, deletedAfter }: WantedRow,
): Promise<Row> {
  const context = view.rawContext()
  const { parameters } = context
  const columns = [
    selectionSql(context, everyField(collection), 'r'),
    `coalesce(${view.rowsSql(context, collection, 'read', 'r')}, false) as "$readable"`,
    `coalesce(${view.rowsSql(context, collection, action, 'r')}, false) as "$allowed"`,
  ]
  const where = all([
    `r.tenant_id = ${parameters.add(view.ownerOf(collection))}`,
    `r.id = ${parameters.add(id)}`,
    deletedAfter ? `r.deleted_at > ${parameters.add(deletedAfter)}` : notDeleted(collection, 'r'),
  ])
  const text = `select ${columns.join(', ')} from ${quoteName(collection.table)} r where ${where} for ${lockOf(action)} of r`
  const { rows } = await unit.query<Columns>(text, parameters.values)
  const [found] = rows
  if (!found?.$readable) throw common.not_found({ what: 'row' })
  if (!found.$allowed) throw actionForbidden(action, pointer)
  return toRow(collection, found)
}

export interface RowToLock {
  readonly id: string
  readonly action: 'update' | 'delete'
}

/**
 * Locks rows in the order of their IDs, so that two transactions that write the same rows in different orders take turns
 * instead of waiting for each other. Checks nothing: each row is read again when it's written.
 */
export async function lockInOrder(
  unit: Unit,
  view: View,
  collection: Collection,
  rows: readonly RowToLock[],
): Promise<void> {
  const deleted = new Set(rows.filter(({ action }) => action === 'delete').map(({ id }) => id))
  const ids = [...new Set(rows.map(({ id }) => id))].sort()
  if (ids.length < 2) return
  const owner = view.ownerOf(collection)
  const table = quoteName(collection.table)
  // Statements in this order, because the two strengths can't be mixed in one.
  const steps = ids.map((id): Step => {
    const lock = lockOf(deleted.has(id) ? 'delete' : 'update')
    return [`select 1 from ${table} r where r.tenant_id = $1 and r.id = $2 for ${lock} of r`, [owner, id]]
  })
  await unit.all(steps)
}

/** Transactions that have inserted rows which refer to this one can change it one after the other, without a deadlock. */
const lockOf = (action: Action): string => (action === 'delete' ? 'update' : 'no key update')

/** Locks the rows that a field of which refers to one of these IDs, trash excluded. */
export async function lockReferringRows(
  unit: Unit,
  view: View,
  collection: Collection,
  column: string,
  ids: readonly string[],
  limit: number,
): Promise<Row[]> {
  const context = view.rawContext()
  const { parameters } = context
  const where = all([
    `r.tenant_id = ${parameters.add(view.ownerOf(collection))}`,
    `r.${quoteName(column)} = any (${parameters.add(ids)})`,
    notDeleted(collection, 'r'),
  ])
  const text = `select ${selectionSql(context, everyField(collection), 'r')} from ${quoteName(collection.table)} r
    where ${where} order by r.id limit ${parameters.add(limit)} for update of r`
  const { rows } = await unit.query<Columns>(text, parameters.values)
  return rows.map(columns => toRow(collection, columns))
}

const toRow = (collection: Collection, columns: Columns): Row => rowOf(everyField(collection), columns) as Row

/** The fields of a row that the caller can read. */
export function visibleRow(view: View, collection: Collection, row: Row): Row {
  const visible: Record<string, unknown> = {}
  for (const target of everyField(collection).targets) {
    if (!view.allows(collection, target.kind === 'field' ? target.field : target.name)) continue
    const name = nameOf(target)
    visible[name] = row[name] ?? null
  }
  return withFormerNames(collection, visible) as unknown as Row
}
