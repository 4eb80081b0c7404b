/** Creates rows: one in a single round trip where nothing has to be read first, or up to 500 in one transaction. */
import { type Deps, type FieldError, invalidFields, Problem, type Step, type Unit } from '@larder-dev/larder/kernel'
import type { Collection, Row } from '../domain/declarations/collection.ts'
import { databaseFields, fileFields, memberFields } from '../domain/fields/field-lists.ts'
import { specOf } from '../domain/fields/field-types.ts'
import type { View } from '../domain/rights/view.ts'
import type { Values } from '../domain/rows/row-values.ts'
import { insertSteps, insertUnlessTaken, linkSteps } from '../domain/rows/write-sql.ts'
import { problems } from '../problems.ts'
import { assertPlaces } from './capacities.ts'
import { assertFiles } from './file-checks.ts'
import { beforeCreate, callInRow } from './hooked-writes.ts'
import { assertMembers } from './member-checks.ts'
import { assertNoOverlap } from './overlaps.ts'
import { referenceChecks, referenceErrors } from './reference-checks.ts'
import type { RowEvents } from './row-events.ts'
import type { HookRunner } from './row-hooks.ts'
import {
  creationBy,
  type GivenRow,
  linkedConditions,
  type PreparedRow,
  prepareRow,
  rowOf,
  rowsOutside,
} from './row-preparation.ts'
import { mustTakeTurns, takenIn, turnStep, withFreeSlugs } from './unique-values.ts'
import {
  actionForbidden,
  assertMay,
  assertMayWriteFields,
  isOwnCondition,
  matchesAny,
  type WriteConditions,
  writeConditions,
} from './write-access.ts'
import { overlapErrors, type WriteErrors } from './write-errors.ts'

export interface RowCreator {
  /**
   * Returns the rows with all their fields. Throws with all errors of all rows, and then creates none. A visitor who sends
   * a unique value together with somebody else may get no row, without an error.
   */
  create(view: View, collection: Collection, rows: readonly GivenRow[]): Promise<Row[]>
}

type RowCreatorDeps = Deps<'database' | 'clock', 'entitlements' | 'mediaItems' | 'people'> & {
  readonly rowEvents: RowEvents
  readonly errors: WriteErrors
  readonly hooks: HookRunner
}

const MAX_ATTEMPTS = 3

interface Checks {
  readonly conditions: WriteConditions
  /** Whether the limit of the plan has been checked. */
  readonly isCounted: boolean
}

