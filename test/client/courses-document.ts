/** The API document of a small product with two collections, as the generator reads it. */
import type { ApiDocument } from '../../bin/client/document.ts'

const text = { type: 'string' } as const
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const jsonOf = (name: string) => ({ content: { 'application/json': { schema: ref(name) } } })
const problems = (...names: string[]) => ({
  content: { 'application/problem+json': { schema: { anyOf: names.map(ref) } } },
})
const problemSchema = (code: string, status: number, more: Record<string, object> = {}) => ({
  allOf: [
    ref('Problem'),
    {
      type: 'object',
      required: ['code', 'status', ...Object.keys(more)],
      properties: { code: { type: 'string', enum: [code] }, status: { type: 'integer', enum: [status] }, ...more },
    },
  ],
})
const list = (item: string) => ({
  type: 'object',
  required: ['data', 'nextCursor'],
  properties: { data: { type: 'array', items: ref(item) }, nextCursor: { type: ['string', 'null'] } },
})
const object = (required: readonly string[], properties: Record<string, object>, more: object = {}) => ({
  type: 'object',
  required,
  properties,
  ...more,
})
const closed = { additionalProperties: false }
const level = { type: 'string', enum: ['beginner', 'advanced'] }
const nullable = { type: ['string', 'null'] }

const collection = (name: string, item: string, fields: object, more: object = {}) => ({
  [`/v1/data/${name}`]: {
    'x-larder-collection': { name, fields, ...more },
    get: { responses: { 200: jsonOf(`${item}List`), 422: problems('ValidationFailedProblem') } },
    post: {
      requestBody: { required: true, ...jsonOf(`Create${item}`) },
      responses: { 201: jsonOf(item), 422: problems('ValidationFailedProblem') },
    },
  },
  [`/v1/data/${name}/{id}`]: {
    'x-larder-collection': { name, fields, ...more },
    get: { responses: { 200: jsonOf(item), 404: problems('NotFoundProblem') } },
    patch: {
      requestBody: { required: true, ...jsonOf(`Update${item}`) },
      responses: { 200: jsonOf(item), 404: problems('NotFoundProblem'), 422: problems('ValidationFailedProblem') },
    },
    delete: { responses: { 204: { description: 'Deleted' }, 404: problems('NotFoundProblem') } },
  },
})

const order = ['eq', 'gt', 'gte', 'in', 'lt', 'lte']

export const coursesDocument: ApiDocument = {
  info: { title: 'Acme API', version: '1.0.0' },
  paths: {
    '/healthz': { get: { responses: { 200: { description: 'Alive' } } } },
    ...collection('courses', 'Course', {
      id: { type: 'id', operators: ['eq', 'in'] },
      title: { type: 'text', operators: ['eq', 'contains', 'in'], sortable: true },
      level: { type: 'enum', operators: ['eq', 'in'] },
      startsAt: { type: 'datetime', operators: [...order, 'exists'], sortable: true },
      category: { type: 'reference', operators: ['eq', 'in'], reference: { to: 'categories' } },
      tags: { type: 'reference', operators: ['contains'], reference: { to: 'categories', many: true } },
    }),
    ...collection('categories', 'Category', {
      name: { type: 'text', operators: ['eq', 'contains'], sortable: true },
      parent: { type: 'reference', operators: ['eq'], reference: { to: 'categories' } },
    }),
    ...collection(
      'enquiries',
      'Enquiry',
      { subject: { type: 'text', operators: ['eq'] } },
      { schemas: { row: 'Enquiry', create: 'CreateEnquiry', update: 'UpdateEnquiry' }, visitors: true },
    ),
    '/v1/data/courses/{id}/history': {
      get: {
        summary: 'Lists the versions of a course.',
        parameters: [{ name: 'cursor', in: 'query', schema: text }],
        responses: { 200: jsonOf('CourseList'), 404: problems('NotFoundProblem') },
      },
    },
    '/v1/sessions/{id}/end': {
      post: {
        operationId: 'endSession',
        summary: 'Ends a session.',
        parameters: [
          { name: 'id', in: 'path', required: true, schema: text },
          { name: 'x-tenant-id', in: 'header', schema: text },
          { name: 'Idempotency-Key', in: 'header', schema: text },
        ],
        responses: { 200: jsonOf('Course'), 410: problems('SessionEndedProblem', 'NotFoundProblem') },
      },
    },
  },
  webhooks: {
    'sessions.session.ended': {
      post: { requestBody: { content: { 'application/json': { schema: ref('SessionEndedEvent') } } } },
    },
  },
  components: {
    schemas: {
      Problem: object(['title', 'status', 'detail', 'code'], {
        title: text,
        status: { type: 'integer' },
        detail: text,
        code: text,
      }),
      NotFoundProblem: problemSchema('not_found', 404),
      ValidationFailedProblem: problemSchema('validation_failed', 422),
      SessionEndedProblem: problemSchema('session_ended', 410, { endedAt: text }),
      SessionEndedEvent: object(['type', 'data'], {
        type: { const: 'sessions.session.ended' },
        data: object(['id'], { id: text }),
      }),
      Course: object(['id', 'title', 'level', 'startsAt', 'category', 'tags'], {
        id: text,
        title: { ...text, description: 'Shown in lists' },
        level,
        startsAt: nullable,
        category: nullable,
        tags: { type: 'array', items: text },
        subtitle: text,
      }),
      CourseList: list('Course'),
      CreateCourse: object(
        ['title'],
        { title: text, level, category: nullable, tags: { type: 'array', items: text } },
        closed,
      ),
      UpdateCourse: object([], { title: text, level }, closed),
      Category: object(['id', 'name', 'parent'], { id: text, name: text, parent: nullable }),
      CategoryList: list('Category'),
      CreateCategory: object(['name'], { name: text }, closed),
      UpdateCategory: object([], { name: text }, closed),
      Enquiry: object(['id', 'subject'], { id: text, subject: text }),
      EnquiryList: list('Enquiry'),
      CreateEnquiry: object(['subject'], { subject: text }, closed),
      UpdateEnquiry: object([], { subject: text }, closed),
    },
  },
}
