import { type Deps, job } from '@larder-dev/larder/kernel'
import type { FormServices } from './services.ts'

type JobDeps = Deps<'operator'> & Pick<FormServices, 'forms' | 'recipientConfirmation' | 'recipients'>

export const jobs = ({ operator, forms, recipientConfirmation, recipients }: JobDeps) => [
  job('forms.delete_late_submissions', {
    run: ({ formId }, { tenantId }) => forms.deleteSubmissions(tenantId ?? operator.tenantId, formId),
  }),
  job('forms.request_confirmation', {
    run: (request, { tenantId }) => recipientConfirmation.sendRequest(tenantId ?? operator.tenantId, request),
  }),
  job('forms.sweep_recipients', { every: '1d', run: () => recipients.sweep() }),
]
