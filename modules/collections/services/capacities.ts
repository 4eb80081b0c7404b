/** Finds rows that refer to a row without a free place for them. */
import { type FieldError, locksStep, type Step, type Unit } from '@larder-dev/larder/kernel'
import type { Capacity, Collection, Row } from '../domain/declarations/collection.ts'
import { isRowId } from '../domain/declarations/naming.ts'
import type { View } from '../domain/rights/view.ts'
import type { Values } from '../domain/rows/row-values.ts'
import { placeOf } from '../domain/rows/unique-keys.ts'
import { columnsIn } from '../domain/rows/write-sql.ts'
import { whereSql } from '../domain/tables/key-condition.ts'
import { quoteName } from '../domain/tables/sql-literals.ts'
import { problems } from '../problems.ts'
import { fullErrors } from './write-errors.ts'

export interface PlacedRow {
  /** The values of the whole row, after the change. */
  readonly values: Values
  readonly pointer: string
  /** The row outside the trash before a change. It keeps the place that it has. */
  readonly before?: Row
}

/** ID of a row → how many places of it are taken by rows that are not written yet. */
export type Places = Map<string, number>
export const createPlaces = (): Places => new Map()

/** Throws `capacity_reached`. */
export async function assertPlaces(
  unit: Unit,
  view: View,
  collection: Collection,
  rows: readonly PlacedRow[],
): Promise<void> {
  const errors = await findFull(unit, view, collection, rows)
  if (errors.length > 0) throw problems.capacity_reached({}, { errors })
}

/**
 * Rows that take places of one row take turns until their units end, so that each counts those before it. The row itself
 * isn't locked: it can be edited meanwhile.
 * @param places what earlier rows take that are not written yet. Those of these rows are added.
 */
export async function findFull(
  unit: Unit,
  view: View,
  collection: Collection,
  rows: readonly PlacedRow[],
  places: Places = createPlaces(),
): Promise<FieldError[]> {
  const { capacity } = collection
  if (!capacity) return []
  const wanted = rows.flatMap(({ values, pointer, before }) => {
    const id = placeOf(collection, values)
    return id === undefined || (before && placeOf(collection, before) === id) ? [] : [{ id, pointer }]
  })
  if (wanted.length === 0) return []
  const ids = [...new Set(wanted.map(({ id }) => id))]
  const owner = view.ownerOf(collection)
  // Each statement of a batch sees what was committed before it began, so the rows are counted under the locks.
  const { counted } = await unit.all({
    locks: locksStep(
      'collections.places',
      ids.map(id => [owner, collection.name, id]),
    ),
    counted: countStep(view, collection, capacity, ids),
  })
  const found = new Map(counted.rows.map(row => [row.id, row as unknown as Counted]))
  return wanted.flatMap(({ id, pointer }) => {
    // The foreign key reports a missing row.
    const { max = null, taken = 0, readable = false } = found.get(id) ?? {}
    const earlier = places.get(id) ?? 0
    if (max !== null && taken + earlier >= max) return fullErrors(capacity.of, pointer, readable ? max : undefined)
    places.set(id, earlier + 1)
    return []
  })
}

/** Whether a row with these values would find no free place. False if the caller may not know. */
export async function hasNoPlace(
  reading: Pick<Unit, 'query'>,
  view: View,
  collection: Collection,
  values: Values,
): Promise<boolean> {
  const { capacity } = collection
  const id = placeOf(collection, values)
  if (!capacity || id === undefined || !isRowId(id)) return false
  const { rows } = await reading.query<Record<keyof Counted, unknown>>(...countStep(view, collection, capacity, [id]))
  const { max = null, taken = 0, readable = false } = (rows[0] as Counted | undefined) ?? {}
  return readable && max !== null && taken >= max
}

interface Counted {
  readonly id: string
  /** Null for any number. */
  readonly max: number | null
  /** At most `max`. */
  readonly taken: number
  /** Whether the caller may know how many places there are. */
  readonly readable: boolean
}

/** `limit` takes no more than a bigint. */
const MAX_PLACES = 1_000_000_000

/** The rows that exist, with the number of their places and how many are taken. */
function countStep(view: View, collection: Collection, { of, max, key }: Capacity, ids: readonly string[]): Step {
  const field = collection.fields.get(of)
  const target = view.collections.get(field?.reference?.to ?? '')
  if (!field || !target) throw new Error(`the capacity of ${collection.name} has no reference`)
  const context = view.rawContext()
  const { parameters } = context
  const places = typeof max === 'number' ? undefined : target.fields.get(max.slice(of.length + 1))
  const given = places ? `t.${quoteName(places.column)}` : `${parameters.add(max)}::float8`
  const owner = parameters.add(view.ownerOf(collection))
  const counts = [
    `r.tenant_id = ${owner}`,
    `r.${quoteName(field.column)} = t.id`,
    'r.deleted_at is null',
    ...(key.where ? [whereSql(columnsIn(collection), key.where, { alias: 'r' })] : []),
  ]
  const mayKnow = places === undefined || view.allows(target, places)
  const readable = mayKnow ? `coalesce(${view.rowsSql(context, target, 'read', 't')}, false)` : 'false'
  return [
    `select t.id, t.max, ${readable} as readable,
       case when t.max is null then 0 else
         (select count(*)::int from (select 1 from ${quoteName(collection.table)} r where ${counts.join(' and ')} limit t.max) as found)
       end as taken
     from (select t.*, case when ${given} is not null then least(greatest(floor(${given}::float8), 0), ${MAX_PLACES})::int end as max from ${quoteName(target.table)} t
       where t.tenant_id = ${owner} and t.id = any (${parameters.add(ids)})) as t`,
    parameters.values,
  ]
}
