import { consoleLocale, type Deps, route, Type } from '@larder-dev/larder/kernel'
import { SubmissionSummary } from '../records/summary.ts'
import type { FormServices } from '../services.ts'

export function summaryRoutes({
  product,
  submissionSummaries,
}: Deps<'product'> & Pick<FormServices, 'submissionSummaries'>) {
  const get = route({
    method: 'get',
    path: '/forms/:id/summary',
    operationId: 'getSubmissionSummary',
    summary: 'Counts the submissions of a form by day, and the answers to each question.',
    allow: 'forms.submission.read',
    query: Type.Object({ days: Type.Optional(Type.Integer({ minimum: 1, maximum: 366, default: 30 })) }),
    replies: { 200: SubmissionSummary },
    handle: ({ tenantId, params, query, request }) =>
      submissionSummaries.get(tenantId, params.id, { days: query.days ?? 30, locale: consoleLocale(request, product) }),
  })
  return [get]
}
