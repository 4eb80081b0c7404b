/** The services of forms, made once. */
import type { Deps } from 'larder/kernel'
import type { FormsOptions } from '../options.ts'
import { createDefinitions } from './form-cache.ts'
import { createEditing } from './form-service.ts'
import { createFormRows } from './form-repository.ts'
import { createSubmissions } from './submission-service.ts'
import { createSubmitting } from './intake-service.ts'

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
