/** Values of unique fields: free slugs, and values that are taken. */
import { type FieldError, lockStep, type Step, type Unit } from '@larder-dev/larder/kernel'
import type { Collection, Field } from '../domain/declarations/collection.ts'
import { freeSlug } from '../domain/fields/slug.ts'
import type { View } from '../domain/rights/view.ts'
import { keyValues, uniqueKeys } from '../domain/rows/unique-keys.ts'
import { takenStep } from '../domain/rows/write-sql.ts'
import { quoteName } from '../domain/tables/sql-literals.ts'
import type { CheckedRow } from './reference-checks.ts'
import { takenErrors } from './write-errors.ts'

/** A row that is about to be created. */
export interface UniqueRow extends CheckedRow {
  /** Names of the fields whose slug was made from another field. */
  readonly generated: readonly string[]
}

/**
 * Transactions that look for a free number, or that write unique values of several rows, take turns: in opposite
 * orders, they would wait for each other.
 */
export const mustTakeTurns = (collection: Collection): boolean =>
  uniqueKeys(collection).length > 0 || collection.noOverlap !== undefined || collection.capacity !== undefined
export const turnStep = ({ tenantId }: View, { name }: Collection): Step =>
  lockStep('collections.unique_values', tenantId, name)

/** Gives generated slugs a number if they are taken, by other rows or in this list. */
export async function withFreeSlugs<R extends UniqueRow>(
  unit: Unit,
  view: View,
  collection: Collection,
  rows: readonly R[],
): Promise<R[]> {
  const fields = [...collection.fields.values()].filter(
    ({ name, unique }) => unique && rows.some(({ generated }) => generated.includes(name)),
  )
  if (fields.length === 0) return [...rows]
  // Each statement of a batch sees what was committed before it began, so the slugs are read under the lock.
  const [, ...results] = await unit.all([
    turnStep(view, collection),
    ...fields.map(field => slugsStep(view, collection, field, rows)),
  ])
  const taken = new Map(
    fields.map(({ name }, at) => [name, new Set(results[at]?.rows.map(({ slug }) => String(slug)))]),
  )
  return rows.map(row => {
    const values: Record<string, unknown> = { ...row.values }
    for (const { name, maxLength } of fields) {
      const known = taken.get(name) ?? new Set()
      if (row.generated.includes(name)) values[name] = freeSlug(String(values[name]), known, maxLength)
      known.add(String(values[name]))
    }
    return { ...row, values }
  })
}

/** The slugs that begin with one of the generated ones. */
function slugsStep({ tenantId }: View, { table }: Collection, field: Field, rows: readonly UniqueRow[]): Step {
  const column = quoteName(field.column)
  const starts = rows.flatMap(({ generated, values }) =>
    generated.includes(field.name) ? [String(values[field.name])] : [],
  )
  return [
    `select r.${column} as slug from ${quoteName(table)} r join unnest($2::text[]) as given (slug)
       on r.${column} = given.slug or (r.${column} >= given.slug || '-' and r.${column} < given.slug || '.')
     where r.tenant_id = $1 and r.deleted_at is null`,
    [tenantId, [...new Set(starts)]],
  ]
}

/** Values of unique fields that other rows have: rows of the table, or earlier rows of the list. */
export async function takenIn(
  unit: Unit,
  view: View,
  collection: Collection,
  rows: readonly UniqueRow[],
): Promise<FieldError[]> {
  const keys = uniqueKeys(collection)
  const found: FieldError[] = []
  const wanted = keys.map(key => {
    const seen = new Set<string>()
    return rows.filter(({ values, pointer }) => {
      const tuple = keyValues(collection, key, values)
      if (!tuple) return false
      const text = JSON.stringify(tuple)
      if (seen.has(text)) found.push(...takenErrors(key.fields, pointer))
      seen.add(text)
      return true
    })
  })
  const steps = keys.map((key, at) => {
    const tuples = (wanted[at] ?? []).map(({ values }) => key.fields.map(name => values[name]))
    return takenStep(view.tenantId, collection, key, tuples)
  })
  const results = await unit.all(steps)
  for (const [at, { rows: positions }] of results.entries())
    for (const { at: position } of positions) {
      const row = wanted[at]?.[Number(position) - 1]
      if (row) found.push(...takenErrors(keys[at]?.fields ?? [], row.pointer))
    }
  return found
}
