/** Finds out which rows of a collection without hooks could not be created, without creating any. */
import { type Deps, type FieldError, Problem, type Unit } from '@larder-dev/larder/kernel'
import type { Collection } from '../domain/declarations/collection.ts'
import type { View } from '../domain/rights/view.ts'
import { insertSteps } from '../domain/rows/write-sql.ts'
import { findFull, type Places } from './capacities.ts'
import { fileErrors } from './file-checks.ts'
import { memberErrors } from './member-checks.ts'
import { findOverlaps } from './overlaps.ts'
import { referenceChecks, referenceErrors } from './reference-checks.ts'
import { rollBack } from './roll-back.ts'
import { type GivenRow, linkedConditions, type PreparedRow, prepareRow, rowOf, rowsOutside } from './row-preparation.ts'
import { takenIn, withFreeSlugs } from './unique-values.ts'
import { actionForbidden, assertMay, isOwnCondition, matchesAny, writeConditions } from './write-access.ts'

export interface RowChecker {
  /**
   * Returns the errors of all rows, with pointers. Limits of the plan are not checked.
   * @param places what earlier rows take, which are not written either. Those of these rows are added.
   */
  errorsOf(view: View, collection: Collection, rows: readonly GivenRow[], places?: Places): Promise<FieldError[]>
}

export function createRowChecker({
  database,
  clock,
  mediaItems,
  people,
}: Deps<'database' | 'clock', 'mediaItems' | 'people'>): RowChecker {
  /** Which rows match a condition over other rows depends on foreign keys, so they are written and rolled back. */
  async function refusedRows(view: View, collection: Collection, rows: readonly PreparedRow[]): Promise<PreparedRow[]> {
    const conditions = linkedConditions(writeConditions(view, collection, 'create'))
    if (!conditions || rows.length === 0) return []
    let refused: PreparedRow[] = []
    await rollBack<Unit>(
      work => database.tenant(view.tenantId).transaction(work),
      async unit => {
        const numbered = await withFreeSlugs(unit, view, collection, rows)
        await unit.all(insertSteps(view.tenantId, collection, numbered))
        refused = await rowsOutside(unit, view, collection, numbered, conditions)
      },
    )
    return refused
  }

  return {
    async errorsOf(view, collection, given, places) {
      assertMay(view, collection, 'create')
      const found: FieldError[] = []
      const valid = () => rows.filter(({ pointer }) => !found.some(error => isWithin(error.pointer, pointer)))
      const rows = given.flatMap(row => {
        try {
          return [prepareRow(view, collection, row, clock.now(), found)]
        } catch (error) {
          if (!Problem.is(error)) throw error
          found.push(...((error.extras.errors ?? []) as FieldError[]))
          return []
        }
      })
      const conditions = writeConditions(view, collection, 'create')
      if (conditions?.every(isOwnCondition))
        for (const row of rows) if (!matchesAny(conditions, rowOf(row))) found.push(...forbidden(row.pointer))
      found.push(...(await fileErrors(mediaItems, view, collection, rows)))
      found.push(...(await memberErrors(people, view, collection, rows)))
      const unit = database.tenant(view.tenantId)
      const checks = referenceChecks(view, collection, rows, true)
      if (checks.length > 0) found.push(...(await referenceErrors(unit, view, checks, rows)))
      // A generated slug gets a number if it is taken.
      const chosen = rows.map(row => ({
        ...row,
        values: { ...row.values, ...Object.fromEntries(row.generated.map(name => [name, null])) },
      }))
      found.push(...(await takenIn(unit, view, collection, chosen)))
      found.push(...(await findOverlaps(unit, view, collection, rows)).errors)
      found.push(...(await findFull(unit, view, collection, valid(), places)))
      for (const { pointer } of await refusedRows(view, collection, valid())) found.push(...forbidden(pointer))
      return withoutRepeats(found)
    },
  }
}

const isWithin = (pointer: string, row: string): boolean => pointer === row || pointer.startsWith(`${row}/`)
const forbidden = (pointer: string): FieldError[] => actionForbidden('create', pointer).extras.errors as FieldError[]

/** A field can be taken both alone and together with another one. */
function withoutRepeats(errors: readonly FieldError[]): FieldError[] {
  const seen = new Set<string>()
  return errors.filter(({ pointer, code }) => !seen.has(`${pointer} ${code}`) && seen.add(`${pointer} ${code}`))
}
