/** Private services of forms. */
import type { ServicesOf } from '@larder-dev/larder/kernel'
import { createFormCache } from './services/form-cache.ts'
import { createFormListing } from './services/form-repository.ts'
import { createFormService } from './services/form-service.ts'
import { createFormValidation } from './services/form-validation.ts'
import { createRecipientConfirmation } from './services/recipient-confirmation.ts'
import { createRecipientService } from './services/recipient-service.ts'
import { createSubmissionIntake } from './services/submission-intake.ts'
import { createSubmissionRows } from './services/submission-rows.ts'
import { createSubmissionService } from './services/submission-service.ts'
import { createSubmissionSummaries } from './services/submission-summaries.ts'

export const services = {
  formCache: createFormCache,
  formListing: createFormListing,
  formValidation: createFormValidation,
  forms: createFormService,
  recipientConfirmation: createRecipientConfirmation,
  recipients: createRecipientService,
  submissionIntake: createSubmissionIntake,
  submissionRows: createSubmissionRows,
  submissions: createSubmissionService,
  submissionSummaries: createSubmissionSummaries,
}
export type FormServices = ServicesOf<typeof services>
