import test from 'ava'
import { CODE_PATTERN } from '../../../../modules/sessions/domain/code.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import { create, manualClock, type ProblemBody, type SessionBody, sessionsRecipe } from '../fixtures.ts'

const clock = manualClock()
const { kernel, ada, bob } = withPeople(
  test,
  { recipe: sessionsRecipe({ ttl: { screenshare: '10m' } }), clock },
  { ada: 'owner', bob: 'owner' },
)

const refused = async (body: unknown) => {
  const answer = await ada.post<ProblemBody>('/v1/sessions', body)
  return { ...answer.body, status: answer.status }
}
const fieldErrors = async (more: object) => {
  const { status, code, errors } = await refused({ mode: 'screenshare', ...more })
  return { status, code, errors: errors?.map(({ pointer, code }) => `${pointer} ${code}`) }
}

test.serial('creating returns 201 with a location and the specified fields', async t => {
  const body = {
    mode: 'screenshare',
    stream_profile: 'gaming',
    audio_enabled: false,
    purpose: 'support',
    customer: 'c-1',
    ttl_seconds: 90,
    webhook_url: 'https://example.com/hook',
    metadata: { ticket: 7 },
  }
  const { status, headers, body: made } = await ada.post('/v1/sessions', body)
  t.is(status, 201)
  t.is(headers.get('location'), `/v1/sessions/${made.id}`)
  t.regex(made.id, /^ses_[0-7][0-9a-hjkmnp-tv-z]{25}$/)
  t.regex(made.code, new RegExp(CODE_PATTERN))
  t.regex(made.join_token, /^jt_[\w-]{43}$/)
  const { id, code, join_token, recommended_settings, ...rest } = made
  t.deepEqual(rest, {
    mode: 'screenshare',
    stream_profile: 'gaming',
    audio_enabled: false,
    expires_in: 90,
    viewer_protocols: ['native-relay', 'browser-webrtc'],
  })
  t.like(recommended_settings, { target_fps: 60, bitrate_kbps: 18000, audio_enabled: false })
})

test.serial('creates a session from the mode alone with defaults and the configured TTL', async t => {
  const made = await create(ada)
  t.like(made, { stream_profile: 'balanced', audio_enabled: true, expires_in: 600 })
  t.deepEqual(made.recommended_settings.target_fps, 30)
  t.is((await create(ada, { mode: 'stream' })).expires_in, 43200)
  t.like((await ada.get(`/v1/sessions/${made.id}`)).body, { metadata: {}, purpose: null, customer: null })
})

test.serial('accepts every mode and profile and returns its recommended settings', async t => {
  const rows = {
    balanced: [30, 12000, 'balanced', 'desktop'],
    crisp: [30, 16000, 'balanced', 'desktop'],
    low_latency: [60, 9000, 'interactive', 'desktop'],
    gaming: [60, 18000, 'interactive', 'game-or-app'],
  }
  for (const mode of ['screenshare', 'stream'])
    for (const [stream_profile, row] of Object.entries(rows))
      for (const audio_enabled of [true, false]) {
        const { recommended_settings: settings, ...made } = await create(ada, { mode, stream_profile, audio_enabled })
        t.like(made, { mode, stream_profile, audio_enabled })
        const { target_fps, bitrate_kbps, latency_profile, capture_profile, ...rest } = settings
        t.deepEqual([target_fps, bitrate_kbps, latency_profile, capture_profile], row)
        t.deepEqual(Object.keys(rest).sort(), ['audio_enabled', 'recommended_use'])
        t.is(rest.audio_enabled, audio_enabled)
      }
})

