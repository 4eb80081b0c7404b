import {
  defineProblems,
  isReply,
  Nullable,
  named,
  Problem,
  type Reply,
  Time,
  Timestamp,
  Type,
  table,
  tableRoutes,
} from '@larder-dev/larder/kernel/internal'
import test from 'ava'
import { createFixture, type Fixture } from '../../services/postgres/fixtures.ts'

const columns = {
  id: Type.String(),
  title: Type.String(),
  slug: Nullable(Type.String()),
  order: Type.Integer(),
  createdAt: Timestamp,
  changedAt: Nullable(Time),
}
const Note = named('Note', Type.Object({ ...columns, version: Type.Integer() }))
const hidden = { tenantId: Type.String(), tags: Type.Array(Type.String()) }
const notes = table('test_notes', Note, {
  what: 'note',
  defaults: { order: 0, version: 1 },
  hidden,
  revision: 'version',
})
const plainNotes = table('test_notes', named('PlainNote', Type.Object(columns)), {
  what: 'note',
  defaults: { order: 0 },
  hidden: { ...hidden, version: Type.Integer() },
})
const problems = defineProblems({ slug_taken: [409, 'Another note has this slug.'] })
const NewNote = Type.Object({ title: Type.String(), slug: Type.Optional(Type.String()) })
const NotePatch = Type.Partial(Type.Object({ title: Type.String(), slug: Nullable(Type.String()) }))

const clock = { now: () => Date.UTC(2026, 0, 2), isSystem: false }
let fixture: Fixture
test.before(async () => {
  fixture = await createFixture()
})
test.beforeEach(() => fixture.asOwner('truncate test_notes'))
test.after.always(() => fixture.end())

const deps = () => ({ database: fixture.database, clock }) as never
const valuesOf = ({ body, tenantId, now }: { body: { title: string }; tenantId: string; now: Date }) => ({
  ...body,
  tenantId,
  tags: [],
  createdAt: now.toISOString(),
})
const describe = {
  list: { allow: 'test.note.read', summary: 'Lists notes.' },
  get: { allow: 'test.note.read', summary: 'Returns a note.' },
  update: { allow: 'test.note.update', summary: 'Changes a note.', body: NotePatch },
  delete: { allow: 'test.note.delete', summary: 'Deletes a note.' },
} as const
const create = { allow: 'test.note.create', summary: 'Creates a note.', prefix: 'not', body: NewNote } as const

const noteRoutes = () =>
  tableRoutes(notes, deps(), {
    path: '/test/notes',
    conflicts: { test_notes_slug: problems.slug_taken },
    ...describe,
    create: { ...create, values: valuesOf },
  })
const plainRoutes = () =>
  tableRoutes(plainNotes, deps(), {
    path: '/test/notes',
    ...describe,
    create: { ...create, values: write => ({ ...valuesOf(write), version: 1 }) },
  })

type Routes = ReturnType<typeof noteRoutes>
interface Given {
  readonly id?: string
  readonly body?: unknown
  readonly query?: object
  readonly ifMatch?: string
}
/** Calls the handler of an operation. A problem becomes a reply with its code. */
async function call(
  routes: Routes,
  operationId: string,
  { id, body, query = {}, ifMatch }: Given = {},
): Promise<Reply> {
  const found = routes.find(route => route.operationId === operationId)
  if (!found) throw new Error(`no operation ${operationId}`)
  const headers = ifMatch === undefined ? {} : { 'if-match': ifMatch }
  const input = { tenantId: 'ten_a', caller: {}, params: { id }, query, body, request: { headers } }
  try {
    const result = await found.handle(input as never)
    return isReply(result) ? result : ({ status: 200, body: result, headers: {} } as Reply)
  } catch (error) {
    if (!Problem.is(error)) throw error
    return { status: error.status, body: error.code, headers: {} } as Reply
  }
}
const created = async (routes: Routes, body: object = { title: 'First' }, operationId = 'createNote') =>
  (await call(routes, operationId, { body })).body as { id: string }

test('names operations after the record, and describes only those that are declared', t => {
  const [read] = tableRoutes(notes, deps(), { path: '/test/notes', plural: 'AllNotes', list: describe.list })
  t.like(read, { method: 'get', path: '/test/notes', operationId: 'listAllNotes', allow: 'test.note.read' })
  t.deepEqual(
    noteRoutes().map(({ method, path, operationId }) => `${method} ${path} ${operationId}`),
    [
      'get /test/notes listNotes',
      'post /test/notes createNote',
      'get /test/notes/:id getNote',
      'patch /test/notes/:id updateNote',
      'delete /test/notes/:id deleteNote',
    ],
  )
})

