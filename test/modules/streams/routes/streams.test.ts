import test from 'ava'
import { withPeople } from '../../../fixtures/with-people.ts'
import { create, expectStatus, type ProblemBody, streamsRecipe } from '../fixtures.ts'

const { kernel, people, ada, bob } = withPeople(test, { recipe: streamsRecipe() }, { ada: 'owner', bob: 'owner' })

test('creates a stream from an empty body with session and stream fields', async t => {
  const { status, body, headers } = await ada.post('/v1/streams', {})
  t.is(status, 201)
  t.is(headers.get('location'), `/v1/streams/${body.id}`)
  t.deepEqual(Object.keys(body).sort(), [
    'audio_enabled',
    'code',
    'expires_in',
    'id',
    'join_token',
    'media_path',
    'mode',
    'recommended_settings',
    'stream_profile',
    'title',
    'viewer_protocols',
    'visibility',
  ])
  t.like(body, {
    mode: 'stream',
    visibility: 'private',
    title: null,
    media_path: `live/${body.id}`,
    expires_in: 43_200,
  })
  t.regex(body.join_token, /^jt_[\w-]{43}$/)
})

test('reads a stream with every field except its token', async t => {
  const input = {
    mode: 'stream',
    stream_profile: 'gaming',
    audio_enabled: false,
    purpose: 'cup',
    customer: 'c1',
    ttl_seconds: 604_800,
    metadata: { a: 1 },
    title: 'Final',
    description: 'Live',
    visibility: 'public',
    tags: ['cup', 'final'],
    hide_viewer_count: true,
  }
  const made = await create(ada, input)
  const stream = expectStatus(200, await ada.get(`/v1/streams/${made.id}`))
  const { recommended_settings, created_at, expires_at, playback, layout, ...rest } = stream
  t.deepEqual(rest, {
    id: made.id,
    code: made.code,
    mode: 'stream',
    stream_profile: 'gaming',
    audio_enabled: false,
    purpose: 'cup',
    customer: 'c1',
    metadata: { a: 1 },
    status: 'created',
    viewer_protocols: ['native-relay', 'browser-webrtc'],
    workspace_id: ada.tenantId,
    accepted_at: null,
    ended_at: null,
    end_reason: null,
    title: 'Final',
    description: 'Live',
    visibility: 'public',
    tags: ['cup', 'final'],
    hide_viewer_count: true,
    live_status: 'idle',
    live_at: null,
    media_path: `live/${made.id}`,
    sources: [],
    viewer_count: 0,
  })
  t.deepEqual(playback, {
    whep_url: `http://localhost:8889/live/${made.id}/whep`,
    hls_url: `http://localhost:8888/live/${made.id}/index.m3u8`,
  })
  t.deepEqual(layout, { kind: 'single', slots: [], focus_source_id: null, metadata: {}, version: 0 })
  t.is(Date.parse(String(expires_at)) - Date.parse(String(created_at)), 604_800_000)
})

test('a session of mode stream is a private stream', async t => {
  const { id } = expectStatus(201, await ada.post('/v1/sessions', { mode: 'stream' }))
  t.like(expectStatus(200, await ada.get(`/v1/streams/${id}`)), {
    visibility: 'private',
    live_status: 'idle',
  })
})

test('a screen share is not a stream', async t => {
  const { id } = expectStatus(201, await ada.post('/v1/sessions', { mode: 'screenshare' }))
  for (const path of ['', '/sources', '/layout', '/tokens', '/media'])
    t.is((await ada.get<ProblemBody>(`/v1/streams/${id}${path}`)).status, 404, path)
})

const TOO_MUCH: [string, unknown][] = [
  ['mode', 'screenshare'],
  ['title', 'x'.repeat(256)],
  ['description', 'x'.repeat(2001)],
  ['visibility', 'secret'],
  ['tags', Array.from({ length: 11 }, (_, i) => `t${i}`)],
  ['tags', ['x'.repeat(33)]],
  ['hide_viewer_count', 'yes'],
  ['ttl_seconds', 604_801],
  ['ttl_seconds', 0],
  ['stream_profile', 'best'],
  ['purpose', 'x'.repeat(501)],
  ['customer', 'x'.repeat(256)],
  ['webhook_events', ['stream.nothing']],
  ['metadata', { ['x'.repeat(65)]: 1 }],
  ['surprise', 1],
]
for (const [field, value] of TOO_MUCH)
  test(`rejects a stream with ${field} ${JSON.stringify(value).slice(0, 40)}`, async t => {
    const { status, body } = await ada.post<ProblemBody>('/v1/streams', { [field]: value })
    t.is(status, 422)
    t.is(body.code, 'validation_failed')
    t.true(
      body.errors?.some(({ pointer }) => pointer.startsWith(`/${field}`)),
      JSON.stringify(body.errors),
    )
  })

