import test from 'ava'
import { Type } from 'typebox'
import { named } from '../../../../../kernel/base/json-schema.ts'
import { common, defineProblems } from '../../../../../kernel/base/problem.ts'
import { listOf, listQuery, Nullable } from '../../../../../kernel/base/schema.ts'
import { type AnyRoute, rawRoute, route } from '../../../../../kernel/contract/route.ts'
import { startTestServer } from '../../fixtures.ts'

const { note_locked } = defineProblems({ note_locked: [409, 'The note is locked.'] })
const Tree = Type.Cyclic(
  { Node: Type.Object({ label: Type.String(), items: Type.Optional(Type.Array(Type.Ref('Node'))) }) },
  'Node',
)
const handle = async () => undefined as never

const routes = [
  route({
    method: 'get',
    path: '/notes',
    allow: 'notes.note.read',
    summary: 'Lists notes',
    query: listQuery(),
    replies: { 200: listOf(Tree) },
    handle,
  }),
  route({
    method: 'put',
    path: '/notes/:id/tree',
    allow: 'notes.note.update',
    body: Tree,
    problems: [note_locked, common.precondition_failed],
    replies: { 200: Tree },
    handle,
  }),
  route({
    method: 'post',
    path: '/notes/:id/tags/:tag',
    allow: 'public',
    body: Type.Object({ note: Nullable(Type.String()) }),
    replies: { 201: Type.Object({}), 204: null },
    handle,
  }),
  route({
    method: 'get',
    path: '/notes/draft',
    allow: ['notes.note.read', 'public'],
    replies: { 200: Tree },
    handle,
  }),
]
const table = route({
  method: 'post',
  path: '/notes/table',
  allow: 'public',
  body: Type.Object({ name: Type.String() }),
  forms: true,
  texts: ['text/csv'],
  replies: { 200: Tree, 303: null },
  handle,
})
const raws = [
  rawRoute({
    method: 'post',
    path: '/v1/files/:id',
    allow: 'signature',
    summary: 'Takes a file',
    handle: async () => {},
  }),
  rawRoute({
    method: 'put',
    path: '/v1/files/:id',
    allow: 'signature',
    summary: 'Takes the bytes',
    docs: {
      query: Type.Object({ signature: Type.String() }),
      body: { 'application/pdf': null, 'multipart/form-data': Type.Object({ note: Type.Optional(Type.String()) }) },
      replies: { 200: { 'text/plain': null }, 204: null },
      problems: [note_locked],
    },
    handle: async () => {},
  }),
]

type Any = Record<string, never>
const document = async () => {
  const server = await startTestServer({ routes: [...routes, table], rawRoutes: raws })
  const made = JSON.parse(JSON.stringify(server.http.openapi())) as Record<string, Record<string, Any>>
  const endpoints = server.http.endpoints()
  await server.stop()
  return { made, endpoints }
}

const nodes = function* (node: unknown): Generator<Record<string, unknown>> {
  if (typeof node !== 'object' || node === null) return
  if (!Array.isArray(node)) yield node as Record<string, unknown>
  for (const part of Object.values(node)) yield* nodes(part)
}
const at = (root: unknown, pointer: string) =>
  pointer
    .slice(2)
    .split('/')
    .reduce<unknown>((node, part) => (node as Record<string, unknown> | undefined)?.[part], root)

