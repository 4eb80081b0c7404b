/** Changes rows: locks the row, checks what the caller may do, and writes it with its event and its former version. */
import type { IncomingHttpHeaders } from 'node:http'
import { type Deps, invalidFields, Problem, type Step, type Unit } from '@larder-dev/larder/kernel'
import { all, any, conditionSql } from '../domain/conditions/condition-sql.ts'
import type { Collection, Row } from '../domain/declarations/collection.ts'
import { computedFields } from '../domain/fields/field-lists.ts'
import type { View } from '../domain/rights/view.ts'
import { periodErrors } from '../domain/rows/periods.ts'
import { changedFields, changedValues, type Values, withChangeTimes } from '../domain/rows/row-values.ts'
import { historySteps, updateSteps } from '../domain/rows/write-sql.ts'
import { quoteName } from '../domain/tables/sql-literals.ts'
import { assertPlaces } from './capacities.ts'
import { assertFiles } from './file-checks.ts'
import { beforeUpdate, callInRow } from './hooked-writes.ts'
import { lockRow } from './locked-rows.ts'
import { assertMembers } from './member-checks.ts'
import { assertNoOverlap, movesPeriod } from './overlaps.ts'
import { referenceChecks, referenceErrors } from './reference-checks.ts'
import { requireRevision } from './revision-match.ts'
import { withComputed } from './row-creator.ts'
import type { RowEvents } from './row-events.ts'
import type { CallHooks, HookRunner } from './row-hooks.ts'
import { assertMayChoose, assertTransitions } from './state-checks.ts'
import {
  actionForbidden,
  assertMay,
  assertMayWriteFields,
  isOwnCondition,
  matchesAny,
  writeConditions,
} from './write-access.ts'
import type { WriteErrors } from './write-errors.ts'

export interface GivenChange {
  readonly id: string
  readonly given: Values
  /** With `if-match`. */
  readonly headers: IncomingHttpHeaders
  /** JSON Pointer of the values in the body. */
  readonly pointer: string
  /** The row, if the surrounding unit has locked it with `lockRow`. */
  readonly locked?: Row
  /** Whether the values are those of a former version of the row. */
  readonly isFormer?: boolean
}

export interface RowChanger {
  /** Returns the row with all its fields. Nothing is written if no value changes. */
  update(view: View, collection: Collection, change: GivenChange): Promise<Row>
}

type RowChangerDeps = Deps<'database' | 'clock', 'entitlements' | 'mediaItems' | 'people'> & {
  readonly rowEvents: RowEvents
  readonly errors: WriteErrors
  readonly hooks: HookRunner
}

