import test from 'ava'
import { Type } from 'typebox'
import { common, defineProblems } from '../../../../kernel/base/problem.ts'
import { listOf, listQuery, Nullable } from '../../../../kernel/base/schema.ts'
import { rawRoute, route } from '../../../../kernel/contract/route.ts'
import { startTestServer } from '../fixtures.ts'

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
  t.true(JSON.stringify(tree.responses?.['409']).includes('note_locked'))
  const tag = operation('/v1/notes/{id}/tags/{tag}', 'post')
  t.deepEqual((tag.security as unknown as object[])[0], {})
  t.false('401' in (tag.responses ?? {}))
  // A public route with a permission returns 401 if the handler requires membership.
  const draft = operation('/v1/notes/draft', 'get')
  t.deepEqual((draft.security as unknown as object[])[0], {})
  t.true(['401', '403'].every(status => status in (draft.responses ?? {})))
  t.true(JSON.stringify(tag.requestBody).includes('"additionalProperties":false'))
  t.true(JSON.stringify(tag.requestBody).includes('"type":["string","null"]'))
  t.true(JSON.stringify(tag.parameters).includes('idempotencyKey'))
  // A route that can return 412 documents If-Match.
  t.true('412' in (tree.responses ?? {}))
  t.true(JSON.stringify(tree.parameters).includes('ifMatch'))
  t.false(JSON.stringify(tag.parameters).includes('ifMatch'))
  t.false(JSON.stringify(made).includes('{reason}'))
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
  t.true(JSON.stringify(put.responses['409']).includes('note_locked'))
  t.true(JSON.stringify(put.parameters).includes('"name":"signature","in":"query","required":true'))
  // Only routes with schemas replay responses.
  t.false(JSON.stringify(operation('/v1/files/{id}', 'post').responses).includes('idempotency'))
})