test.serial('reads a session with the specified fields, without join token and expires_in', async t => {
  const made = await create(ada, { customer: 'c', purpose: 'p', metadata: { a: { b: [1, null] } }, ttl_seconds: 60 })
  const { status, body } = await ada.get(`/v1/sessions/${made.id}`)
  const { join_token, expires_in, ...same } = made
  t.is(status, 200)
  t.deepEqual(body, {
    ...same,
    purpose: 'p',
    customer: 'c',
    metadata: { a: { b: [1, null] } },
    status: 'created',
    workspace_id: ada.tenantId,
    created_at: new Date(clock.now()).toISOString(),
    expires_at: new Date(clock.now() + 60_000).toISOString(),
    accepted_at: null,
    ended_at: null,
    end_reason: null,
  })
})

test.serial('accepts each field at its limit and rejects it above', async t => {
  const keys = (n: number) => Object.fromEntries(Array.from({ length: n }, (_, at) => [`k${at}`, 1]))
  const url = (length: number) => `https://example.com/${'x'.repeat(length - 20)}`
  const fits = { purpose: 'x'.repeat(500), customer: 'x'.repeat(255), webhook_url: url(2048), metadata: keys(50) }
  await create(ada, { ...fits, ttl_seconds: 86400 })
  await create(ada, { mode: 'stream', ttl_seconds: 604800 })
  await create(ada, { ttl_seconds: 1, metadata: { a: 'x'.repeat(16376) } })
  const over = {
    purpose: 'x'.repeat(501),
    customer: 'x'.repeat(256),
    webhook_url: url(2049),
    metadata: keys(51),
    ttl_seconds: 0,
  }
  t.deepEqual((await fieldErrors(over)).errors?.sort(), [
    '/customer too_long',
    '/metadata too_many',
    '/purpose too_long',
    '/ttl_seconds too_small',
    '/webhook_url too_long',
  ])
  t.deepEqual((await fieldErrors({ ttl_seconds: 86401 })).errors, ['/ttl_seconds too_large'])
  t.deepEqual((await fieldErrors({ mode: 'stream', ttl_seconds: 604801 })).errors, ['/ttl_seconds too_large'])
  t.deepEqual((await fieldErrors({ metadata: { a: 'x'.repeat(16377) } })).errors, ['/metadata too_large'])
  t.deepEqual((await fieldErrors({ metadata: { a: { a: { a: { a: { a: {} } } } } } })).errors, ['/metadata too_deep'])
  t.is((await fieldErrors({ metadata: { ['k'.repeat(65)]: 1 } })).status, 422)
  t.is((await fieldErrors({ metadata: { a: { ['k'.repeat(65)]: 1 } } })).status, 422)
})

test.serial('reports unknown values, wrong types and unknown fields together', async t => {
  const { status, code, errors } = await refused({
    mode: 'video',
    stream_profile: 'ultra',
    audio_enabled: 'yes',
    ttl_seconds: 1.5,
    metadata: [],
    webhook_events: ['session.created', 'session.paused'],
    colour: 'red',
  })
  t.is(status, 422)
  t.is(code, 'validation_failed')
  t.deepEqual(errors?.map(({ pointer }) => pointer).sort(), [
    '/audio_enabled',
    '/colour',
    '/metadata',
    '/mode',
    '/stream_profile',
    '/ttl_seconds',
    '/webhook_events/1',
  ])
  t.deepEqual((await refused({})).errors?.[0]?.pointer, '/mode')
})

test.serial('rejects server-owned fields on creation', async t => {
  for (const field of ['id', 'code', 'join_token', 'status', 'workspace_id', 'tenantId', 'expires_at', 'expires_in'])
    t.deepEqual((await fieldErrors({ [field]: 'x' })).errors, [`/${field} unknown_field`])
})

test.serial('rejects webhook URLs that are not absolute http or https URLs', async t => {
  for (const webhook_url of ['', 'hook', '/hook', 'ftp://example.com/', 'javascript:alert(1)', 'http://'])
    t.is((await fieldErrors({ webhook_url })).status, 422, webhook_url)
})

