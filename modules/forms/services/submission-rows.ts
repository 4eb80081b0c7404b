/** Rows that submissions create, as the recipe says under `into`. */
import {
  type Caller,
  type Deps,
  type FieldError,
  invalidFields,
  Problem,
  type RecipeView,
} from '@larder-dev/larder/kernel'
import { entryErrorsOf, rowValues } from '../domain/row-values.ts'
import type { Json } from '../domain/schema-traversal.ts'
import { problems } from '../problems.ts'
import type { Into, Sections } from '../recipe/sections.ts'

export interface SubmissionRows {
  /** Creates the row of a submission of this form, in the surrounding unit. Undefined if its submissions create none. */
  of(form: { readonly key: string | null; readonly tenantId: string }): CreateRow | undefined
}
/**
 * Returns the ID; null if a visitor sends a value that another row has. Throws `validation_failed` with pointers below
 * `/data`, `row_refused`, and `form_full` for a visitor.
 */
export type CreateRow = (data: Json, caller: Caller | undefined) => Promise<string | null>

export function createSubmissionRows(
  { collections }: Deps<never, 'collections'>,
  _options: unknown,
  { sections: { forms = {} } }: RecipeView<Sections>,
): SubmissionRows {
  return {
    of({ key, tenantId }) {
      const into = key === null ? undefined : forms[key]?.into
      if (!into || !collections) return undefined
      return (data, caller) =>
        collections
          .submit(into.collection, { tenantId, caller }, rowValues(into.map, data))
          .catch(error => rethrow(into, error))
    },
  }
}

/** A problem of the row, in terms of the form. */
function rethrow({ map }: Into, error: unknown): never {
  if (!Problem.is(error) || error.status >= 500) throw error
  // Visitors must not learn about the workspace's plan.
  if (error.code === 'guest_rows_full') throw problems.form_full()
  if (error.code === 'entitlement_exceeded') throw error
  const errors = entryErrorsOf(map, (error.extras.errors ?? []) as readonly FieldError[])
  if (errors.length > 0) throw invalidFields(errors.map(each => ({ ...each, pointer: `/data${each.pointer}` })))
  throw problems.row_refused({ reason: error.wording })
}
