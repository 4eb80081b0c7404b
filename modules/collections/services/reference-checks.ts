/** References that a caller writes must lead to rows that the caller can read. */
import type { FieldError, Step, Unit } from '@larder-dev/larder/kernel'
import { all, Parameters } from '../domain/conditions/condition-sql.ts'
import type { Collection, Field } from '../domain/declarations/collection.ts'
import { referenceFields } from '../domain/fields/field-lists.ts'
import { readableSql, type View } from '../domain/rights/view.ts'
import type { Values } from '../domain/rows/row-values.ts'
import { quoteName } from '../domain/tables/sql-literals.ts'
import { missingReference } from './write-errors.ts'

/** Values of a row, and its JSON Pointer in the body. */
export interface CheckedRow {
  readonly values: Values
  readonly pointer: string
}

interface Check {
  readonly field: Field
  readonly target: Collection
}

/**
 * The fields whose references have to be read. For others, the foreign key suffices.
 * @param precisely reads all of them, so that the errors of several rows are found at once.
 */
export function referenceChecks(
  view: View,
  collection: Collection,
  rows: readonly CheckedRow[],
  precisely: boolean,
): Check[] {
  return referenceFields(collection).flatMap(field => {
    const target = field.reference && view.collections.get(field.reference.to)
    if (!target || !(precisely || view.hides(target))) return []
    return rows.some(({ values }) => idsOf(values[field.name]).length > 0) ? [{ field, target }] : []
  })
}

const idsOf = (value: unknown): readonly string[] =>
  typeof value === 'string' ? [value] : Array.isArray(value) ? (value as string[]) : []

/** Locks the referenced rows until the unit ends, so that none is deleted meanwhile. */
export async function referenceErrors(
  unit: Unit,
  view: View,
  checks: readonly Check[],
  rows: readonly CheckedRow[],
): Promise<FieldError[]> {
  const wanted = checks.map(({ field }) => [...new Set(rows.flatMap(({ values }) => idsOf(values[field.name])))].sort())
  const results = await unit.all(checks.map(({ target }, at) => selectStep(view, target, wanted[at] ?? [])))
  return checks.flatMap(({ field }, at) => {
    const found = new Set(results[at]?.rows.map(({ id }) => String(id)))
    return rows.flatMap(({ values, pointer }) =>
      idsOf(values[field.name]).every(id => found.has(id)) ? [] : [missingReference(pointer, field.name)],
    )
  })
}

function selectStep(view: View, target: Collection, ids: readonly string[], locks = true): Step {
  const context = view.sqlContext(new Parameters())
  const where = all([`r.id = any (${context.parameters.add(ids)})`, readableSql(view, context, target, 'r')])
  // Rows of a shared collection can't be locked by other tenants.
  const lock = locks && view.ownerOf(target) === view.tenantId ? ' for key share of r' : ''
  return [`select r.id from ${quoteName(target.table)} r where ${where}${lock}`, context.parameters.values]
}

/** Finds out which references of these rows lead to rows that the caller can read. */
export async function readableReferences(
  unit: Pick<Unit, 'all'>,
  view: View,
  collection: Collection,
  rows: readonly Values[],
): Promise<(name: string, id: unknown) => boolean> {
  const checks = referenceChecks(
    view,
    collection,
    rows.map(values => ({ values, pointer: '' })),
    true,
  )
  if (checks.length === 0) return () => false
  const steps = checks.map(({ field, target }) => {
    const ids = [...new Set(rows.flatMap(values => idsOf(values[field.name])))]
    return selectStep(view, target, ids, false)
  })
  const results = await unit.all(steps)
  const readable = new Map(
    checks.map(({ field }, at) => [field.name, new Set<unknown>(results[at]?.rows.map(({ id }) => id))]),
  )
  return (name, id) => readable.get(name)?.has(id) ?? false
}
