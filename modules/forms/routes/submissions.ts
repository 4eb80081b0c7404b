import { pipeline } from 'node:stream'
import { type Deps, KIB, listOf, listQuery, OneOf, reply, route, Type } from 'larder/kernel'
import { submitLimit } from './submit-limit.ts'
import { Blank, NewSubmission, Receipt, Submission } from './form-schemas.ts'
import { admit } from '../services/form-cache.ts'

const ENTRY_LIMIT = 256 * KIB

export function submissionRoutes({ forms }: Deps<'forms'>) {
  const { definitions, submissions, submitting } = forms

  const blank = route({
    method: 'get',
    path: '/forms/:id/blank',
    summary: 'What a page of your own needs to show the form, and the token to send along.',
    allow: ['forms.submission.create', 'public'],
    replies: { 200: Blank },
    async handle({ params, caller }) {
      const form = await definitions.find(params.id)
      admit(form, caller)
      return submitting.blank(form)
    },
  })

  const submit = route({
    method: 'post',
    path: '/forms/:id/submit',
    summary: 'Sends an entry. Anybody may where the form is public; what looks like spam is kept apart.',
    allow: ['forms.submission.create', 'public'],
    body: NewSubmission,
    bodyLimit: ENTRY_LIMIT,
    replies: { 201: Receipt },
    limits: [submitLimit(definitions)],
    unit: 'own',
    async handle({ params, body, caller, request }) {
      const form = await definitions.find(params.id)
      const sender = { kind: admit(form, caller), userId: caller?.userId, ip: request.ip }
      const receipt = await submitting.submit(form, body, sender)
      return reply(201, receipt, { location: `/v1/forms/${form.id}/submissions/${receipt.id}` })
    },
  })

  const list = route({
    method: 'get',
    path: '/forms/:id/submissions',
    summary: 'What was sent, newest first, spam included. With Accept: text/csv all of it, oldest first.',
    allow: 'forms.submission.read',
    query: listQuery({
      'filter[spam]': Type.Optional(Type.Boolean()),
      sort: Type.Optional(OneOf(['createdAt', '-createdAt'])),
    }),
    replies: { 200: listOf(Submission) },
    texts: ['text/csv'],
    async handle({ tenantId, params, query, request }) {
      const spam = query['filter[spam]']
      if (!wantsCsv(request.headers.accept)) {
        const oldestFirst = query.sort === 'createdAt'
        return submissions.list(tenantId, params.id, { ...query, spam, oldestFirst })
      }
      const { name, lines } = await submissions.table(tenantId, params.id, spam)
      return reply(200, await csv(lines), {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="${fileName(name)}.csv"`,
      })
    },
  })

  const get = route({
    method: 'get',
    path: '/forms/:id/submissions/:sid',
    summary: 'One submission.',
    allow: 'forms.submission.read',
    replies: { 200: Submission },
    handle: ({ tenantId, params }) => submissions.get(tenantId, params.id, params.sid),
  })

  const remove = route({
    method: 'delete',
    path: '/forms/:id/submissions/:sid',
    summary: 'Deletes a submission for good.',
    allow: 'forms.submission.delete',
    replies: { 204: null },
    handle: ({ tenantId, params }) => submissions.remove(tenantId, params.id, params.sid),
  })

  return [blank, submit, list, get, remove]
}

/** JSON unless CSV is asked for by name. */
const wantsCsv = (accept = ''): boolean =>
  accept.split(',').some(range => /^\s*text\/csv\s*(;|$)/i.test(range) && !/;\s*q=0(\.0*)?\s*(;|$)/i.test(range))

/** RFC 4180, as fast as it is read. What fails in `lines` fails in what is returned. */
async function csv(lines: AsyncIterable<string[]>): Promise<AsyncIterable<Buffer>> {
  const { stringify } = await import('csv-stringify')
  const writer = stringify({ record_delimiter: '\r\n' })
  pipeline(lines, writer, () => undefined)
  return writer
}

const fileName = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '') || 'submissions'
