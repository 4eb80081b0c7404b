import test from 'ava'
import { startTestKernel, type TestKernel } from '../../../../testing/index.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import { create, EDGE_SECRET, expectStatus, startStreams, streamsRecipe } from '../fixtures.ts'

// With rate limits, as in production.
const { kernel, ada } = withPeople(
  test,
  { recipe: streamsRecipe(), env: { RATE_LIMITS: 'on' }, role: 'web' },
  { ada: 'owner' },
)

const hook = (kernel: TestKernel, name: string, body: unknown, secret = EDGE_SECRET) =>
  kernel.post<{ code: string }>(`/v1/media/edge/${name}?secret=${encodeURIComponent(secret)}`, body)
/** The complete body that MediaMTX sends. */
const question = (id: string, more: object = {}) => ({
  user: '',
  password: '',
  token: '',
  ip: '192.0.2.1',
  action: 'read',
  path: `live/${id}`,
  protocol: 'webrtc',
  id: 'a0c2e8f4-0000-4000-8000-000000000001',
  query: '',
  userAgent: 'later versions send more',
  ...more,
})

test('the hooks of the edge are not rate limited', async t => {
  const { id } = await create(ada, { visibility: 'public' })
  const statuses = new Set<number>()
  for (let round = 0; round < 20; round++) {
    const responses = Array.from({ length: 20 }, (_, at) =>
      hook(kernel, 'auth', question(id, { id: `${round}.${at}` })),
    )
    for (const { status, headers } of await Promise.all(responses)) {
      statuses.add(status)
      t.is(headers.get('ratelimit-limit'), null)
    }
  }
  for (let at = 0; at < 100; at++)
    statuses.add((await hook(kernel, 'events', { event: at % 2 ? 'not_ready' : 'ready', path: `live/${id}` })).status)
  t.deepEqual([...statuses], [204])
})

test('rejects malformed hook requests without effect', async t => {
  const { id } = await create(ada, { visibility: 'public' })
  const long = 'x'.repeat(513)
  for (const body of [{}, { action: 'read' }, question(id, { path: 7 }), question(id, { path: long }), 'x', []])
    t.true([400, 422].includes((await hook(kernel, 'auth', body)).status), JSON.stringify(body).slice(0, 60))
  for (const action of ['api', 'metrics', 'pprof', 'record', ''])
    t.is((await hook(kernel, 'auth', question(id, { action }))).status, 401, action)
  for (const body of [{}, { event: 'ready' }, { event: 'gone', path: `live/${id}` }, { event: 'ready', path: long }])
    t.is((await hook(kernel, 'events', body)).status, 422, JSON.stringify(body).slice(0, 60))
  for (const path of ['', 'live', 'live/', `other/${id}`, `live/${id}/x`, 'live/ses_00000000000000000000000000'])
    t.is((await hook(kernel, 'events', { event: 'ready', path })).status, 204, path)
  t.is(expectStatus(200, await ada.get(`/v1/streams/${id}`)).live_status, 'idle')
})

test('rejects hooks for sessions that are not streams', async t => {
  const made = await ada.post('/v1/sessions', { mode: 'screenshare' })
  const { id, join_token: token } = expectStatus(201, made)
  for (const action of ['publish', 'read', 'playback'])
    t.is((await hook(kernel, 'auth', question(id, { action, token }))).status, 401, action)
  t.is((await hook(kernel, 'events', { event: 'ready', path: `live/${id}` })).status, 204)
  t.is((await ada.get(`/v1/streams/${id}`)).status, 404)
})

test('reports a disabled edge and rejects hooks if the recipe has no edge', async t => {
  const modules = { identity: {}, comms: {}, sessions: {}, streams: {} }
  const kernel = await startTestKernel({ recipe: { modules }, role: 'web' })
  t.teardown(() => kernel.stop())
  const ada = await kernel.register('ada@example.test')
  const { id } = await create(ada, { visibility: 'public' })
  t.deepEqual(expectStatus(200, await kernel.get('/v1/media/edge')), {
    provider: 'mediamtx',
    enabled: false,
    whip: false,
    whep: false,
    hls: false,
    ll_hls: false,
    sfu: false,
    simulcast: false,
    latency_profiles: ['interactive-webrtc', 'low-latency-hls', 'stable-hls'],
  })
  t.is(expectStatus(200, await kernel.get(`/v1/streams/${id}/media`)).enabled, false)
  for (const secret of ['', EDGE_SECRET]) t.is((await hook(kernel, 'auth', question(id), secret)).status, 401)
})

test('an edge without a secret is off, because it would refuse everyone', async t => {
  const kernel = await startStreams({ edge: { apiUrl: 'http://127.0.0.1:9', webrtcUrl: 'http://edge.test' } })
  t.teardown(() => kernel.stop())
  const ada = await kernel.register('ada@example.test')
  const { id } = await create(ada, { visibility: 'public' })
  t.like(expectStatus(200, await kernel.get('/v1/media/edge')), { enabled: false, whip: false, hls: false })
  const record = expectStatus(200, await kernel.get(`/v1/streams/${id}/media`))
  t.deepEqual([record.enabled, record.whep_url], [false, `http://edge.test/live/${id}/whep`])
})

test('builds URLs from the configured base URLs and prefix', async t => {
  const edge = { webrtcUrl: 'https://w.example.test/rtc/', hlsUrl: 'https://h.example.test//', prefix: 'a/b-c/' }
  const kernel = await startStreams({ edge: { ...edge, secret: EDGE_SECRET } }, { role: 'web' })
  t.teardown(() => kernel.stop())
  const ada = await kernel.register('ada@example.test')
  const { id, media_path } = await create(ada, { visibility: 'public' })
  t.is(media_path, `a/b-c/${id}`)
  t.like(expectStatus(200, await ada.get(`/v1/streams/${id}/media`)), {
    media_path,
    whip_url: `https://w.example.test/rtc/a/b-c/${id}/whip`,
    whep_url: `https://w.example.test/rtc/a/b-c/${id}/whep`,
    hls_url: `https://h.example.test/a/b-c/${id}/index.m3u8`,
  })
  t.is((await hook(kernel, 'auth', question(id, { path: media_path }))).status, 204)
  t.is((await hook(kernel, 'auth', question(id))).status, 401)
})

test('requireAccept allows publishing but no playback before acceptance', async t => {
  const edge = { secret: EDGE_SECRET }
  const kernel = await startStreams({ edge, requireAccept: true }, { role: 'web' })
  t.teardown(() => kernel.stop())
  const ada = await kernel.register('ada@example.test')
  const [open, closed] = [await create(ada, { visibility: 'public' }), await create(ada)]
  const authorizations = async () => {
    const rows = [open, closed].flatMap(({ id, join_token: token }) =>
      ['publish', 'read', 'playback'].map(action => question(id, { action, token })),
    )
    return (await Promise.all(rows.map(row => hook(kernel, 'auth', row)))).map(({ status }) => status)
  }
  t.deepEqual(await authorizations(), [204, 401, 401, 204, 401, 401])
  for (const { id } of [open, closed]) await ada.post(`/v1/sessions/${id}/accept`)
  t.deepEqual(await authorizations(), Array(6).fill(204))
})
