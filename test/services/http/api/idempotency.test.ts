import anyTest, { type TestFn } from 'ava'
import { pino } from 'pino'
import { Type } from 'typebox'
import { currentContext } from '../../../../kernel/base/context.ts'
import { common } from '../../../../kernel/base/problem.ts'
import { createSecrets } from '../../../../kernel/base/secrets.ts'
import { MINUTE } from '../../../../kernel/base/units.ts'
import { reply, route } from '../../../../kernel/contract/route.ts'
import { type OpenDatabase, openDatabase } from '../../../../services/postgres/open.ts'
import { createTestDatabase, type TestDatabase } from '../../../../services/postgres/testing.ts'
import { ada, bearer, startTestServer, type TestServer } from '../fixtures.ts'

interface Context {
  server: TestServer
  db: OpenDatabase
  own: TestDatabase
}
const test = anyTest as TestFn<Context>
const MIGRATIONS = [
  { module: 'kernel', folder: new URL('../../../../services/postgres/migrations/', import.meta.url) },
  { module: 'notes', folder: new URL('../notes-migrations/', import.meta.url) },
]
const Body = Type.Object({ title: Type.String() })
const Note = Type.Object({ id: Type.String(), title: Type.String() })

/** Blocks handlers of notes with this title until they are released. */
const slow = { title: 'slow', arrived: () => {}, release: Promise.resolve() }

function routesOf({ database }: OpenDatabase) {
  const insert = async (tenantId: string, title: string) => {
    const id = `not_${Math.random()}`
    await database
      .tenant(tenantId)
      .query('insert into notes_notes (tenant_id, id, title) values ($1, $2, $3)', [tenantId, id, title])
    if (title === slow.title) {
      slow.arrived()
      await slow.release
    }
    if (title === 'crash') throw new Error('after the insert')
    if (title === 'refuse') throw common.conflict()
    return { id, title }
  }
  const create = { method: 'post', body: Body, replies: { 201: Note } } as const
  return [
    route({
      ...create,
      path: '/notes',
      allow: 'notes.note.update',
      handle: async ({ tenantId, body }) => reply(201, await insert(tenantId, body.title), { location: '/v1/notes/x' }),
    }),
    route({
      ...create,
      path: '/listed',
      allow: 'notes.note.update',
      query: Type.Object({ a: Type.Optional(Type.String()), b: Type.Optional(Type.String()) }),
      body: Type.Object({ title: Type.String(), more: Type.Unknown() }),
      handle: async ({ tenantId, body }) => reply(201, await insert(tenantId, body.title)),
    }),
    route({
      ...create,
      path: '/own',
      allow: 'notes.note.update',
      unit: 'own',
      handle: async ({ tenantId, body }) => insert(tenantId, body.title),
    }),
    route({
      ...create,
      path: '/elsewhere',
      allow: 'notes.note.update',
      unit: 'across',
      handle: async ({ body }) => database.tenant('ten_bolt').transaction(() => insert('ten_bolt', body.title)),
    }),
    route({
      ...create,
      path: '/anywhere',
      allow: 'public',
      handle: async ({ body }) => insert('ten_acme', body.title),
    }),
    route({
      ...create,
      path: '/never',
      allow: 'notes.note.update',
      idempotent: false,
      handle: async ({ tenantId, body }) => insert(tenantId, body.title),
    }),
    route({
      ...create,
      path: '/unfit',
      allow: 'notes.note.update',
      handle: async ({ tenantId, body }) => ({ ...(await insert(tenantId, body.title)), title: undefined }),
    }),
    route({
      method: 'post',
      path: '/context',
      allow: 'notes.note.update',
      replies: { 200: Type.Object({ correlationId: Type.String(), actor: Type.String() }) },
      handle: async () => ({ correlationId: currentContext().correlationId, actor: currentContext().actor?.id }),
    }),
    route({
      method: 'post',
      path: '/guess',
      allow: 'public',
      body: Body,
      limits: [
        { name: 'guess', points: 2, window: MINUTE, shared: true, by: body => (body as { title: string }).title },
      ],
      replies: { 204: null },
      handle: async () => undefined,
    }),
  ]
}

test.before(async t => {
  const own = await createTestDatabase({ migrations: MIGRATIONS })
  const db = await openDatabase({
    ownerUrl: own.ownerUrl,
    secrets: ['a secret of thirty-two bytes or more'],
    log: pino({ level: 'silent' }),
  })
  await db.migrate(MIGRATIONS)
  t.context = {
    own,
    db,
    server: await startTestServer(
      { routes: routesOf(db) },
      { database: db.database, systemDatabase: db.systemDatabase },
    ),
  }
})
test.after.always(async t => {
  await t.context.server?.stop()
  await t.context.db?.close()
  await t.context.own?.drop()
})

