import test from 'ava'
import { recommendedSettings } from '../../../../modules/sessions/domain/profiles.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import { create, type ProblemBody, sessionsRecipe, startSessions } from '../fixtures.ts'

const { kernel, ada } = withPeople(
  test,
  {
    recipe: sessionsRecipe({
      relay: { host: 'relay.test', udpPort: 7001 },
      turn: { urls: ['stun:turn.test:3478', 'turn:turn.test:3478'], secret: 'a secret of coturn' },
    }),
    env: { PUBLIC_URL: 'https://live.test' },
  },
  { ada: 'owner' },
)

interface Joined {
  readonly ice_servers: { urls: string[]; username?: string; credential?: string }[]
  readonly features: string[]
  readonly viewer_protocols: string[]
}
const join = (join_token: unknown) => kernel.post<Joined & ProblemBody>('/v1/join', { join_token })

test('the join response has the specified fields and the ICE servers', async t => {
  const made = await create(ada, { stream_profile: 'gaming', webhook_url: 'https://example.com/', metadata: { a: 1 } })
  const { status, body } = await join(made.join_token)
  const { ice_servers, ...record } = body
  t.is(status, 200)
  t.deepEqual(record as object, {
    id: made.id,
    code: made.code,
    mode: 'screenshare',
    stream_profile: 'gaming',
    audio_enabled: true,
    status: 'created',
    signaling_url: 'wss://live.test/v1/streams/realtime',
    relay_host: 'relay.test',
    relay_udp_port: 7001,
    rtc_url: 'wss://live.test/v1/streams/realtime',
    viewer_protocols: ['native-relay', 'browser-webrtc'],
    features: ['relay-routing', 'browser-viewer', 'system-audio', 'adaptive-bitrate', 'low-latency', 'webhooks'],
    recommended_settings: recommendedSettings('gaming', true),
  })
  t.is(ice_servers.length, 2)
  t.regex(ice_servers[1]?.username ?? '', new RegExp(`^\\d{10}:${made.id}$`))
})

test('a stream offers every protocol', async t => {
  const { body } = await join((await create(ada, { mode: 'stream' })).join_token)
  t.deepEqual(body.viewer_protocols, ['native-relay', 'browser-webrtc', 'webrtc-whep', 'hls', 'll-hls'])
})

test('a join token can be used repeatedly', async t => {
  const { join_token } = await create(ada)
  for (let at = 0; at < 3; at++) t.is((await join(join_token)).status, 200)
})

test('rejects codes, ids and guesses as join tokens', async t => {
  const { code, id } = await create(ada)
  for (const guess of [code, id, '', 'jt_', `jt_${'A'.repeat(43)}`]) {
    const { status, body } = await join(guess)
    t.is(status, 401)
    t.is(body.code, 'invalid_join_token')
  }
  t.is((await kernel.post('/v1/join', {})).status, 422)
  t.is((await kernel.post('/v1/join', { join_token: 7 })).status, 422)
  t.is((await kernel.post('/v1/join')).status, 422)
})

test('the token of a finished session reveals only id and status', async t => {
  const { id, join_token } = await create(ada, { customer: 'secret customer', metadata: { a: 'secret' } })
  await ada.post(`/v1/sessions/${id}/end`)
  const { status, body } = await join(join_token)
  t.is(status, 410)
  t.deepEqual(body.session, { id, status: 'ended' })
  t.notRegex(JSON.stringify(body), /secret/)
})

test('capabilities are public', async t => {
  const { status, body } = await kernel.get('/v1/capabilities')
  t.is(status, 200)
  t.deepEqual(Object.keys(body), [
    'session_modes',
    'stream_profiles',
    'viewer_protocols',
    'features',
    'default_screen_share',
  ])
  t.deepEqual(body.default_screen_share, recommendedSettings('balanced', true))
})

test('limits join attempts to 60 per minute and IP address', async t => {
  const guarded = await startSessions({}, { env: { RATE_LIMITS: 'on' }, role: 'web' })
  const tries = Array.from({ length: 61 }, () => guarded.post('/v1/join', { join_token: 'jt_guess' }))
  const answers = await Promise.all(tries)
  const refused = answers.filter(({ status }) => status === 429)
  t.is(refused.length, 1)
  t.true(Number(refused[0]?.headers.get('retry-after')) > 0)
  t.true(answers.every(({ status }) => status === 401 || status === 429))
  await guarded.stop()
})

test('a join token of a deleted workspace is unknown from the next request', async t => {
  const eve = await kernel.register('eve@example.test')
  const { join_token } = await create(eve)
  t.is((await join(join_token)).status, 200)
  t.is((await eve.delete(`/v1/identity/tenants/${eve.tenantId}`)).status, 204)
  t.like(await join(join_token), { status: 401, body: { code: 'invalid_join_token' } })
})
