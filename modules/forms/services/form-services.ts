/** Wires the services of the forms module. */
import type { Deps } from '@larder-dev/larder/kernel'
import type { FormsOptions } from '../options.ts'
import { createFormCache, type FormCache } from './form-cache.ts'
import { createFormListing, type FormListing } from './form-repository.ts'
import { createFormService, type FormService } from './form-service.ts'
import { createFormValidation } from './form-validation.ts'
import { createRecipientConfirmation, type RecipientConfirmation } from './recipient-confirmation.ts'
import { createRecipientService, type RecipientService } from './recipient-service.ts'
import { createSubmissionIntake, type SubmissionIntake } from './submission-intake.ts'
import { createSubmissionService, type SubmissionService } from './submission-service.ts'
import { createSubmissionSummaries, type SubmissionSummaries } from './submission-summaries.ts'

export interface FormServices {
  readonly cache: FormCache
  readonly listing: FormListing
  readonly forms: FormService
  readonly submissions: SubmissionService
  readonly summaries: SubmissionSummaries
  readonly intake: SubmissionIntake
  readonly recipients: RecipientService
  readonly confirmation: RecipientConfirmation
}

type Needs =
  | 'database'
  | 'systemDatabase'
  | 'events'
  | 'jobs'
  | 'caches'
  | 'clock'
  | 'secrets'
  | 'product'
  | 'operator'
  | 'workerPool'
  | 'log'

export function createFormServices(
  deps: Deps<Needs, 'entitlements' | 'mailer' | 'people' | 'tenantDirectory'>,
  options: FormsOptions,
): FormServices {
  const validation = createFormValidation(deps.workerPool)
  const cache = createFormCache(deps, validation)
  const recipients = createRecipientService(deps)
  const confirmation = createRecipientConfirmation(deps, recipients)
  const listing = createFormListing(deps, recipients)
  return {
    cache,
    listing,
    forms: createFormService(deps, { cache, listing, validation, confirmation }),
    submissions: createSubmissionService(deps),
    summaries: createSubmissionSummaries(deps, listing),
    intake: createSubmissionIntake(deps, options, cache),
    recipients,
    confirmation,
  }
}
