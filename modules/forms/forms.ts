/** The services of forms, made once. */
import type { Deps } from 'larder/kernel'
import type { FormsOptions } from './options.ts'
import { createDefinitions } from './services/definitions.ts'
import { createEditing } from './services/editing.ts'
import { createFormRows } from './services/form-rows.ts'
import { createSubmissions } from './services/submissions.ts'
import { createSubmitting } from './services/submitting.ts'

export const NEEDS = ['database', 'events', 'jobs', 'bus', 'clock', 'secrets', 'product', 'operator', 'log'] as const
export type FormsNeeds = (typeof NEEDS)[number]

export function createForms(deps: Deps<FormsNeeds, 'entitlements'>, options: FormsOptions) {
  const definitions = createDefinitions(deps)
  return {
    definitions,
    rows: createFormRows(deps),
    editing: createEditing(deps, definitions),
    submissions: createSubmissions(deps),
    submitting: createSubmitting(deps, options, definitions),
  }
}
export type Forms = ReturnType<typeof createForms>
