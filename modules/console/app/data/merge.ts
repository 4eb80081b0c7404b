/** Merges an edit with a change that someone else saved first. Pure. */
import { type Field, type FormValues, isSame } from './form-model.ts'

export interface Merge {
  /** Fields that both changed, to different values. */
  readonly conflicts: readonly Field[]
  /** The current record with the edits of the other fields; conflicts have the typed value. */
  readonly merged: FormValues
}

/**
 * @param before the values that the edit started with.
 * @param mine the values in the form.
 * @param theirs the values of the current record.
 */
export function mergeEdits(fields: readonly Field[], before: FormValues, mine: FormValues, theirs: FormValues): Merge {
  const changedByMe = fields.filter(({ name }) => !isSame(mine[name], before[name]))
  const conflicts = changedByMe.filter(
    ({ name }) => !isSame(theirs[name], before[name]) && !isSame(theirs[name], mine[name]),
  )
  const merged = { ...theirs, ...Object.fromEntries(changedByMe.map(({ name }) => [name, mine[name] ?? ''])) }
  return { conflicts, merged }
}
