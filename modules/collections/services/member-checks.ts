/** Values of member fields must be current members of the workspace. */
import { type FieldError, fieldError, invalidFields, type Ports, wording } from '@larder-dev/larder/kernel'
import type { Collection } from '../domain/declarations/collection.ts'
import { memberFields } from '../domain/fields/field-lists.ts'
import type { View } from '../domain/rights/view.ts'
import { pointerOf } from '../domain/rows/row-values.ts'
import type { CheckedRow } from './reference-checks.ts'

type People = Pick<Ports['people'], 'memberIds'>

/** Reads the members of all rows in one statement. */
export async function memberErrors(
  people: People | undefined,
  view: View,
  collection: Collection,
  rows: readonly CheckedRow[],
): Promise<FieldError[]> {
  const given = memberFields(collection).flatMap(({ name }) =>
    rows.flatMap(({ values, pointer }) => {
      const id = values[name]
      // The caller is a member.
      return typeof id === 'string' && id !== view.caller?.memberId ? [{ id, pointer: pointerOf(pointer, name) }] : []
    }),
  )
  if (!people || given.length === 0) return []
  const known = new Set(await people.memberIds(view.tenantId, [...new Set(given.map(({ id }) => id))]))
  return given
    .filter(({ id }) => !known.has(id))
    .map(({ pointer }) => fieldError(pointer, 'not_found', wording('must be the ID of a member of the workspace')))
}

export async function assertMembers(...given: Parameters<typeof memberErrors>): Promise<void> {
  const errors = await memberErrors(...given)
  if (errors.length > 0) throw invalidFields(errors)
}