test.serial('a filter of a list compares the column of its name', async t => {
  const routes = [
    ...tableRoutes(notes, deps(), {
      path: '/test/notes',
      list: { ...describe.list, filters: { title: Type.String() } },
    }),
    ...noteRoutes().filter(({ operationId }) => operationId === 'createNote'),
  ]
  for (const title of ['First', 'Second']) await created(routes, { title })
  const titles = async (query: object) => {
    const { data } = (await call(routes, 'listNotes', { query })).body as { data: { title: string }[] }
    return data.map(({ title }) => title).sort()
  }
  t.deepEqual(await titles({ 'filter[title]': 'Second' }), ['Second'])
  t.deepEqual(await titles({}), ['First', 'Second'])
})

test.serial('creates a record with its location and tag', async t => {
  const routes = noteRoutes()
  const { status, body, headers } = await call(routes, 'createNote', { body: { title: 'First' } })
  const { id } = body as { id: string }
  t.regex(id, /^not_/)
  t.deepEqual([status, headers], [201, { etag: '"1"', location: `/v1/test/notes/${id}` }])
  t.deepEqual((await call(routes, 'getNote', { id })).body, body)
})

test.serial('rejects a change and a deletion with a stale tag', async t => {
  const routes = noteRoutes()
  const { id } = await created(routes)
  t.is((await call(routes, 'updateNote', { id, body: { title: 'Second' }, ifMatch: '"1"' })).headers.etag, '"2"')
  t.is((await call(routes, 'updateNote', { id, body: { title: 'Third' }, ifMatch: '"1"' })).body, 'precondition_failed')
  t.is((await call(routes, 'deleteNote', { id, ifMatch: '"1"' })).body, 'precondition_failed')
  t.is((await call(routes, 'deleteNote', { id, ifMatch: '"2"' })).body, undefined)
  t.is((await call(routes, 'getNote', { id })).body, 'not_found')
})

test.serial('a change that has the values of the record keeps its revision', async t => {
  const routes = noteRoutes()
  const { id } = await created(routes)
  t.like(await call(routes, 'updateNote', { id, body: { title: 'First', slug: null } }), { headers: { etag: '"1"' } })
})

test.serial('answers a unique violation with the problem of its index', async t => {
  const routes = noteRoutes()
  await created(routes, { title: 'First', slug: 'same' })
  t.is((await call(routes, 'createNote', { body: { title: 'Second', slug: 'same' } })).body, 'slug_taken')
  const { id } = await created(routes, { title: 'Third' })
  t.is((await call(routes, 'updateNote', { id, body: { slug: 'same' } })).body, 'slug_taken')
})

test.serial('passes on the violation of an index without a problem', async t => {
  const routes = plainRoutes()
  await created(routes, { title: 'First', slug: 'same' }, 'createPlainNote')
  const again = call(routes, 'createPlainNote', { body: { title: 'Second', slug: 'same' } })
  await t.throwsAsync(again, { code: '23505' })
})

test.serial('a table without a revision has no tags, and ignores If-Match', async t => {
  const routes = plainRoutes()
  const { id } = await created(routes, { title: 'First' }, 'createPlainNote')
  t.deepEqual((await call(routes, 'getPlainNote', { id })).headers, {})
  const { status, headers } = await call(routes, 'updatePlainNote', { id, body: { title: 'x' }, ifMatch: '"9"' })
  t.deepEqual([status, headers], [200, {}])
  await call(routes, 'deletePlainNote', { id, ifMatch: '"9"' })
  t.is((await call(routes, 'deletePlainNote', { id })).body, 'not_found')
})

test.serial('filters and orders a list by its query', async t => {
  const [list] = tableRoutes(notes, deps(), {
    path: '/test/notes',
    list: {
      ...describe.list,
      query: { title: Type.Optional(Type.String()) },
      page: ({ title }) => ({ where: { title }, sortBy: 'title', ascending: true }),
    },
  })
  const routes = noteRoutes()
  for (const title of ['b', 'B', 'a']) await created(routes, { title })
  const titles = async (query: object) =>
    ((await call([list as never], 'listNotes', { query })).body as { data: { title: string }[] }).data.map(
      ({ title }) => title,
    )
  t.deepEqual(await titles({}), ['a', 'b', 'B'])
  t.deepEqual(await titles({ title: 'a' }), ['a'])
})
