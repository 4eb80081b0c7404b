import { type Deps, job } from '@larder-dev/larder/kernel'

export const jobs = ({ formServices, operator }: Deps<'formServices' | 'operator'>) => [
  job('forms.delete_late_submissions', {
    run: ({ formId }, { tenantId }) => formServices.forms.deleteSubmissions(tenantId ?? operator.tenantId, formId),
  }),
  job('forms.request_confirmation', {
    run: (request, { tenantId }) => formServices.confirmation.sendRequest(tenantId ?? operator.tenantId, request),
  }),
  job('forms.sweep_recipients', { every: '1d', run: () => formServices.recipients.sweep() }),
]