test('pages through streams only, newest first', async t => {
  const person = await people.person()
  await person.post('/v1/sessions', { mode: 'screenshare' })
  const made = [await create(person), await create(person, { customer: 'x' }), await create(person)]
  const first = expectStatus(200, await person.get('/v1/streams?limit=2'))
  t.deepEqual(
    first.data.map(({ id }) => id),
    [made[2]?.id, made[1]?.id],
  )
  const next = await person.get(`/v1/streams?limit=2&cursor=${first.next_cursor}`)
  t.deepEqual(
    next.body.data.map(({ id }) => id),
    [made[0]?.id],
  )
  t.is(next.body.next_cursor, null)
  const filtered = await person.get('/v1/streams?filter[customer]=x')
  t.deepEqual(
    filtered.body.data.map(({ id }) => id),
    [made[1]?.id],
  )
  t.is((await person.get<ProblemBody>('/v1/streams?cursor=nonsense')).body.code, 'invalid_cursor')
})

test('the directory lists public streams of all workspaces with public fields only', async t => {
  const shown = await create(ada, { visibility: 'public', title: 'Shown', metadata: { secret: 1 }, purpose: 'p' })
  const hidden = await create(bob, { visibility: 'public', hide_viewer_count: true })
  const secret = await create(ada, { visibility: 'private' })
  const over = await create(bob, { visibility: 'public' })
  await bob.post(`/v1/sessions/${over.id}/end`)
  const { data } = expectStatus(200, await kernel.get('/v1/streams/public?limit=200'))
  const ids = data.map(({ id }) => id)
  t.deepEqual(
    [shown, hidden, secret, over].map(({ id }) => ids.includes(id)),
    [true, true, false, false],
  )
  const found = data.find(({ id }) => id === shown.id)
  t.deepEqual(Object.keys(found ?? {}).sort(), [
    'created_at',
    'description',
    'id',
    'live_at',
    'live_status',
    'playback',
    'stream_profile',
    'tags',
    'title',
    'viewer_count',
  ])
  t.is(found?.viewer_count, 0)
  t.is(data.find(({ id }) => id === hidden.id)?.viewer_count, null)
})

test('finished streams do not shorten the pages of the directory', async t => {
  for (let i = 0; i < 5; i++) {
    const { id } = await create(ada, { visibility: 'public' })
    if (i % 2 === 1) await ada.post(`/v1/sessions/${id}/end`)
  }
  const all = await kernel.get('/v1/streams/public?limit=200')
  const walked: string[] = []
  let cursor = ''
  for (;;) {
    const { body } = await kernel.get(`/v1/streams/public?limit=2${cursor}`)
    walked.push(...body.data.map(({ id }) => id))
    if (body.next_cursor === null) break
    t.is(body.data.length, 2)
    cursor = `&cursor=${body.next_cursor}`
  }
  t.deepEqual(
    walked,
    all.body.data.map(({ id }) => id),
  )
})

test('streams of another workspace are not found', async t => {
  const { id } = await create(ada, { visibility: 'public' })
  const calls: [string, string, unknown?][] = [
    ['GET', ''],
    ['GET', '/sources'],
    ['POST', '/sources', { kind: 'screen' }],
    ['DELETE', '/sources/x'],
    ['GET', '/layout'],
    ['POST', '/layout', { kind: 'grid' }],
    ['GET', '/tokens'],
    ['POST', '/tokens', { role: 'viewer' }],
    ['DELETE', '/tokens/stk_x'],
  ]
  for (const [method, path, body] of calls) {
    const answer = await bob.call<ProblemBody>(method, `/v1/streams/${id}${path}`, body)
    t.is(answer.status, 404, `${method} ${path}`)
    t.is(answer.body.detail, 'No stream has this ID.')
  }
})

test('creating and reading streams requires the permission', async t => {
  t.is((await kernel.post('/v1/streams', {})).status, 401)
  const weak = expectStatus(
    201,
    await ada.post<{ key: string }>('/v1/identity/api-keys', { name: 'reader', permissions: ['streams.stream.read'] }),
  )
  const { status, body } = await kernel.as(weak.key).post<ProblemBody>('/v1/streams', {})
  t.is(status, 403)
  t.is(body.requiredPermission, 'streams.stream.create')
  t.is((await kernel.as(weak.key).get('/v1/streams')).status, 200)
})

test('a title is one visible line, and without one it is null', async t => {
  const titleOf = async (title: string) => {
    const { id } = await create(ada, { title })
    return expectStatus(200, await ada.get(`/v1/streams/${id}`)).title
  }
  t.is(await titleOf(' Grand\r\n\u202efinal\t👩‍👩‍👧 '), 'Grand final 👩‍👩‍👧')
  for (const nothing of ['', ' ', '\u200b', '\u3164', '\u2800']) t.is(await titleOf(nothing), null)
})
