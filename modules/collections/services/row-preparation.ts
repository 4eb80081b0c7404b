/** Rows that are about to be created: their values, and the conditions that they must match. */
import { type FieldError, newId, type Unit } from '@larder-dev/larder/kernel'
import { all, any, conditionSql } from '../domain/conditions/condition-sql.ts'
import type { ResolvedCondition } from '../domain/conditions/resolved-condition.ts'
import type { Collection, Row } from '../domain/declarations/collection.ts'
import type { Creation } from '../domain/fields/defaults.ts'
import type { View } from '../domain/rights/view.ts'
import { newValues, type Values } from '../domain/rows/row-values.ts'
import type { RowFacts } from '../domain/rows/write-sql.ts'
import { quoteName } from '../domain/tables/sql-literals.ts'
import { assertMayChoose, firstStateErrors } from './state-checks.ts'
import type { UniqueRow } from './unique-values.ts'
import { assertMayWriteFields, isOwnCondition, type WriteConditions } from './write-access.ts'

export interface GivenRow {
  readonly given: Values
  /** JSON Pointer in the body. */
  readonly pointer: string
  /** Values of hooks, which may set every field. */
  readonly fromHooks?: Values
  /** Numbers and states of rows that an import brings along. They are not those that a new row has otherwise. */
  readonly kept?: Values | undefined
}

export interface PreparedRow extends UniqueRow {
  /** Fields that a hook set to another value than the caller sent. */
  readonly notSent?: readonly string[]
  readonly facts: RowFacts
}

/** @param now milliseconds. */
export const creationBy = ({ caller }: Pick<View, 'caller'>, now: number): Creation => ({
  member: caller?.memberId || null,
  user: caller?.userId ?? null,
  now,
})

/** Adds the errors of values to `found`. Throws `field_forbidden` and `validation_failed`. */
export function prepareRow(
  view: View,
  collection: Collection,
  { given, pointer, fromHooks, kept }: GivenRow,
  now: number,
  found: FieldError[],
): PreparedRow {
  assertMayWriteFields(view, collection, given, pointer)
  assertMayChoose(view, collection, given, pointer)
  const all = fromHooks || kept ? { ...given, ...fromHooks, ...kept } : given
  const { values, generated, errors } = newValues(collection, all, creationBy(view, now), pointer)
  found.push(...errors, ...firstStateErrors(collection, values, pointer, kept))
  const createdBy = view.caller?.userId ?? null
  return {
    values,
    generated,
    pointer,
    ...(fromHooks && { notSent: Object.keys(fromHooks).filter(name => fromHooks[name] !== given[name]) }),
    facts: {
      id: newId(collection.idPrefix, now),
      createdAt: now,
      updatedAt: now,
      createdBy,
      revision: 1,
      ...(view.isGuest && { guest: true }),
    },
  }
}

/** The row as the API returns it, without computed fields. */
export const rowOf = ({ facts, values }: Pick<PreparedRow, 'facts' | 'values'>): Row => ({
  id: facts.id,
  createdAt: new Date(facts.createdAt).toISOString(),
  updatedAt: new Date(facts.updatedAt).toISOString(),
  createdBy: facts.createdBy,
  revision: facts.revision,
  ...values,
})

/** The conditions of creation, if one of them depends on rows that the new row refers to. */
export const linkedConditions = (conditions: WriteConditions): WriteConditions =>
  conditions?.every(isOwnCondition) ? undefined : conditions

/** The written rows that match none of the conditions. */
export async function rowsOutside(
  unit: Unit,
  view: View,
  collection: Collection,
  rows: readonly PreparedRow[],
  conditions: readonly ResolvedCondition[],
): Promise<PreparedRow[]> {
  const context = view.rawContext()
  const allowed = any(conditions.map(condition => conditionSql(context, collection, condition, 'r')))
  const where = all([`r.id = any (${context.parameters.add(rows.map(({ facts }) => facts.id))})`, allowed])
  const { rows: matching } = await unit.query<{ id: string }>(
    `select r.id from ${quoteName(collection.table)} r where ${where}`,
    context.parameters.values,
  )
  const found = new Set(matching.map(({ id }) => id))
  return rows.filter(({ facts }) => !found.has(facts.id))
}