export function createRowCreator(deps: RowCreatorDeps): RowCreator {
  const { database, clock, entitlements, mediaItems, people, rowEvents: events, errors, hooks } = deps

  function insert(unit: Unit, view: View, collection: Collection, rows: readonly PreparedRow[]): Promise<Row[]> {
    const { tenantId } = view
    const inserts = insertSteps(tenantId, collection, rows)
    const made = rows.map(rowOf)
    if (databaseFields(collection).length > 0) return insertComputed(unit, view, collection, inserts, made)
    return unit.all([...inserts, events.createdStep(tenantId, collection, made)]).then(() => made)
  }

  async function insertComputed(
    unit: Unit,
    { tenantId }: View,
    collection: Collection,
    inserts: readonly Step[],
    made: readonly Row[],
  ): Promise<Row[]> {
    const [first] = await unit.all(inserts)
    const computed = new Map(first?.rows.map(row => [row.id ?? made[0]?.id, row]))
    const complete = made.map(row => ({ ...row, ...withComputed(collection, computed.get(row.id) ?? {}) }))
    await unit.defer([events.createdStep(tenantId, collection, complete)])
    return complete
  }

  /**
   * Returns no row if another one took a value since the check, such as that of a member, who waits for no turn. An error
   * would end the surrounding unit, and what a visitor sends besides the row with it.
   */
  async function insertOfGuest(unit: Unit, view: View, collection: Collection, row: PreparedRow): Promise<Row[]> {
    const { tenantId } = view
    const { rows, rowCount } = await unit.query(...insertUnlessTaken(tenantId, collection, row))
    if (rowCount === 0) {
      const taken = await takenIn(unit, view, collection, [row])
      if (taken.length === 0 && collection.noOverlap)
        throw problems.period_taken({}, { errors: overlapErrors(collection.noOverlap, row.pointer), rows: [] })
      return []
    }
    const made = { ...rowOf(row), ...withComputed(collection, rows[0] ?? {}) }
    await unit.defer([
      ...linkSteps(tenantId, collection, made.id, row.values),
      events.createdStep(tenantId, collection, [made]),
    ])
    return [made]
  }

  /** Everything that has to be read before or after the rows are written. */
  async function insertChecked(
    unit: Unit,
    view: View,
    collection: Collection,
    rows: readonly PreparedRow[],
    { conditions, isCounted }: Checks,
  ): Promise<Row[]> {
    const isList = rows.length > 1
    // What a visitor may not find out is known before an error ends the surrounding unit.
    const checksKeys = isList || view.isGuest
    if (collection.limit !== undefined && !isCounted && !view.isGuest)
      await entitlements?.require(view.planHolder, collection.limit, rows.length)
    if (checksKeys && mustTakeTurns(collection)) await unit.defer([turnStep(view, collection)])
    const numbered = await withFreeSlugs(unit, view, collection, rows)
    const checks = referenceChecks(view, collection, numbered, isList)
    const found = checks.length > 0 ? await referenceErrors(unit, view, checks, numbered) : []
    const taken = checksKeys ? await takenIn(unit, view, collection, numbered) : []
    if (found.length > 0) throw invalidFields([...found, ...taken])
    if (taken.length > 0) throw problems.value_taken({}, { errors: taken })
    await assertNoOverlap(unit, view, collection, numbered)
    await assertPlaces(unit, view, collection, numbered)
    const [only] = numbered
    const made =
      view.isGuest && only
        ? await insertOfGuest(unit, view, collection, only)
        : await insert(unit, view, collection, numbered)
    if (made.length === 0) return []
    const linked = linkedConditions(conditions)
    const [refused] = linked ? await rowsOutside(unit, view, collection, numbered, linked) : []
    if (refused) throw actionForbidden('create', refused.pointer)
    return made
  }

  /** One round trip if nothing has to be read. */
  function write(view: View, collection: Collection, rows: readonly PreparedRow[], checks: Checks): Promise<Row[]> {
    const unit = database.tenant(view.tenantId)
    if (rows.some(({ generated }) => generated.length > 0)) return writeWithSlugs(unit, view, collection, rows, checks)
    if (isPlain(view, collection, rows, checks)) return insert(unit, view, collection, rows)
    return unit.transaction(inside => insertChecked(inside, view, collection, rows, checks))
  }

  /**
   * A generated slug is tried as it is: if it is taken, the row is written again with a free number. In a surrounding unit,
   * which an error ends, the number is found first.
   */
  async function writeWithSlugs(
    unit: Unit,
    view: View,
    collection: Collection,
    rows: readonly PreparedRow[],
    checks: Checks,
  ): Promise<Row[]> {
    const mayRetry = database.currentTenant() === undefined
    const isSimple = mayRetry && isPlain(view, collection, rows, checks)
    for (let attempt = 1; ; attempt++)
      try {
        if (isSimple && attempt === 1) return await insert(unit, view, collection, rows)
        return await unit.transaction(inside => insertChecked(inside, view, collection, rows, checks))
      } catch (error) {
        const taken = errors.takenFields(collection, error) ?? []
        const isOfSlug = rows.some(({ generated }) => taken.some(name => generated.includes(name)))
        if (!mayRetry || !isOfSlug || attempt === MAX_ATTEMPTS) throw error
      }
  }

  /** @param isCounted by the caller, who has checked the limit of the plan. */
  async function create(
    view: View,
    collection: Collection,
    given: readonly GivenRow[],
    isCounted = false,
  ): Promise<Row[]> {
    assertMay(view, collection, 'create')
    const found: FieldError[] = []
    const rows = given.map(row => prepareRow(view, collection, row, clock.now(), found))
    if (found.length > 0) throw invalidFields(found)
    const conditions = writeConditions(view, collection, 'create')
    if (conditions?.every(isOwnCondition))
      for (const row of rows) if (!matchesAny(conditions, rowOf(row))) throw actionForbidden('create', row.pointer)
    // Each promise costs about a microsecond with an async context.
    if (fileFields(collection).length > 0) await assertFiles(mediaItems, view, collection, rows)
    if (memberFields(collection).length > 0) await assertMembers(people, view, collection, rows)
    if (entitlements) await entitlements.requireRowStorage(view.tenantId, storedBytes(rows))
    let made: Row[]
    try {
      made = await write(view, collection, rows, { conditions, isCounted })
    } catch (error) {
      return errors.rethrow(collection, error, rows[0]?.pointer)
    }
    for (const row of made) events.publish(view.tenantId, { collection, kind: 'created', row })
    return made
  }

  /** Writes each row before the hooks of the next one, which see it. */
  async function createWithHooks(view: View, collection: Collection, given: readonly GivenRow[]): Promise<Row[]> {
    assertMay(view, collection, 'create')
    for (const row of given) assertMayWriteFields(view, collection, row.given, row.pointer)
    return hooks.inUnit(view, async call => {
      const isList = given.length > 1
      if (isList) await lockForList(view, collection, given)
      if (view.isGuest) await assertFreeValues(view, collection, given)
      const found: FieldError[] = []
      const made: Row[] = []
      for (const row of given)
        try {
          const fromHooks = await beforeCreate(call, collection, row, creationBy(view, clock.now()), found)
          // The errors of the other rows are reported, too.
          if (found.length > 0) continue
          const [written] = await create(view, collection, [{ ...row, fromHooks }], isList)
          // What the first hook has written has to be rolled back.
          if (!written) throw problems.value_taken({}, { errors: [] })
          made.push(written)
          await callInRow(call, row.pointer)(collection, 'afterCreate', { row: written })
        } catch (error) {
          // What happens after a row that isn't written can follow from that.
          throw found.length > 0 && Problem.is(error) && error.status < 500 ? invalidFields(found) : error
        }
      if (found.length > 0) throw invalidFields(found)
      // Hooks may have created rows as well.
      if (isList && collection.limit !== undefined) await entitlements?.require(view.planHolder, collection.limit, 0)
      return made
    })
  }

  /**
   * A taken value is found before a hook writes, because an error after that ends the surrounding unit, and a visitor must
   * get the same answer as for a free one. Values that aren't valid are refused with the errors of the hooks.
   */
  async function assertFreeValues(view: View, collection: Collection, given: readonly GivenRow[]): Promise<void> {
    const unit = database.tenant(view.tenantId)
    if (mustTakeTurns(collection)) await unit.defer([turnStep(view, collection)])
    const rows = given.map(row => {
      const errors: FieldError[] = []
      const prepared = prepareRow(view, collection, row, clock.now(), errors)
      const isValid = (name: string) => !errors.some(({ pointer }) => pointer.split('/').includes(name))
      return {
        ...prepared,
        values: Object.fromEntries(Object.entries(prepared.values).filter(([name]) => isValid(name))),
      }
    })
    const taken = await takenIn(unit, view, collection, rows)
    if (taken.length > 0) throw problems.value_taken({}, { errors: taken })
  }

  /** What would otherwise be locked or counted once for each row, and in its order. */
  async function lockForList(view: View, collection: Collection, given: readonly GivenRow[]): Promise<void> {
    const unit = database.tenant(view.tenantId)
    if (collection.limit !== undefined) await entitlements?.require(view.planHolder, collection.limit, given.length)
    if (mustTakeTurns(collection)) await unit.defer([turnStep(view, collection)])
    const rows = given.map(row => ({ values: row.given, pointer: row.pointer }))
    const checks = referenceChecks(view, collection, rows, true)
    // The write of a row reports a reference to a missing row, unless a hook replaces it.
    if (checks.length > 0) await referenceErrors(unit, view, checks, rows)
  }

  return {
    create: (view, collection, given) =>
      hooks.has(collection) ? createWithHooks(view, collection, given) : create(view, collection, given),
  }
}

/** Whether the foreign keys and indexes check everything, and nobody needs to wait for a turn. */
function isPlain(
  view: View,
  collection: Collection,
  rows: readonly PreparedRow[],
  { conditions, isCounted }: Checks,
): boolean {
  return (
    rows.length === 1 &&
    (isCounted || collection.limit === undefined) &&
    collection.noOverlap === undefined &&
    collection.capacity === undefined &&
    !view.isGuest &&
    databaseFields(collection).length === 0 &&
    linkedConditions(conditions) === undefined &&
    referenceChecks(view, collection, rows, false).length === 0
  )
}

const storedBytes = (rows: readonly PreparedRow[]): number =>
  Buffer.byteLength(JSON.stringify(rows.map(({ values }) => values)))

/** What PostgreSQL made: it returns a bigint as text, and a time as a date. */
export const withComputed = (collection: Collection, columns: Values): Values =>
  Object.fromEntries(
    Object.entries(columns).flatMap(([name, value]) => {
      const field = collection.fields.get(name)
      return field ? [[name, value === null ? null : specOf(field).fromColumn(value)]] : []
    }),
  )
