import { type Deps, route, Type } from '@larder-dev/larder/kernel'
import { SubmissionSummary } from '../records/summary.ts'

export function summaryRoutes({ formServices: { summaries } }: Deps<'formServices'>) {
  const get = route({
    method: 'get',
    path: '/forms/:id/summary',
    operationId: 'getSubmissionSummary',
    summary: 'Counts the submissions of a form by day, and the answers to each question.',
    allow: 'forms.submission.read',
    query: Type.Object({ days: Type.Optional(Type.Integer({ minimum: 1, maximum: 366, default: 30 })) }),
    replies: { 200: SubmissionSummary },
    handle: ({ tenantId, params, query }) => summaries.get(tenantId, params.id, query.days ?? 30),
  })
  return [get]
}
