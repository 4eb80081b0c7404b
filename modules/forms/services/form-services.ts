/** Wires the services of the forms module. */
import type { Deps } from 'larder/kernel'
import type { FormsOptions } from '../options.ts'
import { createFormCache, type FormCache } from './form-cache.ts'
import { createFormListing, type FormListing } from './form-repository.ts'
import { createFormService, type FormService } from './form-service.ts'
import { createFormValidation } from './form-validation.ts'
import { createSubmissionIntake, type SubmissionIntake } from './submission-intake.ts'
import { createSubmissionService, type SubmissionService } from './submission-service.ts'

export interface FormServices {
  readonly cache: FormCache
  readonly listing: FormListing
  readonly forms: FormService
  readonly submissions: SubmissionService
  readonly intake: SubmissionIntake
}

type Needs =
  | 'database'
  | 'systemDatabase'
  | 'models'
  | 'events'
  | 'jobs'
  | 'bus'
  | 'clock'
  | 'secrets'
  | 'product'
  | 'operator'
  | 'workerPool'

export function createFormServices(deps: Deps<Needs, 'entitlements'>, options: FormsOptions): FormServices {
  const validation = createFormValidation(deps.workerPool)
  const cache = createFormCache(deps, validation)
  return {
    cache,
    listing: createFormListing(deps),
    forms: createFormService(deps, cache, validation),
    submissions: createSubmissionService(deps),
    intake: createSubmissionIntake(deps, options, cache),
  }
}
