import { pipeline } from 'node:stream'
import {
  type Deps,
  KIB,
  listOf,
  listQuery,
  OneOf,
  reply,
  route,
  Type,
  wantsCsv,
  workerPoolProblems,
} from '@larder-dev/larder/kernel'
import { negotiateLocale } from '@larder-dev/larder/kernel/internal'
import { problems } from '../problems.ts'
import { BlankForm, NewSubmission, Receipt, Submission, SubmissionPatch } from '../records/submission.ts'
import { authorizeSubmission } from '../services/submission-access.ts'
import type { FormServices } from '../services.ts'
import { submitLimit } from './submit-limit.ts'

/** Bytes. */
const MAX_SUBMISSION_SIZE = 256 * KIB

type RouteDeps = Deps<'product'> & Pick<FormServices, 'formCache' | 'submissions' | 'submissionIntake'>

export function submissionRoutes({ product, formCache, submissions, submissionIntake }: RouteDeps) {
  const blank = route({
    method: 'get',
    path: '/forms/:id/blank',
    operationId: 'getBlankForm',
    summary:
      'Returns the schema of a form in the language of the reader, and a token, for a page that collects submissions.',
    allow: ['forms.submission.create', 'public'],
    replies: { 200: BlankForm },
    async handle({ params, caller, request: { headers } }) {
      const form = await formCache.find(params.id)
      authorizeSubmission(form, caller)
      return submissionIntake.blank(form, negotiateLocale(headers['accept-language'], product.locales))
    },
  })

  const submit = route({
    method: 'post',
    path: '/forms/:id/submit',
    operationId: 'submitForm',
    summary: 'Submits a form. Public forms need no sign-in. Spam is stored and marked.',
    allow: ['forms.submission.create', 'public'],
    body: NewSubmission,
    bodyLimit: MAX_SUBMISSION_SIZE,
    replies: { 201: Receipt },
    problems: [workerPoolProblems.worker_pool_busy, 'entitlement_exceeded', problems.form_full, problems.row_refused],
    limits: [submitLimit(formCache)],
    // No unit: it would hold a connection while the submission is validated. The form may be of another workspace.
    unit: 'across',
    async handle({ params, body, caller, request }) {
      const form = await formCache.find(params.id)
      const submitter = { kind: authorizeSubmission(form, caller), caller, ip: request.ip }
      const receipt = await submissionIntake.submit(form, body, submitter)
      return reply(201, receipt, { location: `/v1/forms/${form.id}/submissions/${receipt.id}` })
    },
  })

  const list = route({
    method: 'get',
    path: '/forms/:id/submissions',
    operationId: 'listSubmissions',
    summary: 'Lists submissions, spam included, newest first. `Accept: text/csv` exports all of them, oldest first.',
    allow: 'forms.submission.read',
    query: listQuery({ sort: Type.Optional(OneOf(['createdAt', '-createdAt'])) }),
    filters: { spam: Type.Boolean() },
    replies: { 200: listOf(Submission) },
    texts: ['text/csv'],
    async handle({ tenantId, params, query, filters: { spam }, request }) {
      if (!wantsCsv(request.headers.accept)) {
        const oldestFirst = query.sort === 'createdAt'
        return submissions.list(tenantId, params.id, { ...query, spam, oldestFirst })
      }
      const { name, rows } = await submissions.table(tenantId, params.id, spam)
      return reply(200, await csv(rows), {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="${fileName(name)}.csv"`,
      })
    },
  })

  const get = route({
    method: 'get',
    path: '/forms/:id/submissions/:sid',
    operationId: 'getSubmission',
    summary: 'Returns a submission.',
    allow: 'forms.submission.read',
    replies: { 200: Submission },
    handle: ({ tenantId, params }) => submissions.get(tenantId, params.id, params.sid),
  })

  const update = route({
    method: 'patch',
    path: '/forms/:id/submissions/:sid',
    operationId: 'updateSubmission',
    summary: 'Marks a submission as spam or not spam, or changes its note.',
    allow: 'forms.submission.update',
    body: SubmissionPatch,
    replies: { 200: Submission },
    problems: [problems.form_full, problems.row_refused],
    handle: ({ tenantId, params, body }) => submissions.update(tenantId, params.id, params.sid, body),
  })

  const remove = route({
    method: 'delete',
    path: '/forms/:id/submissions/:sid',
    operationId: 'deleteSubmission',
    summary: 'Deletes a submission.',
    allow: 'forms.submission.delete',
    replies: { 204: null },
    handle: ({ tenantId, params }) => submissions.remove(tenantId, params.id, params.sid),
  })

  return [blank, submit, list, get, update, remove]
}

/** Streams RFC 4180. An error in `rows` destroys the returned stream. */
async function csv(rows: AsyncIterable<string[]>): Promise<AsyncIterable<Buffer>> {
  const { stringify } = await import('csv-stringify')
  const writer = stringify({ record_delimiter: '\r\n' })
  pipeline(rows, writer, () => undefined)
  return writer
}

const fileName = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '') || 'submissions'
