import test from 'ava'
import pg from 'pg'
import type { Person } from '../../../../testing/index.ts'
import type { StreamLayout as LayoutBody, StreamSource as SourceBody } from '../../../fixtures/api-types.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import { role } from '../../identity/fixtures.ts'
import { create, expectStatus, type ProblemBody, type StreamBody, streamsRecipe } from '../fixtures.ts'

const { kernel, people, clock, ada } = withPeople(test, { recipe: streamsRecipe(), clock: true }, { ada: 'owner' })

test('creates a source from the kind alone', async t => {
  const { id } = await create(ada)
  for (const kind of ['screen', 'window', 'camera', 'microphone', 'game', 'external']) {
    const { status, body, headers } = await ada.post(`/v1/streams/${id}/sources`, { kind })
    t.is(status, 201)
    t.regex(body.source_id, /^src_/)
    t.is(headers.get('location'), `/v1/streams/${id}/sources/${body.source_id}`)
    const { source_id, created_at, updated_at, ...rest } = body
    t.is(created_at, updated_at)
    t.deepEqual(rest, { kind, label: null, width: null, height: null, fps: null, url: null, metadata: {} })
  }
  const { data } = expectStatus(200, await ada.get(`/v1/streams/${id}/sources`))
  t.is(data.length, 6)
})

test('activity tells changes of a stream to those who may read streams, not to all who read its session', async t => {
  const { id } = await create(ada)
  // Who created the stream has no entry about a change of theirs.
  expectStatus(201, await kernel.as(ada.apiKey).post(`/v1/streams/${id}/sources`, { kind: 'camera' }))
  const readerWith = async (key: string, permissions: readonly string[]) =>
    people.colleague(ada, [await role(ada, key, ['sessions.session.read', ...permissions])])
  const told = async (client: Pick<Person, 'get'>) => {
    const { data } = expectStatus(200, await client.get('/v1/platform/activity?limit=50'))
    const own = (data as { subjectId: string; sentence: string }[]).filter(({ subjectId }) => subjectId === id)
    return own.map(({ sentence }) => sentence)
  }
  const created = 'Somebody created {subject}'
  t.deepEqual(await told(await readerWith('team.viewer', ['streams.stream.read'])), [
    'Somebody changed {subject}',
    created,
  ])
  t.deepEqual(await told(await readerWith('team.caller', [])), [created])
})

test('replaces a source with the same id', async t => {
  const { id } = await create(ada)
  const path = `/v1/streams/${id}/sources`
  const whole = {
    source_id: 'main',
    kind: 'screen',
    label: 'Desk',
    width: 1920,
    height: 1080,
    fps: 30,
    metadata: { a: 1 },
  }
  t.like(expectStatus(201, await ada.post<SourceBody>(path, whole)), whole)
  const again = expectStatus(200, await ada.post<SourceBody>(path, { source_id: 'main', kind: 'camera' }))
  t.like(again, { source_id: 'main', kind: 'camera', label: null, width: null })
  const stream = expectStatus(200, await ada.get(`/v1/streams/${id}`))
  t.deepEqual(
    stream.sources.map(({ source_id }) => source_id),
    ['main'],
  )
})

const WRONG: [string, Record<string, unknown>][] = [
  ['/kind', { kind: 'radio' }],
  ['/kind', {}],
  ['/source_id', { kind: 'screen', source_id: 'a b' }],
  ['/source_id', { kind: 'screen', source_id: 'x'.repeat(65) }],
  ['/label', { kind: 'screen', label: 'x'.repeat(129) }],
  ['/width', { kind: 'screen', width: 15 }],
  ['/height', { kind: 'screen', height: 16_385 }],
  ['/fps', { kind: 'screen', fps: 0 }],
  ['/fps', { kind: 'screen', fps: 241 }],
  ['/url', { kind: 'screen', url: 'https://cam.example/1' }],
  ['/url', { kind: 'external', url: 'javascript:alert(1)' }],
  ['/width', { kind: 'microphone', width: 100 }],
  ['/fps', { kind: 'microphone', fps: 30 }],
  ['/metadata', { kind: 'screen', metadata: { a: 'x'.repeat(4096) } }],
  ['/surprise', { kind: 'screen', surprise: 1 }],
]
for (const [pointer, body] of WRONG)
  test(`rejects a source with ${JSON.stringify(body).slice(0, 60)}`, async t => {
    const { id } = await create(ada)
    const answer = await ada.post<ProblemBody>(`/v1/streams/${id}/sources`, body)
    t.is(answer.status, 422)
    t.true(
      answer.body.errors?.some(error => error.pointer === pointer),
      JSON.stringify(answer.body.errors),
    )
  })

test('limits a stream to 16 sources, also with concurrent requests', async t => {
  const { id } = await create(ada)
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => ada.post<ProblemBody>(`/v1/streams/${id}/sources`, { kind: 'screen' })),
  )
  const statuses = answers.map(({ status }) => status).sort()
  t.deepEqual(statuses, [...Array(16).fill(201), ...Array(4).fill(409)])
  t.is(answers.find(({ status }) => status === 409)?.body.code, 'too_many_sources')
})

