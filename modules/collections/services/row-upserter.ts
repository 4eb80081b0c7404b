/** Creates a row, or changes the row that has the same value in a unique field. */
import { type Deps, Problem, type Step, type Unit } from 'larder/kernel'
import type { Collection, Field, Row } from '../domain/collection.ts'
import { all, notDeleted, quoteName } from '../domain/condition-sql.ts'
import { badParameter } from '../domain/parameter-errors.ts'
import { pointerOf, type Values } from '../domain/row-values.ts'
import type { View } from '../domain/view.ts'
import { columnValue } from '../domain/write-sql.ts'
import { invalidFields, problems } from '../problems.ts'
import type { RowChanger } from './row-changer.ts'
import type { RowCreator } from './row-creator.ts'
import { takenErrors } from './write-errors.ts'

export interface GivenUpsert {
  /** Name of a unique field. */
  readonly by: string
  readonly given: Values
  readonly pointer: string
}

export interface RowUpserter {
  upsert(
    view: View,
    collection: Collection,
    row: GivenUpsert,
  ): Promise<{ readonly row: Row; readonly created: boolean }>
}

interface Found {
  readonly id: string
  readonly readable: boolean
}

export function createRowUpserter(
  { database }: Deps<'database'>,
  { creator, changer }: { readonly creator: RowCreator; readonly changer: RowChanger },
): RowUpserter {
  /** Two upserts of one value take turns, so that the second changes what the first creates. */
  async function lockAndFind(
    unit: Unit,
    view: View,
    collection: Collection,
    field: Field,
    value: unknown,
  ): Promise<Found | undefined> {
    const key = `${view.tenantId} ${collection.name} ${field.name} ${value}`
    const lock: Step = ['select pg_advisory_xact_lock(hashtextextended($1, 0))', [key]]
    const context = view.rawContext()
    const { parameters } = context
    const where = all([
      `r.tenant_id = ${parameters.add(view.ownerOf(collection))}`,
      `r.${quoteName(field.column)} = ${parameters.add(columnValue(field, value))}`,
      notDeleted(collection, 'r'),
    ])
    const readable = `coalesce(${view.rowsSql(context, collection, 'read', 'r')}, false)`
    const text = `select r.id, ${readable} as readable from ${quoteName(collection.table)} r where ${where}`
    // Each statement of a batch sees what was committed before it began, so the row is read under the lock.
    const [, found] = await unit.batch([lock, [text, parameters.values]])
    return found?.rows[0] as Found | undefined
  }

  return {
    upsert(view, collection, { by, given, pointer }) {
      const field = collection.fields.get(by)
      if (!field?.unique || !view.allows(collection, field))
        throw badParameter('by', 'unknown_field', 'must name a unique field')
      const value = given[by] ?? null
      if (value === null)
        throw invalidFields([{ pointer: pointerOf(pointer, by), code: 'required', detail: 'is required' }])
      return database.tenant(view.tenantId).transaction(async unit => {
        const found = await lockAndFind(unit, view, collection, field, value)
        if (!found) {
          const [row] = await creator.create(view, collection, [{ given, pointer }])
          return { row: row as Row, created: true }
        }
        if (!found.readable) throw problems.value_taken({}, { errors: takenErrors([by], pointer) })
        const { [by]: _, ...rest } = withoutConstants(collection, given)
        const row = await changer.update(view, collection, { id: found.id, given: rest, headers: {}, pointer })
        return { row, created: false }
      })
    },
  }
}

/** Fields that are set once keep their values. */
const withoutConstants = (collection: Collection, given: Values): Values =>
  Object.fromEntries(Object.entries(given).filter(([name]) => collection.fields.get(name)?.writeOnce !== true))

/** Points the problem of a batch to its operation. Unexpected errors stay as they are. */
export function withIndex(error: unknown, index: number): unknown {
  if (!Problem.is(error) || error.status >= 500) return error
  const errors = error.extras.errors ?? [{ pointer: `/operations/${index}`, code: error.code, detail: 'failed' }]
  return new Problem(error.code, error.status, error.message, { ...error.extras, errors }, error.headers)
}
