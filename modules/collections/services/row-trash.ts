/** Lists deleted rows until their time in the trash is over, and restores them. */
import type { IncomingHttpHeaders } from 'node:http'
import {
  type Deps,
  type FieldError,
  fieldError,
  Problem,
  pageLimit,
  type Step,
  type Unit,
  wording,
} from '@larder-dev/larder/kernel'
import { all, any, columnOf, Parameters } from '../domain/conditions/condition-sql.ts'
import type { Collection, Row } from '../domain/declarations/collection.ts'
import type { ListedRow } from '../domain/queries/list-query.ts'
import { everything } from '../domain/queries/selection.ts'
import { type Columns, rowOf, selectionSql } from '../domain/queries/selection-sql.ts'
import { cursorColumnsSql, cursorOf, type Order, orderSql, rangesAfter } from '../domain/queries/sorting.ts'
import type { View } from '../domain/rights/view.ts'
import { pointerOf } from '../domain/rows/row-values.ts'
import { restoreStep } from '../domain/rows/write-sql.ts'
import { quoteName } from '../domain/tables/sql-literals.ts'
import { problems } from '../problems.ts'
import { assertPlaces } from './capacities.ts'
import type { GuestRoom } from './guest-rows.ts'
import { lockRow } from './locked-rows.ts'
import { assertNoOverlap } from './overlaps.ts'
import { requireRevision } from './revision-match.ts'
import type { RowEvents } from './row-events.ts'
import type { CallHooks, HookRunner } from './row-hooks.ts'
import type { RowPage } from './row-reader.ts'
import { assertMay } from './write-access.ts'
import type { WriteErrors } from './write-errors.ts'