const count = async ({ db }: Context, title: string): Promise<number> => {
  const { rows } = await db.systemDatabase
    .acrossTenants('the test counts')
    .query('select id from notes_notes where title = $1', [title])
  return rows.length
}
const post = ({ server }: Context, path: string, title: string, key: string, more: Record<string, string> = ada) =>
  server.send('POST', `/v1${path}`, { title }, { ...more, 'idempotency-key': key })

test('a repeated key and body take effect once and return the same response', async t => {
  const first = await post(t.context, '/notes', 'once', 'k1')
  const again = await post(t.context, '/notes', 'once', 'k1')
  t.deepEqual([first.status, first.headers.get('idempotent-replayed')], [201, null])
  t.deepEqual([again.status, again.headers.get('idempotent-replayed')], [201, 'true'])
  t.deepEqual(again.body, first.body)
  t.is(again.headers.get('location'), '/v1/notes/x')
  t.is(await count(t.context, 'once'), 1)
})

test('keys are scoped to caller, path and tenant', async t => {
  const answers = [
    await post(t.context, '/notes', 'mine', 'k2'),
    await post(t.context, '/notes', 'mine', 'k2', bearer),
    await post(t.context, '/own', 'mine', 'k2'),
  ]
  t.true(answers.every(({ status, headers }) => status === 201 && !headers.has('idempotent-replayed')))
  t.is(await count(t.context, 'mine'), 3)
})

test('a route that works in another tenant accepts a key', async t => {
  const first = await post(t.context, '/elsewhere', 'there', 'k11')
  const again = await post(t.context, '/elsewhere', 'there', 'k11')
  t.deepEqual([first.status, again.status, again.headers.get('idempotent-replayed')], [201, 201, 'true'])
  t.deepEqual(again.body, first.body)
  t.is(await count(t.context, 'there'), 1)
  t.is((await post(t.context, '/elsewhere', 'crash', 'k12')).status, 500)
  t.is(await count(t.context, 'crash'), 0)
})

test('rejects a key with another body', async t => {
  await post(t.context, '/notes', 'body-a', 'k3')
  const { status, body } = await post(t.context, '/notes', 'body-b', 'k3')
  t.deepEqual([status, body.code], [422, 'idempotency_mismatch'])
  t.is(await count(t.context, 'body-b'), 0)
})

test('a repetition may order keys and parameters differently, and use other spaces', async t => {
  const { server } = t.context
  const headers = { ...ada, 'idempotency-key': 'k10', 'content-type': 'application/json' }
  const send = async (search: string, body: string) => {
    const response = await fetch(`${server.url}/v1/listed${search}`, { method: 'POST', body, headers })
    return { status: response.status, headers: response.headers, body: (await response.json()) as { code?: string } }
  }
  const first = await send('?a=1&b=2', '{"title":"equal","more":{"x":1,"y":[1.0,"\u00e4"]}}')
  const again = await send('?b=2&a=1', '{ "more": { "y": [1, "ä"], "x": 1e0 },\n "title": "equal" }')
  t.deepEqual([first.status, again.status, again.headers.get('idempotent-replayed')], [201, 201, 'true'])
  t.is(await count(t.context, 'equal'), 1)
  const other = await send('?a=1&b=2', '{"title":"equal","more":{"x":1,"y":["ä",1]}}')
  t.is(other.body.code, 'idempotency_mismatch')
})

test('concurrent requests with one key take effect once', async t => {
  for (const path of ['/notes', '/own', '/anywhere', '/elsewhere']) {
    const title = `many${path}`
    const answers = await Promise.all(Array.from({ length: 30 }, () => post(t.context, path, title, 'k4')))
    t.is(await count(t.context, title), 1, path)
    t.true(answers.every(({ status, body }) => status === 201 || body.code === 'idempotency_in_progress'))
    t.is(answers.filter(({ status, headers }) => status === 201 && !headers.has('idempotent-replayed')).length, 1)
  }
})

test('concurrent repetitions of a finished request return its response', async t => {
  await post(t.context, '/notes', 'finished', 'k7')
  const answers = await Promise.all(Array.from({ length: 30 }, () => post(t.context, '/notes', 'finished', 'k7')))
  t.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]))
  t.true(answers.every(({ headers }) => headers.get('idempotent-replayed') === 'true'))
})

test('returns idempotency_in_progress while the first request runs', async t => {
  let release = () => {}
  slow.release = new Promise(resolve => {
    release = resolve
  })
  const arrived = new Promise<void>(resolve => {
    slow.arrived = resolve
  })
  const first = post(t.context, '/notes', 'slow', 'k5')
  await arrived
  t.is((await post(t.context, '/notes', 'slow', 'k5')).body.code, 'idempotency_in_progress')
  release()
  t.is((await first).status, 201)
  t.is((await post(t.context, '/notes', 'slow', 'k5')).headers.get('idempotent-replayed'), 'true')
})

