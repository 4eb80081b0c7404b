/** Creates a row, or changes the row that has the same value in a unique field. */
import {
  type Deps,
  type FieldError,
  fieldError,
  invalidFields,
  locksStep,
  Problem,
  type Step,
  type Unit,
  withErrors,
  wording,
} from '@larder-dev/larder/kernel'
import { all, notDeleted } from '../domain/conditions/condition-sql.ts'
import type { Collection, Field, Row } from '../domain/declarations/collection.ts'
import { badParameter } from '../domain/queries/parameter-errors.ts'
import type { View } from '../domain/rights/view.ts'
import { pointerOf, type Values } from '../domain/rows/row-values.ts'
import { columnValue } from '../domain/rows/write-sql.ts'
import { quoteName } from '../domain/tables/sql-literals.ts'
import { problems } from '../problems.ts'
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
  /** Lets other upserts of these values wait, always in the same order. Returns the IDs of the rows that have them. */
  reserve(unit: Unit, view: View, collection: Collection, rows: readonly GivenUpsert[]): Promise<string[]>
}

interface Found {
  readonly id: string
  readonly readable: boolean
}

type UpserterDeps = Deps<'database'> & { readonly creator: RowCreator; readonly changer: RowChanger }

export function createRowUpserter({ database, creator, changer }: UpserterDeps): RowUpserter {
  return {
    upsert(view, collection, { by, given, pointer }) {
      const field = uniqueField(view, collection, by)
      if (!field) throw badParameter('by', 'unknown_field', wording('must name a unique field'))
      const value = given[by] ?? null
      if (value === null) throw invalidFields([fieldError(pointerOf(pointer, by), 'required', wording('is required'))])
      return database.tenant(view.tenantId).transaction(async unit => {
        const [found] = await lockAndFind(unit, view, collection, [{ field, value }])
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
    async reserve(unit, view, collection, rows) {
      // Wrong fields and missing values are reported when the row is written.
      const wanted = rows.flatMap(({ by, given }): FieldValue[] => {
        const field = uniqueField(view, collection, by)
        const value = given[by] ?? null
        return field && value !== null ? [{ field, value }] : []
      })
      const found = wanted.length > 0 ? await lockAndFind(unit, view, collection, wanted) : []
      return found.flatMap(row => (row ? [row.id] : []))
    },
  }
}

interface FieldValue {
  readonly field: Field
  readonly value: unknown
}

/** A unique field that the caller can read. */
function uniqueField(view: View, collection: Collection, name: string): Field | undefined {
  const field = collection.fields.get(name)
  return field?.unique && view.allows(collection, field) ? field : undefined
}

/** Two upserts of one value take turns, so that the second changes what the first creates. The rows as `wanted`. */
async function lockAndFind(
  unit: Unit,
  view: View,
  collection: Collection,
  wanted: readonly FieldValue[],
): Promise<(Found | undefined)[]> {
  const keys = wanted.map(({ field, value }) => [view.tenantId, collection.name, field.name, String(value)])
  // Each statement of a batch sees what was committed before it began, so the rows are read under the locks.
  const [, ...found] = await unit.all([
    locksStep('collections.upserts', keys),
    ...wanted.map(each => findStep(view, collection, each)),
  ])
  return found.map(({ rows }) => rows[0] as Found | undefined)
}

function findStep(view: View, collection: Collection, { field, value }: FieldValue): Step {
  const context = view.rawContext()
  const { parameters } = context
  const where = all([
    `r.tenant_id = ${parameters.add(view.ownerOf(collection))}`,
    `r.${quoteName(field.column)} = ${parameters.add(columnValue(field, value))}`,
    notDeleted(collection, 'r'),
  ])
  const readable = `coalesce(${view.rowsSql(context, collection, 'read', 'r')}, false)`
  return [
    `select r.id, ${readable} as readable from ${quoteName(collection.table)} r where ${where}`,
    parameters.values,
  ]
}

/** Fields that are set once keep their values. */
const withoutConstants = (collection: Collection, given: Values): Values =>
  Object.fromEntries(Object.entries(given).filter(([name]) => collection.fields.get(name)?.writeOnce !== true))

/** Points the problem of a batch to its operation. Unexpected errors stay as they are. */
export function withIndex(error: unknown, index: number): unknown {
  if (!Problem.is(error) || error.status >= 500) return error
  const errors = error.extras.errors ?? [fieldError(`/operations/${index}`, error.code, wording('failed'))]
  return withErrors(error, errors as readonly FieldError[])
}