export interface TrashParameters {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

export interface RowTrash {
  /** Rows that the caller can read and delete, the last deleted first, with `deletedAt`. */
  list(view: View, collection: Collection, query: TrashParameters): Promise<RowPage>
  /**
   * Throws `not_found` for a row that isn't in the trash, `value_taken` if another row has one of its unique values,
   * `period_taken` if one has a period that overlaps with that of the row, `capacity_reached` if the row that it refers to
   * has no free place, and `reference_in_trash` if it depends on a row that is in the trash.
   */
  restore(
    view: View,
    collection: Collection,
    row: { readonly id: string; readonly headers: IncomingHttpHeaders },
  ): Promise<Row>
}

type TrashDeps = Deps<'database' | 'clock', 'entitlements'> & {
  readonly rowEvents: RowEvents
  readonly errors: WriteErrors
  readonly hooks: HookRunner
  readonly guestRoom: GuestRoom
}

const LAST_DELETED_FIRST: Order = {
  signature: '-deletedAt',
  keys: [
    { name: 'deletedAt', descending: true, nullable: false, kind: 'time', sql: alias => `${alias}.deleted_at` },
    { name: 'id', descending: true, nullable: false, kind: 'text', sql: alias => `${alias}.id` },
  ],
}
const DELETED_AT = '$deletedAt'

export function createRowTrash(deps: TrashDeps): RowTrash {
  const { database, clock, entitlements, rowEvents: events, errors, hooks, guestRoom } = deps
  const expiredBefore = ({ trashMs }: Collection): Date => new Date(clock.now() - trashMs)

  return {
    async list(view, collection, query) {
      assertMay(view, collection, 'delete')
      const limit = pageLimit(query)
      const selection = everything(view, collection)
      const context = view.sqlContext(new Parameters())
      const { parameters } = context
      const columns = [
        selectionSql(context, selection, 'r'),
        `r.deleted_at as ${quoteName(DELETED_AT)}`,
        cursorColumnsSql(LAST_DELETED_FIRST, 'r'),
      ]
      const where = all([
        `r.tenant_id = ${parameters.add(view.ownerOf(collection))}`,
        `r.deleted_at > ${parameters.add(expiredBefore(collection))}`,
        view.rowsSql(context, collection, 'read', 'r'),
        view.rowsSql(context, collection, 'delete', 'r'),
        any(rangesAfter(LAST_DELETED_FIRST, query.cursor, 'r', parameters)),
      ])
      const text = `select ${columns.join(', ')} from ${quoteName(collection.table)} r where ${where}
        order by ${orderSql(LAST_DELETED_FIRST, 'r')} limit ${parameters.add(limit + 1)}`
      const { rows } = await database.tenant(view.tenantId).query<Columns>(text, parameters.values)
      const shown = rows.slice(0, limit)
      const last = shown.at(-1)
      const data = shown.map((found): ListedRow => {
        const deletedAt = found[DELETED_AT] as Date
        return { ...rowOf(selection, found), deletedAt: deletedAt.toISOString() }
      })
      return { data, nextCursor: rows.length > limit && last ? cursorOf(LAST_DELETED_FIRST, last) : null }
    },

    async restore(view, collection, { id, headers }) {
      assertMay(view, collection, 'delete')
      const { tenantId } = view
      const run = (call: CallHooks | undefined): Promise<Row> =>
        database.tenant(tenantId).transaction(async unit => {
          const deletedAfter = expiredBefore(collection)
          const before = await lockRow(unit, view, collection, { id, action: 'delete', pointer: '', deletedAfter })
          requireRevision(headers, before.revision)
          const isOfGuest = await guestRoom.has(unit, tenantId, collection, id)
          if (isOfGuest) await guestRoom.take(unit, tenantId, collection)
          // A meter counted the row when it was created.
          else if (collection.limit !== undefined && !entitlements?.isMeter(collection.limit))
            await entitlements?.require(view.planHolder, collection.limit, 1)
          await assertNotDependent(unit, view, collection, before)
          await call?.(collection, 'beforeRestore', { row: before })
          await assertNoOverlap(unit, view, collection, [{ values: before, pointer: '', id }])
          await assertPlaces(unit, view, collection, [{ values: before, pointer: '' }])
          const now = clock.now()
          const after: Row = { ...before, updatedAt: new Date(now).toISOString(), revision: before.revision + 1 }
          await unit.all([
            restoreStep(tenantId, collection, id, now),
            events.step(tenantId, { collection, kind: 'updated', row: after, changed: [] }),
          ])
          // Subscribers received the row's deletion.
          events.publish(tenantId, { collection, kind: 'created', row: after })
          await call?.(collection, 'afterRestore', { row: after })
          return after
        })
      const restored = hooks.has(collection) ? hooks.inUnit(view, run) : run(undefined)
      const row = await restored.catch(error =>
        Problem.is(error) ? Promise.reject(error) : errors.rethrow(collection, error),
      )
      return row
    },
  }
}

/** A row can't exist without the rows that it depends on. Locks them until the unit ends, so that none is deleted meanwhile. */
async function assertNotDependent(unit: Unit, view: View, collection: Collection, row: Row): Promise<void> {
  const checks = [...collection.fields.values()].flatMap(({ name, reference }) => {
    const target = reference && view.collections.get(reference.to)
    const id = row[name]
    const isDependent = target?.scope === collection.scope && target.trashMs > 0 && !reference?.many
    if (!target || !isDependent || reference?.onDelete === 'clear' || typeof id !== 'string' || id === row.id) return []
    const text = `select 1 from ${quoteName(target.table)} r
      where r.tenant_id = $1 and ${columnOf('r', 'id')} = $2 and r.deleted_at is null for key share of r`
    return [{ name, step: [text, [view.tenantId, id]] as Step }]
  })
  if (checks.length === 0) return
  const results = await unit.all(checks.map(({ step }) => step))
  const found = checks.flatMap(({ name }, at): FieldError[] =>
    results[at]?.rows.length === 0
      ? [fieldError(pointerOf('', name), 'in_trash', wording('refers to a row in the trash'))]
      : [],
  )
  if (found.length > 0) throw problems.reference_in_trash({}, { errors: found })
}