test('checks If-Match against the layout version', async t => {
  const { id } = await create(ada)
  const path = `/v1/streams/${id}/layout`
  const none = await ada.get<LayoutBody>(path)
  t.deepEqual(none.body, { kind: 'single', slots: [], focus_source_id: null, metadata: {}, version: 0 })
  t.is(none.headers.get('etag'), '"0"')
  for (const kind of ['single', 'horizontal', 'vertical', 'grid', 'focus'] as const)
    t.is(expectStatus(200, await ada.post<LayoutBody>(path, { kind })).kind, kind)
  const fifth = await ada.get<LayoutBody>(path)
  t.is(fifth.body.version, 5)
  t.is(fifth.headers.get('etag'), '"5"')
  t.is((await ada.post(path, { kind: 'grid' }, { headers: { 'if-match': '"4"' } })).status, 412)
  const next = await ada.post<LayoutBody>(path, { kind: 'grid' }, { headers: { 'if-match': '"5"' } })
  t.is(next.body.version, 6)
  t.is((await ada.get(path, { headers: { 'if-none-match': '"6"' } })).status, 304)
  const racers = await Promise.all(
    Array.from({ length: 5 }, () => ada.post(path, { kind: 'focus' }, { headers: { 'if-match': '"6"' } })),
  )
  t.deepEqual(racers.map(({ status }) => status).sort(), [200, 412, 412, 412, 412])
})

test('a layout accepts only existing sources and drops removed ones', async t => {
  const { id } = await create(ada)
  for (const source_id of ['a', 'b']) await ada.post(`/v1/streams/${id}/sources`, { source_id, kind: 'screen' })
  const path = `/v1/streams/${id}/layout`
  const wrong = await ada.post<ProblemBody>(path, {
    kind: 'focus',
    slots: [
      { source_id: 'a', order: 0 },
      { source_id: 'x', order: 1 },
      { source_id: 'a', order: 2 },
    ],
    focus_source_id: 'y',
  })
  t.is(wrong.status, 422)
  t.deepEqual(
    wrong.body.errors?.map(({ pointer, code }) => [pointer, code]),
    [
      ['/slots/1/source_id', 'unknown_source'],
      ['/slots/2/source_id', 'duplicate'],
      ['/focus_source_id', 'unknown_source'],
    ],
  )
  const slots = [
    { source_id: 'a', order: 0 },
    { source_id: 'b', order: 1 },
  ]
  const right = { kind: 'focus', slots, focus_source_id: 'a', metadata: { theme: 'dark' } }
  t.like(expectStatus(200, await ada.post<LayoutBody>(path, right)), { ...right, version: 1 })
  t.is((await ada.delete(`/v1/streams/${id}/sources/a`)).status, 204)
  t.like(expectStatus(200, await ada.get<LayoutBody>(path)), {
    kind: 'focus',
    slots: [{ source_id: 'b', order: 1 }],
    focus_source_id: null,
    version: 2,
  })
  const gone = await ada.delete<ProblemBody>(`/v1/streams/${id}/sources/a`)
  t.is(gone.status, 404)
  t.is(gone.body.detail, 'No source has this ID.')
})

/** Creates a stream with one source in each state. */
async function into(state: string) {
  const { id } = await create(ada, { ttl_seconds: 60 })
  expectStatus(201, await ada.post(`/v1/streams/${id}/sources`, { source_id: 'a', kind: 'screen' }))
  if (state === 'accepted' || state === 'ended') await ada.post(`/v1/sessions/${id}/${state.slice(0, -2)}`, {})
  if (state === 'expired') clock.forward(60_000)
  return id
}

for (const [state, allowed] of [
  ['created', true],
  ['accepted', true],
  ['ended', false],
  ['expired', false],
] as const)
  test.serial(
    `a stream that is ${state} ${allowed ? 'accepts changes' : 'rejects changes but can be read'}`,
    async t => {
      const id = await into(state)
      const path = `/v1/streams/${id}`
      t.is(expectStatus(200, await ada.get<StreamBody>(path)).status, state)
      const calls: [number, string, string, unknown?][] = [
        [201, 'POST', '/sources', { kind: 'camera' }],
        [200, 'POST', '/sources', { kind: 'game', source_id: 'a' }],
        [200, 'POST', '/layout', { kind: 'grid' }],
        [201, 'POST', '/tokens', { role: 'viewer' }],
        [204, 'DELETE', '/sources/a'],
      ]
      for (const [status, method, end, body] of calls) {
        const answer = await ada.call<ProblemBody>(method, `${path}${end}`, body)
        t.is(answer.status, allowed ? status : 409, `${method} ${end}`)
        if (!allowed) t.is(answer.body.code, 'invalid_state')
      }
      for (const end of ['/sources', '/layout', '/tokens', '/media']) t.is((await ada.get(`${path}${end}`)).status, 200)
    },
  )

test.serial('rejects a change that loses the race against the end', async t => {
  const { id } = await create(ada)
  const [owner, watcher] = [1, 2].map(() => new pg.Client(kernel.databaseUrl)) as [pg.Client, pg.Client]
  for (const client of [owner, watcher]) {
    client.on('error', () => {})
    await client.connect()
    t.teardown(() => client.end())
  }
  await owner.query('begin')
  await owner.query(`update sessions_sessions set status = 'ended', ended_at = now() where id = $1`, [id])
  // It still reads the previous status and waits for the lock.
  const answer = ada.post<ProblemBody>(`/v1/streams/${id}/sources`, { kind: 'screen' })
  const waits = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
    and query like '%set "sequence" = "sequence" + 1%'`
  while ((await watcher.query(waits)).rowCount === 0) await new Promise(resolve => setTimeout(resolve, 10))
  await owner.query('commit')
  t.is((await answer).status, 409)
  t.is((await ada.get(`/v1/streams/${id}/sources`)).body.data.length, 0)
})
