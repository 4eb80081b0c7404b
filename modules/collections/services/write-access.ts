/** Whether a caller may write a row or a field. */
import {
  common,
  type FieldError,
  fieldError,
  missingPermission,
  type Problem,
  type Wording,
  wording,
} from '@larder-dev/larder/kernel'
import { withSuggestion } from '@larder-dev/larder/kernel/internal'
import { matchesCondition } from '../domain/conditions/condition-match.ts'
import { type ResolvedCondition, testsOf } from '../domain/conditions/resolved-condition.ts'
import type { Action, Collection, Field, Row } from '../domain/declarations/collection.ts'
import { permissionOf } from '../domain/rights/access.ts'
import type { View } from '../domain/rights/view.ts'
import { pointerOf, type Values } from '../domain/rows/row-values.ts'
import { forbiddenActions, problems } from '../problems.ts'

/** Throws `forbidden` if no row of the collection is open to the action, and in tenants that only read a shared one. */
export function assertMay(view: View, collection: Collection, action: Action): void {
  const isOwner = view.ownerOf(collection) === view.tenantId
  if (isOwner && view.rows(collection, action).length > 0) return
  const permission = permissionOf(collection, action)
  throw missingPermission(permission)
}

/** Throws `forbidden` if no row of the collection is open to the caller. */
export function assertMayRead(view: View, collection: Collection): void {
  if (view.rows(collection, 'read').length > 0) return
  const permission = permissionOf(collection, 'read')
  throw missingPermission(permission)
}

/** Throws `field_forbidden`. Fields that the caller can't read are unknown. */
export function assertMayWriteFields(view: View, collection: Collection, given: Values, pointer: string): void {
  const refused: FieldError[] = []
  const unknown: FieldError[] = []
  for (const name of Object.keys(given)) {
    const field = collection.fields.get(name)
    if (!field || view.mayWrite(collection, field)) continue
    const at = pointerOf(pointer, name)
    if (field.private || view.allows(collection, field))
      refused.push(fieldError(at, 'forbidden', wording("can't be set by your roles")))
    else unknown.push(fieldError(at, 'unknown_field', unknownField(view, collection, name)))
  }
  if (unknown.length > 0) throw common.validation_failed({}, { errors: unknown })
  if (refused.length > 0) throw problems.field_forbidden({}, { errors: refused })
}

const unknownField = (view: View, collection: Collection, name: string): Wording => {
  const known = [...collection.fields.values()]
    .filter(field => view.mayWrite(collection, field))
    .map(field => field.name)
  return withSuggestion(wording('is not a known field'), name, known)
}

export const actionForbidden = (action: Action, pointer: string): Problem =>
  forbiddenActions[action](
    {},
    { errors: [fieldError(pointer, 'forbidden', wording("isn't a row that your roles can write"))] },
  )

/** The conditions of an action, one of which a written row must match; undefined for every row. */
export type WriteConditions = readonly ResolvedCondition[] | undefined

export function writeConditions(view: View, collection: Collection, action: Action): WriteConditions {
  const conditions = view.conditions(collection, action)
  return conditions === 'all' ? undefined : conditions
}

/** Whether the written values alone decide: not the rows that the row refers to, nor what PostgreSQL computes. */
export const isOwnCondition = (condition: ResolvedCondition): boolean =>
  testsOf(condition).every(
    ({ path: { field, hops } }) => hops.length === 0 && !(field.kind === 'field' && isMade(field.field)),
  )

/** Whether PostgreSQL makes the value. */
const isMade = ({ type, sequence }: Field): boolean => type === 'computed' || sequence !== undefined

export const matchesAny = (conditions: readonly ResolvedCondition[], row: Row): boolean =>
  conditions.some(condition => isOwnCondition(condition) && matchesCondition(condition, row, () => []))