test.serial(
  'reading and creating require credential, tenant and permission; ids of other tenants are not found',
  async t => {
    const { id } = await create(ada)
    const foreign = await bob.get<ProblemBody>(`/v1/sessions/${id}`)
    const unknown = await bob.get<ProblemBody>('/v1/sessions/ses_0000000000000000000000000a')
    t.is(foreign.status, 404)
    t.is(foreign.body.detail, unknown.body.detail)
    t.is((await kernel.get(`/v1/sessions/${id}`)).status, 401)
    t.is((await kernel.post('/v1/sessions', { mode: 'stream' })).status, 401)
    t.is((await kernel.as(ada.apiKey).get(`/v1/sessions/${id}`)).status, 200)
    t.is((await kernel.as(bob.apiKey).get(`/v1/sessions/${id}`)).status, 404)
    t.is((await kernel.as(ada.apiKey).post('/v1/sessions', { mode: 'stream' })).status, 201)
    const key = await ada.post<{ key: string }>('/v1/identity/api-keys', {
      name: 'reader',
      permissions: ['sessions.session.read'],
    })
    const reader = kernel.as(key.body.key)
    t.is((await reader.get(`/v1/sessions/${id}`)).status, 200)
    const denied = await reader.post<ProblemBody>('/v1/sessions', { mode: 'stream' })
    t.is(denied.status, 403)
    t.is(denied.body.requiredPermission, 'sessions.session.create')
  },
)

test.serial('pages through the sessions of one tenant, newest first', async t => {
  const eve = await kernel.register('eve@example.test')
  const made: string[] = []
  for (let at = 0; at < 5; at++) {
    clock.forward(1)
    made.unshift((await create(eve)).id)
  }
  const first = await eve.get('/v1/sessions?limit=2')
  t.is(first.body.data.length, 2)
  const seen = await kernel.all<SessionBody>(eve, '/v1/sessions?limit=2')
  t.deepEqual(
    seen.map(({ id }) => id),
    made,
  )
  t.is((await eve.get<ProblemBody>('/v1/sessions?cursor=nonsense')).body.code, 'invalid_cursor')
  t.is((await eve.get('/v1/sessions?colour=red')).status, 400)
})

test.serial('filters by current status, mode, customer and code in any notation', async t => {
  const eve = await kernel.register('filter@example.test')
  const [created, accepted, ended, expired] = [
    await create(eve, { ttl_seconds: 3600, customer: 'c' }),
    await create(eve, { mode: 'stream' }),
    await create(eve),
    await create(eve, { ttl_seconds: 1 }),
  ]
  await eve.post(`/v1/sessions/${accepted?.id}/accept`)
  await eve.post(`/v1/sessions/${ended?.id}/end`)
  clock.forward(1000)
  const ids = async (query: string) => (await eve.get(`/v1/sessions?${query}`)).body.data.map(({ id }) => id)
  t.deepEqual(await ids('filter[status]=created'), [created?.id])
  t.deepEqual(await ids('filter[status]=accepted'), [accepted?.id])
  t.deepEqual(await ids('filter[status]=ended'), [ended?.id])
  t.deepEqual(await ids('filter[status]=expired'), [expired?.id])
  t.deepEqual(await ids('filter[mode]=stream'), [accepted?.id])
  t.deepEqual(await ids('filter[customer]=c'), [created?.id])
  t.deepEqual(await ids(`filter[code]=${created?.code.toLowerCase().replaceAll('-', '')}`), [created?.id])
  t.deepEqual(await ids('filter[code]=222-222-222'), [])
  t.is((await eve.get('/v1/sessions?filter[status]=paused')).status, 422)
})

test.serial('replays the response, including the join token, for the same Idempotency-Key', async t => {
  const options = { headers: { 'idempotency-key': 'once' } }
  const [one, two] = [
    await ada.post('/v1/sessions', { mode: 'stream', customer: 'idem' }, options),
    await ada.post('/v1/sessions', { mode: 'stream', customer: 'idem' }, options),
  ]
  t.deepEqual(one?.body, two?.body)
  t.is(two?.headers.get('idempotent-replayed'), 'true')
  const { body } = await ada.get('/v1/sessions?filter[customer]=idem')
  t.is(body.data.length, 1)
})
