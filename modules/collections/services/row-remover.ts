/** Deletes rows, or moves them to the trash, together with the rows that must not outlive them. */
import type { IncomingHttpHeaders } from 'node:http'
import type { Deps, Step, Unit } from '@larder-dev/larder/kernel'
import { notDeleted } from '../domain/conditions/condition-sql.ts'
import type { Collection, Field, Row } from '../domain/declarations/collection.ts'
import { historyTableName, joinTableName } from '../domain/declarations/naming.ts'
import { manyFields } from '../domain/fields/field-lists.ts'
import type { View } from '../domain/rights/view.ts'
import type { RowChange } from '../domain/rows/row-changes.ts'
import { deleteStep, historySteps, updateSteps } from '../domain/rows/write-sql.ts'
import { quoteName } from '../domain/tables/sql-literals.ts'
import { problems } from '../problems.ts'
import { callInRow } from './hooked-writes.ts'
import { lockReferringRows, lockRow } from './locked-rows.ts'
import { requireRevision } from './revision-match.ts'
import type { RowEvents } from './row-events.ts'
import type { CallHooks, HookRunner } from './row-hooks.ts'
import { assertMay } from './write-access.ts'
import type { WriteErrors } from './write-errors.ts'

export interface RowRemover {
  /** Throws `row_in_use` if a row with `onDelete: restrict` refers to it. */
  remove(view: View, collection: Collection, row: GivenDeletion): Promise<void>
}
export interface GivenDeletion {
  readonly id: string
  readonly headers: IncomingHttpHeaders
  readonly pointer: string
}

/** Rows that one deletion deletes or changes in addition. */
const MAX_DEPENDENT_ROWS = 1000

interface Dependent {
  readonly collection: Collection
  readonly field: Field
}
interface Deletion {
  readonly unit: Unit
  readonly view: View
  /** Rows that are being deleted: `courses crs_…`. */
  readonly seen: Set<string>
  /** Rows that remain, by the same key, and their fields that lose a reference. */
  readonly cleared: Map<string, ClearedRow>
  /** Statements that delete the rows, dependent ones first. */
  readonly steps: Step[]
  /** Rows that are being deleted, in the order of `steps`. */
  readonly deleted: { readonly collection: Collection; readonly row: Row }[]
  readonly call: CallHooks | undefined
}
interface ClearedRow {
  readonly collection: Collection
  readonly row: Row
  readonly names: Set<string>
}

type RemoverDeps = Deps<'database' | 'clock'> & {
  readonly rowEvents: RowEvents
  readonly errors: WriteErrors
  readonly hooks: HookRunner
}