/** Codes of the problems that a response or a reference to one allows. */
const codesOf = (made: object, response: unknown): unknown[] => {
  const text = JSON.stringify(resolved(made, response))
  return [...text.matchAll(/"code":\{"type":"string","enum":\["(\w+)"/g)].map(([, code]) => code)
}
const resolved = (made: object, node: unknown): unknown => {
  if (typeof node !== 'object' || node === null) return node
  if (Array.isArray(node)) return node.map(part => resolved(made, part))
  const { $ref } = node as { $ref?: string }
  if ($ref !== undefined) return resolved(made, at(made, $ref))
  return Object.fromEntries(Object.entries(node).map(([key, part]) => [key, resolved(made, part)]))
}

test('every $ref resolves', async t => {
  const { made } = await document()
  const refs = [...nodes(made)].map(node => node.$ref).filter(ref => ref !== undefined)
  t.true(refs.length > 3)
  for (const ref of refs) t.truthy(at(made, String(ref)), String(ref))
})

test('every route is an operation with path parameters and a unique ID', async t => {
  const { made, endpoints } = await document()
  const ids = new Set<unknown>()
  const shown = endpoints.filter(({ kind }) => kind === 'route' || kind === 'raw')
  t.is(shown.length, 7)
  for (const { method, path } of shown) {
    const operation = made.paths?.[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()] as Any | undefined
    t.truthy(operation, path)
    const declared = ((operation?.parameters ?? []) as unknown as { name: string; in: string }[])
      .filter(p => p.in === 'path')
      .map(p => p.name)
    t.deepEqual(
      declared,
      [...path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? ''),
    )
    t.false(ids.has(operation?.operationId))
    ids.add(operation?.operationId)
  }
})

test('operations document access, input, replies and problems', async t => {
  const { made } = await document()
  const operation = (path: string, method: string) =>
    made.paths?.[path]?.[method] as unknown as Record<string, Record<string, unknown>>
  const tree = operation('/v1/notes/{id}/tree', 'put')
  t.regex(String(tree.description), /notes\.note\.update.*Change notes/)
  t.deepEqual(tree.security as unknown, [{ cookie: [] }, { bearer: [] }, { apiKey: [] }])
  t.true(
    ['200', '401', '403', '409', '413', '415', '422', '429', '500', '503'].every(
      status => status in (tree.responses ?? {}),
    ),
  )
  t.deepEqual(codesOf(made, tree.responses?.['409']), ['note_locked'])
  const tag = operation('/v1/notes/{id}/tags/{tag}', 'post')
  t.deepEqual((tag.security as unknown as object[])[0], {})
  t.false('401' in (tag.responses ?? {}))
  // A public route with a permission returns 401 if the handler requires membership.
  const draft = operation('/v1/notes/draft', 'get')
  t.deepEqual((draft.security as unknown as object[])[0], {})
  t.true(['401', '403'].every(status => status in (draft.responses ?? {})))
  const body = at(made, '#/components/schemas/PostNotesByIdTagsByTagInput')
  t.true(JSON.stringify(tag.requestBody).includes('"$ref":"#/components/schemas/PostNotesByIdTagsByTagInput"'))
  t.true(JSON.stringify(body).includes('"additionalProperties":false'))
  t.true(JSON.stringify(body).includes('"type":["string","null"]'))
  t.true(JSON.stringify(tag.parameters).includes('idempotencyKey'))
  // A route that can return 412 documents If-Match.
  t.true('412' in (tree.responses ?? {}))
  t.true(JSON.stringify(tree.parameters).includes('ifMatch'))
  t.false(JSON.stringify(tag.parameters).includes('ifMatch'))
  t.false(JSON.stringify(made).includes('{reason}'))
})

test('every operation has a summary and says which credentials it needs', async t => {
  const { made } = await document()
  for (const [path, methods] of Object.entries(made.paths as Record<string, Record<string, Any>>))
    for (const { summary, security } of Object.values(methods)) {
      t.regex(String(summary), /^[A-Z].+/, path)
      t.true(Array.isArray(security), path)
    }
})

test('every operation documents 431, which the server sends for headers over 16 KiB', async t => {
  const { made } = await document()
  const operations = Object.values(made.paths ?? {}).flatMap(path => Object.values(path as Record<string, Any>))
  t.true(operations.length > 7)
  for (const { operationId, responses } of operations)
    t.deepEqual(responses?.['431'], { $ref: '#/components/responses/HeadersTooLarge' } as never, String(operationId))
  const server = await startTestServer({ routes })
  t.teardown(server.stop)
  t.is((await server.get('/v1/health', { 'x-large': 'a'.repeat(17 * 1024) })).status, 431)
})

test('documents media types other than JSON', async t => {
  const { made } = await document()
  type BodyTypes = { requestBody: { required: boolean; content: Any }; responses: Record<string, { content?: Any }> }
  const operation = (path: string, method: string) => made.paths?.[path]?.[method] as unknown as BodyTypes & Any
  const typesOf = (content: Any | undefined) => Object.keys(content ?? {})
  const table = operation('/v1/notes/table', 'post')
  t.deepEqual(typesOf(table.requestBody.content), ['application/json', 'application/x-www-form-urlencoded'])
  t.deepEqual(typesOf(table.responses['200']?.content), ['application/json', 'text/csv'])
  t.deepEqual(typesOf(table.responses['303']?.content), [])
  const put = operation('/v1/files/{id}', 'put')
  t.is(put.summary as unknown, 'Takes the bytes')
  t.deepEqual(put.requestBody as unknown, {
    required: false,
    content: {
      'application/pdf': {},
      'multipart/form-data': {
        schema: { type: 'object', properties: { note: { type: 'string' } }, additionalProperties: false },
      },
    },
  })
  t.deepEqual(typesOf(put.responses['200']?.content), ['text/plain'])
  t.deepEqual(codesOf(made, put.responses['409']), ['note_locked'])
  t.true(JSON.stringify(put.parameters).includes('"name":"signature","in":"query","required":true'))
  // Only routes with schemas replay responses.
  t.false(JSON.stringify(operation('/v1/files/{id}', 'post').responses).includes('idempotency'))
})

const Note = named('Note', Type.Object({ id: Type.String(), author: Nullable(named('Author', Type.Object({}))) }))
const list = {
  method: 'get',
  path: '/named',
  allow: 'public',
  operationId: 'listNotes',
  replies: { 200: listOf(Note) },
  handle,
} as const
const create = { ...list, method: 'post', operationId: 'createNote' } as const
const started = async (...routes: AnyRoute[]) => {
  const server = await startTestServer({ routes })
  const made = JSON.parse(JSON.stringify(server.http.openapi())) as Record<string, Record<string, Any>>
  await server.stop()
  return { made, schemas: made.components?.schemas as unknown as Record<string, Record<string, unknown>> }
}

test('named schemas are components, and lists and bodies derive their names', async t => {
  const body = Type.Object({ note: Type.Optional(Note) })
  const { made, schemas } = await started(route(list), route({ ...create, body, replies: { 201: Note } }))
  t.deepEqual(schemas.NoteList?.properties, {
    data: { type: 'array', items: { $ref: '#/components/schemas/Note' } },
    nextCursor: { type: ['string', 'null'] },
  })
  t.deepEqual((at(made, '#/components/schemas/Note/properties') as Any).author, {
    anyOf: [{ $ref: '#/components/schemas/Author' }, { type: 'null' }],
  } as never)
  t.deepEqual(schemas.CreateNoteInput, {
    type: 'object',
    properties: { note: { $ref: '#/components/schemas/Note' } },
    additionalProperties: false,
  })
  t.deepEqual(Object.keys(made.paths?.['/v1/named'] as Any), ['get', 'post'])
})

test('a schema of bodies and replies stays open, in either order', async t => {
  const body = named('CreateNote', Type.Object({ note: Note, tag: named('Tag', Type.Object({ a: Type.String() })) }))
  const { schemas } = await started(route({ ...create, body, replies: { 204: null } }), route(list))
  t.is(schemas.Note?.additionalProperties, undefined)
  t.is(schemas.CreateNote?.additionalProperties, false)
  t.is(schemas.Tag?.additionalProperties, false)
})

test('a name of two schemas fails the start, unless they are equal', async t => {
  const other = named('Note', Type.Object({ id: Type.Integer() }))
  const error = await t.throwsAsync(started(route(list), route({ ...create, replies: { 201: other } })))
  t.is(error?.message, "Two different schemas are named 'Note': in GET /v1/named and in POST /v1/named")
  const twin = named('Author', Type.Object({}))
  await t.notThrowsAsync(started(route(list), route({ ...create, replies: { 201: twin } })))
  t.throws(() => named('note', Type.Object({})), { message: /PascalCase/ })
})

test('an ID of two operations fails the start', async t => {
  const error = await t.throwsAsync(started(route(list), route({ ...create, operationId: 'listNotes' })))
  t.is(error?.message, "Two operations are named 'listNotes': GET /v1/named and POST /v1/named")
})

test('problems are components with their code, status and members', async t => {
  const { note_open, note_shut } = defineProblems({
    note_open: [409, 'The note is open.', { until: Type.String() }],
    note_shut: [409, 'The note is shut.'],
  })
  const { made, schemas } = await started(route({ ...list, problems: [note_shut, note_open] }))
  const { get } = (made.paths as Any)['/v1/named'] as unknown as { get: { responses: Record<string, object> } }
  t.deepEqual(get.responses['409'], { $ref: '#/components/responses/NoteOpenOrNoteShut' })
  const response = at(made, '#/components/responses/NoteOpenOrNoteShut') as { content: Any }
  t.deepEqual(response.content['application/problem+json'] as unknown, {
    schema: {
      anyOf: [{ $ref: '#/components/schemas/NoteOpenProblem' }, { $ref: '#/components/schemas/NoteShutProblem' }],
    },
  })
  t.deepEqual(schemas.NoteOpenProblem, {
    description: 'The note is open.',
    allOf: [
      { $ref: '#/components/schemas/Problem' },
      {
        type: 'object',
        required: ['code', 'status', 'until'],
        properties: {
          code: { type: 'string', enum: ['note_open'] },
          status: { type: 'integer', enum: [409] },
          until: { type: 'string' },
        },
      },
    ],
  })
})