test('failed requests are rolled back and not stored', async t => {
  for (const [title, status] of [
    ['crash', 500],
    ['refuse', 409],
  ] as const) {
    for (const path of ['/notes', '/own', '/anywhere']) {
      t.is((await post(t.context, path, title, 'k6')).status, status)
      const again = await post(t.context, path, title, 'k6')
      t.deepEqual([again.status, again.headers.get('idempotent-replayed')], [status, null])
    }
    t.is(await count(t.context, title), 0)
  }
})

test('failed handlers are rolled back without a key', async t => {
  t.is((await t.context.server.send('POST', '/v1/notes', { title: 'crash' }, ada)).status, 500)
  t.is(await count(t.context, 'crash'), 0)
})

test("replies that don't match their schema are rolled back", async t => {
  t.is((await t.context.server.send('POST', '/v1/unfit', { title: 'unfit' }, ada)).status, 500)
  t.is(await count(t.context, 'unfit'), 0)
})

test('routes with `idempotent: false` ignore the key', async t => {
  await post(t.context, '/never', 'twice', 'k7')
  t.is((await post(t.context, '/never', 'twice', 'k7')).headers.get('idempotent-replayed'), null)
  t.is(await count(t.context, 'twice'), 2)
})

test('rejects malformed keys', async t => {
  for (const key of ['', 'x'.repeat(256), 'ü']) {
    const { status, body } = await post(t.context, '/notes', 'bad-key', key)
    t.deepEqual([status, body.code], [422, 'validation_failed'])
  }
  t.is(await count(t.context, 'bad-key'), 0)
})

test.serial('stored responses are encrypted, belong to a tenant and expire after a day', async t => {
  const { db } = t.context
  await post(t.context, '/notes', 'sealed-title', 'k8')
  const system = db.systemDatabase.acrossTenants('the test looks')
  const { rows } = await system.query<{ tenant_id: string; answer: Buffer }>(
    'select tenant_id, answer from larder_idempotency',
  )
  t.true(rows.length > 0)
  t.true(
    rows.every(({ tenant_id, answer }) => !answer.includes('sealed-title') && ['ten_acme', ''].includes(tenant_id)),
  )
  t.is((await db.database.tenant('ten_bolt').query('select id from larder_idempotency')).rows.length, 0)
  await system.query("update larder_idempotency set expires_at = now() - interval '1 second'")
  t.is((await post(t.context, '/notes', 'sealed-title', 'k8')).headers.get('idempotent-replayed'), null)
  t.is(await count(t.context, 'sealed-title'), 2)
})

test('the request context of a write has the correlation ID and the actor', async t => {
  const { body } = await t.context.server.send('POST', '/v1/context', undefined, { ...ada, 'x-request-id': 'corr-1' })
  t.deepEqual(body, { correlationId: 'corr-1', actor: 'lgn_1' })
})

test.serial('returns 409 for a stored response that a lost secret encrypted, and has no second effect', async t => {
  const { db } = t.context
  await post(t.context, '/notes', 'unreadable', 'k9')
  const server = await startTestServer(
    { routes: routesOf(db) },
    {
      database: db.database,
      systemDatabase: db.systemDatabase,
      secrets: createSecrets(['another secret of 32 bytes']),
    },
  )
  t.teardown(() => server.stop())
  const { status, body } = await post({ ...t.context, server }, '/notes', 'unreadable', 'k9')
  t.deepEqual([status, body.code], [409, 'replay_unreadable'])
  t.is(await count(t.context, 'unreadable'), 1)
})

test('shared limits are counted in the database and store no email address', async t => {
  const { db } = t.context
  const settings = { trustProxy: 0, rateLimits: true, production: true, metricsToken: undefined, shutdownDelayMs: 0 }
  const starts = [1, 2].map(() =>
    startTestServer({ routes: routesOf(db) }, { database: db.database, systemDatabase: db.systemDatabase, settings }),
  )
  const [one, two] = (await Promise.all(starts)) as [TestServer, TestServer]
  t.teardown(() => Promise.all([one.stop(), two.stop()]))
  const guess = (server: TestServer, title: string) => server.send('POST', '/v1/guess', { title })
  t.deepEqual([(await guess(one, 'ada@x.test')).status, (await guess(two, 'ada@x.test')).status], [204, 204])
  const third = await guess(one, 'ada@x.test')
  t.deepEqual([third.status, third.headers.get('ratelimit-remaining')], [429, '0'])
  t.regex(third.headers.get('retry-after') ?? '', /^[1-9]\d?$/)
  t.is((await guess(two, 'bob@x.test')).status, 204)
  const { rows } = await db.systemDatabase
    .acrossTenants('the test looks')
    .query<{ key: string }>('select key from larder_rate_limits')
  t.is(rows.length, 2)
  t.false(JSON.stringify(rows).includes('x.test'))
})