export function createRowChanger(deps: RowChangerDeps): RowChanger {
  const { database, clock, entitlements, mediaItems, people, rowEvents: events, errors, hooks } = deps

  async function apply(
    unit: Unit,
    view: View,
    collection: Collection,
    change: GivenChange,
    values: Values,
    isNested: boolean,
    call: CallHooks | undefined,
  ): Promise<Row> {
    const { id, headers, pointer } = change
    // Sent with the commit. In a surrounding unit, an error must occur here, where its field is known.
    const send = isNested ? unit.all : unit.defer
    const before = change.locked ?? (await lockRow(unit, view, collection, { id, action: 'update', pointer }))
    requireRevision(headers, before.revision)
    const changed = changedFields(before, values)
    if (changed.length === 0) return before
    const own = Object.fromEntries(changed.map(name => [name, values[name]]))
    assertMayChoose(view, collection, own, pointer, before)
    const hooked = call ? await beforeUpdate(call, collection, before, { given: own, pointer }) : own
    const now = clock.now()
    const written = withChangeTimes(collection, hooked, now)
    assertTransitions(view, collection, before, written, pointer)
    const notSent = Object.keys(written).filter(name => change.isFormer || written[name] !== own[name])
    await assertFiles(mediaItems, view, collection, [{ values: written, pointer, notSent }])
    const checked = [{ values: written, pointer }]
    const checks = referenceChecks(view, collection, checked, false)
    const found = checks.length > 0 ? await referenceErrors(unit, view, checks, checked) : []
    if (found.length > 0) throw invalidFields(found)
    if (movesPeriod(collection, Object.keys(written))) {
      const moved = { values: { ...before, ...written }, pointer, id: before.id }
      const invalid = periodErrors(collection, moved.values, pointer)
      if (invalid.length > 0) throw invalidFields(invalid)
      await assertNoOverlap(unit, view, collection, [moved])
    }
    await assertPlaces(unit, view, collection, [{ values: { ...before, ...written }, pointer, before }])
    // A member who has left the workspace may stay in a row.
    await assertMembers(people, view, collection, checked)
    const row = await write(unit, view, collection, { now, send, before, written, pointer })
    if (call) await callInRow(call, pointer)(collection, 'afterUpdate', { before, row, changed: Object.keys(written) })
    return row
  }

  interface Write {
    /** Milliseconds. */
    readonly now: number
    readonly send: (steps: readonly Step[]) => Promise<unknown>
    readonly before: Row
    readonly written: Values
    readonly pointer: string
  }

  async function write(
    unit: Unit,
    view: View,
    collection: Collection,
    { now, send, before, written, pointer }: Write,
  ): Promise<Row> {
    const { tenantId } = view
    const { id, revision } = before
    const after: Row = { ...before, ...written, updatedAt: new Date(now).toISOString(), revision: revision + 1 }
    const { changedBy } = view
    const steps = [
      ...historySteps(tenantId, collection, { id, revision, row: before, changedAt: now, changedBy }),
      ...updateSteps(tenantId, collection, { id, after, changed: Object.keys(written), updatedAt: now }),
    ]
    const conditions = writeConditions(view, collection, 'update')
    const isOwn = conditions?.every(isOwnCondition) ?? true
    if (conditions && isOwn && !matchesAny(conditions, after)) throw actionForbidden('update', pointer)
    const eventsOf = (row: Row): readonly Step[] => {
      const update = { collection, kind: 'updated', row, before, changed: Object.keys(written) } as const
      events.publish(tenantId, update)
      return [events.step(tenantId, update), ...events.stateSteps(tenantId, update)]
    }
    if (isOwn && computedFields(collection).length === 0) {
      await send([...steps, ...eventsOf(after)])
      return after
    }
    const results = await unit.all(steps)
    const computed = results.find(({ rows }) => rows.length > 0)?.rows[0] ?? {}
    const complete = { ...after, ...withComputed(collection, computed) }
    if (conditions && !isOwn && !(await matchesNow(unit, view, collection, id)))
      throw actionForbidden('update', pointer)
    await send(eventsOf(complete))
    return complete
  }

  /** The changed row must match the rule as well, so that nobody moves a row out of reach. */
  async function matchesNow(unit: Unit, view: View, collection: Collection, id: string): Promise<boolean> {
    const context = view.rawContext()
    const conditions = writeConditions(view, collection, 'update') ?? []
    const allowed = any(conditions.map(condition => conditionSql(context, collection, condition, 'r')))
    const where = all([`r.id = ${context.parameters.add(id)}`, allowed])
    const { rowCount } = await unit.query(
      `select 1 from ${quoteName(collection.table)} r where ${where}`,
      context.parameters.values,
    )
    return rowCount > 0
  }

  return {
    async update(view, collection, change) {
      const { given, pointer } = change
      assertMay(view, collection, 'update')
      assertMayWriteFields(view, collection, given, pointer)
      const { values, errors: found } = changedValues(collection, given, pointer)
      if (found.length > 0) throw invalidFields(found)
      await entitlements?.requireRowStorage(view.tenantId, Buffer.byteLength(JSON.stringify(values)))
      const isNested = database.currentTenant() !== undefined
      const run = (call: CallHooks | undefined, nested: boolean): Promise<Row> =>
        database.tenant(view.tenantId).transaction(unit => apply(unit, view, collection, change, values, nested, call))
      const changed = hooks.has(collection) ? hooks.inUnit(view, call => run(call, true)) : run(undefined, isNested)
      const row = await changed.catch(error =>
        Problem.is(error) ? Promise.reject(error) : errors.rethrow(collection, error, pointer),
      )
      return row
    },
  }
}