export function createRowRemover(deps: RemoverDeps): RowRemover {
  const { database, clock, rowEvents: events, errors, hooks } = deps

  async function collect(deletion: Deletion, collection: Collection, rows: readonly Row[]): Promise<void> {
    const { view, seen, steps, deleted, call } = deletion
    for (const row of rows) await call?.(collection, 'beforeDelete', { row })
    for (const { id } of rows) seen.add(keyOf(collection, id))
    if (seen.size > MAX_DEPENDENT_ROWS + 1) throw problems.too_many_dependent_rows({ limit: MAX_DEPENDENT_ROWS })
    for (const dependent of dependentsOf(view, collection))
      await collectDependents(deletion, dependent, collection, rows)
    const at = clock.now()
    for (const row of rows) {
      steps.push(...formerSteps(view, collection, row, at), deleteStep(view.tenantId, collection, row.id, at))
      steps.push(eventOf(view, { collection, kind: 'deleted', row }))
      deleted.push({ collection, row })
    }
  }

  async function collectDependents(
    deletion: Deletion,
    { collection: other, field }: Dependent,
    collection: Collection,
    rows: readonly Row[],
  ): Promise<void> {
    const { unit, view, seen, cleared } = deletion
    const onDelete = field.reference?.onDelete
    // References to a row in the trash are hidden, and visible again when it is restored.
    if (onDelete === 'clear' && collection.trashMs > 0) return
    const ids = rows.map(({ id }) => id)
    const limit = onDelete === 'restrict' ? seen.size + 1 : MAX_DEPENDENT_ROWS + 1
    const found = await lockReferringRows(unit, view, other, field.column, ids, limit)
    const referring = found.filter(({ id }) => !seen.has(keyOf(other, id)))
    if (referring.length === 0) return
    if (onDelete === 'restrict') throw problems.row_in_use()
    if (referring.length > MAX_DEPENDENT_ROWS) throw problems.too_many_dependent_rows({ limit: MAX_DEPENDENT_ROWS })
    if (onDelete === 'cascade') return collect(deletion, other, referring)
    for (const row of referring) {
      const key = keyOf(other, row.id)
      const { names } = cleared.get(key) ?? { names: new Set<string>() }
      cleared.set(key, { collection: other, row, names: names.add(field.name) })
    }
  }

  /** Foreign keys prevent the deletion of rows in a restricted list of references, but not their move to the trash. */
  async function assertNotListed({ unit, view, seen }: Deletion): Promise<void> {
    const deleted = (name: string) =>
      [...seen].flatMap(key => (key.startsWith(`${name} `) ? [key.slice(name.length + 1)] : []))
    const steps = [...view.collections.values()].flatMap(({ name, trashMs, scope }) => {
      const ids = trashMs > 0 ? deleted(name) : []
      if (ids.length === 0) return []
      return [...view.collections.values()]
        .filter(other => other.scope === scope)
        .flatMap(other =>
          manyFields(other)
            .filter(({ reference }) => reference?.to === name && reference.onDelete === 'restrict')
            .map((field): Step => listedStep(view, other, field, ids, deleted(other.name))),
        )
    })
    const results = steps.length > 0 ? await unit.all(steps) : []
    if (results.some(({ rows }) => rows.length > 0)) throw problems.row_in_use()
  }

  function clear(view: View, { collection, row, names }: ClearedRow): { readonly after: Row; readonly steps: Step[] } {
    const at = clock.now()
    const { id, revision } = row
    const changed = [...names]
    const cleared = Object.fromEntries(changed.map(name => [name, null]))
    const after = { ...row, ...cleared, revision: revision + 1, updatedAt: new Date(at).toISOString() }
    const { changedBy } = view
    const steps = [
      ...historySteps(view.tenantId, collection, { id, revision, row, changedAt: at, changedBy }),
      ...updateSteps(view.tenantId, collection, { id, after, changed, updatedAt: at }),
      eventOf(view, { collection, kind: 'updated', row: after, before: row, changed }),
    ]
    return { after, steps }
  }

  /** Called in the unit of the deletion. */
  function eventOf({ tenantId }: View, change: RowChange): Step {
    events.publish(tenantId, change)
    return events.step(tenantId, change)
  }

  async function removeIn(
    unit: Unit,
    view: View,
    collection: Collection,
    { id, headers, pointer }: GivenDeletion,
    { isNested, call }: { readonly isNested: boolean; readonly call: CallHooks | undefined },
  ): Promise<void> {
    const row = await lockRow(unit, view, collection, { id, action: 'delete', pointer })
    requireRevision(headers, row.revision)
    const deletion: Deletion = {
      unit,
      view,
      seen: new Set(),
      cleared: new Map(),
      steps: [],
      deleted: [],
      call: call && callInRow(call, pointer),
    }
    await collect(deletion, collection, [row])
    await assertNotListed(deletion)
    const remaining = [...deletion.cleared].filter(([key]) => !deletion.seen.has(key))
    const cleared = remaining.map(([, each]) => ({ ...each, ...clear(view, each) }))
    // Sent with the commit, unless a surrounding unit has to know at once whether they fail.
    const send = isNested ? unit.all : unit.defer
    await send([...cleared.flatMap(({ steps }) => steps), ...deletion.steps])
    for (const { collection: other, row: before, after, names } of cleared)
      await call?.(other, 'afterUpdate', { before, row: after, changed: [...names] })
    for (const { collection: other, row: last } of deletion.deleted) await call?.(other, 'afterDelete', { row: last })
  }

  return {
    async remove(view, collection, given) {
      assertMay(view, collection, 'delete')
      const isNested = database.currentTenant() !== undefined
      const run = (call: CallHooks | undefined, nested: boolean): Promise<void> =>
        database
          .tenant(view.tenantId)
          .transaction(unit => removeIn(unit, view, collection, given, { isNested: nested, call }))
      // Rows of other collections may be deleted with this one.
      const removed = hooks.any() ? hooks.inUnit(view, call => run(call, true)) : run(undefined, isNested)
      await removed.catch(errors.rethrowDelete)
    },
  }
}

/** Whether rows that remain list one of these rows in a field. */
const listedStep = (
  view: View,
  collection: Collection,
  { name }: Field,
  ids: readonly string[],
  deleted: readonly string[],
): Step => [
  `select 1 from ${quoteName(joinTableName(collection.name, name))} j join ${quoteName(collection.table)} r
     on r.tenant_id = j.tenant_id and r.id = j.row_id
   where j.tenant_id = $1 and j.target_id = any ($2) and j.row_id <> all ($3) and ${notDeleted(collection, 'r')} limit 1`,
  [view.ownerOf(collection), ids, deleted],
]

const keyOf = ({ name }: Collection, id: string): string => `${name} ${id}`

/** The version before the deletion, for a row that can be restored. Otherwise, no version outlives the row. */
function formerSteps(view: View, collection: Collection, row: Row, at: number): Step[] {
  const { id, revision } = row
  const { changedBy } = view
  if (collection.trashMs > 0)
    return historySteps(view.tenantId, collection, { id, revision, row, changedAt: at, changedBy })
  if (collection.history === 0) return []
  const text = `delete from ${quoteName(historyTableName(collection.name))} where tenant_id = $1 and row_id = $2`
  return [[text, [view.tenantId, id]]]
}

/** Fields of other rows that refer to one row of the collection, without lists of references. */
const dependentsOf = ({ collections }: View, collection: Collection): Dependent[] =>
  [...collections.values()]
    .filter(({ scope }) => scope === collection.scope)
    .flatMap(other =>
      [...other.fields.values()]
        .filter(({ reference }) => reference?.to === collection.name && !reference.many)
        .map(field => ({ collection: other, field })),
    )
