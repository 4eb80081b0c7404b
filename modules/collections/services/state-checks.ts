/** Whether a row may come into a state: from its former one, and by the roles of the caller. */
import { type FieldError, fieldError, wording } from '@larder-dev/larder/kernel'
import type { Collection, Field, Row } from '../domain/declarations/collection.ts'
import { stateFields } from '../domain/fields/field-lists.ts'
import { nextStates } from '../domain/fields/states.ts'
import type { View } from '../domain/rights/view.ts'
import { pointerOf, type Values } from '../domain/rows/row-values.ts'
import { problems } from '../problems.ts'

/** Errors of a new row whose state can't be the first one. @param kept values of an import, which can be any state. */
export const firstStateErrors = (
  collection: Collection,
  values: Values,
  pointer: string,
  kept: Values = {},
): FieldError[] =>
  stateFields(collection).flatMap(field => {
    if (field.name in kept) return []
    const state = values[field.name] ?? null
    const { values: known = [], default: standard } = field
    // The check of the value reports others. Without a default, a row may have no state yet.
    if (state === null ? standard === undefined : !known.includes(String(state))) return []
    const first = nextStates(field, null)
    if (first.includes(String(state))) return []
    const detail =
      first.length > 1
        ? wording('must be one of {allowed} in a new row', { allowed: first })
        : wording('must be {allowed} in a new row', { allowed: first })
    return [fieldError(pointerOf(pointer, field.name), 'state', detail)]
  })

/** Throws `field_forbidden`. @param given by the caller, not by hooks and defaults. @param before of a change. */
export function assertMayChoose(
  view: View,
  collection: Collection,
  given: Values,
  pointer: string,
  before: Values = {},
): void {
  const refused = stateFields(collection).filter(
    field =>
      typeof given[field.name] === 'string' &&
      given[field.name] !== (before[field.name] ?? (before.id === undefined ? field.default : undefined)) &&
      !mayChoose(view, collection, field, String(given[field.name])),
  )
  if (refused.length === 0) return
  const errors = refused.map(({ name }) =>
    fieldError(
      pointerOf(pointer, name),
      'forbidden',
      wording("can't become {state} by your roles", { state: String(given[name]) }),
    ),
  )
  throw problems.field_forbidden({}, { errors })
}

/** Throws `transition_refused`. @param written the values that change. */
export function assertTransitions(
  view: View,
  collection: Collection,
  before: Row,
  written: Values,
  pointer: string,
): void {
  const refused = stateFields(collection).filter(
    field =>
      field.name in written &&
      (written[field.name] ?? null) !== (before[field.name] ?? null) &&
      !nextStates(field, before[field.name]).includes(String(written[field.name])),
  )
  if (refused.length === 0) return
  const errors = refused.map(field =>
    fieldError(pointerOf(pointer, field.name), 'transition', reasonOf(view, collection, field, before, written)),
  )
  // Those who can't read the field don't learn its value.
  const shown = refused.filter(field => view.allows(collection, field))
  const allowed = Object.fromEntries(shown.map(field => [field.name, allowedStates(view, collection, field, before)]))
  throw problems.transition_refused({}, { errors, allowed })
}

function reasonOf(view: View, collection: Collection, field: Field, before: Row, written: Values) {
  const [from, to] = [before[field.name] ?? null, written[field.name] ?? null]
  if (!view.allows(collection, field)) return wording("can't become this value now")
  if (to === null) return wording("can't be removed")
  if (from === null) return wording("can't become {to} first", { to: String(to) })
  return wording("can't become {to} after {from}", { to: String(to), from: String(from) })
}

const allowedStates = (view: View, collection: Collection, field: Field, before: Row): string[] =>
  nextStates(field, before[field.name]).filter(state => mayChoose(view, collection, field, state))

/** Whether the caller could bring a row into any state: no state of another role is passed over. */
export const mayChooseAll = (view: View, collection: Collection, field: Field): boolean =>
  view.rows(collection, 'update').length > 0 &&
  (field.values ?? []).every(state => mayChoose(view, collection, field, state))

const mayChoose = (view: View, collection: Collection, field: Field, state: string): boolean => {
  const roles = field.states?.roles.get(state)
  return roles === undefined || view.mayWrite(collection, { ...field, writeRoles: roles })
}
