import test from 'ava'
import type { ApiDocument } from '../../../bin/client/document.ts'
import { compareApis } from '../../../bin/recipe-diff/api.ts'

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const json = (schema: object) => ({ content: { 'application/json': { schema } } })
const operation = (more: object = {}) => ({
  responses: { 200: { description: 'ok', ...json(reference('Note')) } },
  ...more,
})
const note = (properties: object) => ({ type: 'object', properties })
const document = (get: object | undefined, properties: object = { a: { type: 'string' } }, more = {}): ApiDocument => ({
  paths: { '/v1/notes': get ? { get } : {} },
  components: { schemas: { Note: note(properties) } },
  ...more,
})

test('finds no difference in equal documents', t => {
  t.deepEqual(compareApis(document(operation()), document(operation())), [])
})

test('a removed operation breaks requests, an added one nothing', t => {
  const [without, having] = [document(undefined), document(operation())]
  t.deepEqual(compareApis(having, without), [
    { change: 'remove', subject: 'GET /v1/notes', breaks: 'requests fail with 404' },
    { change: 'remove', subject: 'schemas', detail: 'Note' },
  ])
  t.deepEqual(compareApis(without, having), [
    { change: 'add', subject: 'GET /v1/notes' },
    { change: 'add', subject: 'schemas', detail: 'Note' },
  ])
})

test('lists a schema once, with what its operations do with it', t => {
  t.deepEqual(compareApis(document(operation()), document(operation(), {})), [
    { change: 'change', subject: 'schema Note', breaks: 'a: removed' },
  ])
})

test('compares parameters, bodies and statuses', t => {
  const parameter = (name: string, required = false) => ({ name, in: 'query', required, schema: { type: 'string' } })
  const before = operation({ parameters: [parameter('q'), parameter('old')] })
  const after = operation({
    parameters: [parameter('q', true), parameter('page')],
    requestBody: { required: true, ...json({ type: 'object' }) },
    responses: { 201: { description: 'ok' } },
  })
  const [change] = compareApis(document(before), document(after))
  t.deepEqual(change, {
    change: 'change',
    subject: 'GET /v1/notes',
    detail: 'new parameter page; replies with 201',
    breaks: 'no parameter old; parameter q is required; new body; no longer replies with 200',
  })
})

test('names a field once whose filters are all new or gone', t => {
  const filters = (field: string) =>
    ['', '[ne]', '[in]'].map(operator => ({ name: `filter[${field}]${operator}`, in: 'query', schema: {} }))
  const [change] = compareApis(
    document(operation({ parameters: filters('old') })),
    document(operation({ parameters: filters('fresh') })),
  )
  t.like(change, { detail: 'new parameter filter[fresh]', breaks: 'no parameter filter[old]' })
})

test('a removed event breaks webhooks', t => {
  const webhooks = { 'notes.note.created': { post: { requestBody: json({ type: 'object' }) } } }
  const change = compareApis(document(operation(), undefined, { webhooks }), document(operation()))
  t.deepEqual(change, [
    {
      change: 'remove',
      subject: 'event notes.note.created',
      breaks: 'webhooks and listeners no longer receive it',
    },
  ])
})

test('leaves out schemas that only problems have', t => {
  const failing = (properties: object): ApiDocument => ({
    paths: { '/v1/notes': { get: { responses: { 404: { description: 'gone', ...json(reference('Gone')) } } } } },
    components: { schemas: { Gone: note(properties) } },
  })
  t.deepEqual(compareApis(failing({}), failing({ a: {} })), [])
})

test('compares schemas that contain themselves', t => {
  const tree = (more: object) =>
    document(operation(), { children: { type: 'array', items: reference('Note') }, ...more })
  t.deepEqual(compareApis(tree({}), tree({ b: {} })), [{ change: 'change', subject: 'schema Note', detail: 'b: new' }])
})
