import anyTest, { type TestFn } from 'ava'
import { SECOND } from '../../../../kernel/base/units.ts'
import type { Person, TestKernel } from '../../../../testing/index.ts'
import { waitFor } from '../../../fixtures/wait.ts'
import {
  type CreatedBody,
  create,
  EDGE_SECRET,
  expectStatus,
  manualClock,
  type StreamBody,
  startStreams,
} from '../fixtures.ts'
import { startEdge } from './edge-server.ts'

interface Context {
  kernel: TestKernel
  ada: Person
  edge: Awaited<ReturnType<typeof startEdge>>
  clock: ReturnType<typeof manualClock>
}
const test = anyTest as TestFn<Context>

test.beforeEach(async t => {
  const edge = await startEdge()
  const clock = manualClock()
  const kernel = await startStreams({ edge: { secret: `newer,${EDGE_SECRET}`, apiUrl: edge.url } }, { clock })
  t.context = { kernel, clock, edge, ada: await kernel.register('ada@example.test') }
})
test.afterEach.always(async t => {
  await t.context.kernel?.stop()
  await t.context.edge?.stop()
})

const hook = (kernel: TestKernel, name: string, body: object, secret = EDGE_SECRET) =>
  kernel.post(`/v1/media/edge/${name}?secret=${encodeURIComponent(secret)}`, body)
const ask = async (kernel: TestKernel, body: object): Promise<number> =>
  (
    await hook(kernel, 'auth', {
      user: '',
      password: '',
      ip: '10.0.0.1',
      protocol: 'webrtc',
      id: null,
      query: '',
      ...body,
    })
  ).status
const token = async (ada: Person, id: string, body: object) =>
  expectStatus(201, await ada.post<{ id: string; token: string }>(`/v1/streams/${id}/tokens`, body))

test('hooks require the secret of the edge', async t => {
  const { kernel, ada } = t.context
  const { id } = await create(ada, { visibility: 'public' })
  const body = { action: 'read', path: `live/${id}` }
  t.is((await kernel.post('/v1/media/edge/auth', body)).status, 401)
  t.is((await hook(kernel, 'auth', body, 'wrong')).status, 401)
  t.is((await hook(kernel, 'auth', body, 'newer')).status, 204)
  t.is((await hook(kernel, 'auth', body)).status, 204)
  t.is((await hook(kernel, 'events', { event: 'ready', path: `live/${id}` }, 'wrong')).status, 401)
})

test('token and visibility determine who may publish and play', async t => {
  const { kernel, ada } = t.context
  const open = await create(ada, { visibility: 'public' })
  const closed = await create(ada)
  const publisher = (await token(ada, closed.id, { role: 'publisher' })).token
  const viewer = (await token(ada, closed.id, { role: 'viewer' })).token
  const path = `live/${closed.id}`
  const rows: [number, object][] = [
    [204, { action: 'read', path: `live/${open.id}` }],
    [204, { action: 'playback', path: `live/${open.id}`, protocol: 'hls' }],
    [401, { action: 'publish', path: `live/${open.id}` }],
    [204, { action: 'publish', path: `live/${open.id}`, token: open.join_token }],
    [401, { action: 'read', path }],
    [204, { action: 'read', path, token: viewer }],
    [204, { action: 'read', path, query: `join_token=${viewer}` }],
    [204, { action: 'read', path, password: closed.join_token }],
    [401, { action: 'read', path, token: publisher }],
    [401, { action: 'read', path, token: open.join_token }],
    [204, { action: 'publish', path, token: publisher }],
    [204, { action: 'publish', path, query: `jwt=${closed.join_token}` }],
    [401, { action: 'publish', path, token: viewer }],
    [401, { action: 'publish', path, token: 'jt_nonsense' }],
    [401, { action: 'api', path: '', token: closed.join_token }],
    [401, { action: 'read', path: `other/${open.id}` }],
    [401, { action: 'read', path: 'live/ses_00000000000000000000000000' }],
  ]
  for (const [status, body] of rows) t.is(await ask(kernel, body), status, JSON.stringify(body))
})

test('changes invalidate cached authorization decisions', async t => {
  const { kernel, ada, clock } = t.context
  const { id } = await create(ada)
  const viewer = await token(ada, id, { role: 'viewer' })
  const brief = await token(ada, id, { role: 'viewer', ttl_seconds: 60 })
  const read = (secret: string) => ask(kernel, { action: 'read', path: `live/${id}`, token: secret })
  t.is(await read(viewer.token), 204)
  t.is(await read(brief.token), 204)
  await ada.delete(`/v1/streams/${id}/tokens/${viewer.id}`)
  t.is(await read(viewer.token), 401)
  clock.forward(60_000)
  t.is(await read(brief.token), 401)
  const late = await token(ada, id, { role: 'viewer' })
  t.is(await read(late.token), 204)
  await ada.post(`/v1/sessions/${id}/end`)
  t.is(await read(late.token), 401)
})

test('enforces max_uses of a token and does not count HLS segments', async t => {
  const { kernel, ada } = t.context
  const { id } = await create(ada)
  const { token: secret } = await token(ada, id, { role: 'viewer', max_uses: 2 })
  const read = (connection: string, protocol = 'webrtc') =>
    ask(kernel, { action: 'read', path: `live/${id}`, token: secret, id: connection, protocol })
  t.is(await read('p1', 'hls'), 204)
  t.is(await read('p2', 'hls'), 204)
  t.is(await read('one'), 204)
  t.is(await read('one'), 204)
  t.is(await read('two'), 204)
  t.is(await read('three'), 401)
})

test('a stream stays live across a reconnect within 1 min and becomes idle afterwards', async t => {
  const { kernel, ada, clock } = t.context
  const { id } = await create(ada)
  const tell = async (event: string) => t.is((await hook(kernel, 'events', { event, path: `live/${id}` })).status, 204)
  const seen = async () => {
    const { live_status, live_at } = expectStatus(200, await ada.get<StreamBody>(`/v1/streams/${id}`))
    return [live_status, live_at]
  }
  const events = async () => {
    const { data } = await kernel.kernel.inspector.events.list({ tenantId: ada.tenantId, limit: 50 })
    return data
      .filter(({ type }) => type.startsWith('streams.'))
      .map(({ type }) => type)
      .reverse()
  }
  t.deepEqual(await seen(), ['idle', null])
  await tell('not_ready')
  t.deepEqual(await seen(), ['idle', null])
  await Promise.all([tell('ready'), tell('ready'), tell('ready')])
  const since = new Date(clock.now()).toISOString()
  t.deepEqual(await seen(), ['live', since])
  clock.forward(1000)
  await tell('not_ready')
  t.deepEqual(await seen(), ['reconnecting', since])
  clock.forward(59_000)
  await tell('ready')
  t.deepEqual(await seen(), ['live', since])
  await tell('not_ready')
  clock.forward(61_000)
  await kernel.settled()
  await waitFor(seen, ([state]) => state === 'idle')
  t.deepEqual(await seen(), ['idle', null])
  t.deepEqual(await events(), ['streams.stream.live', 'streams.stream.idle'])
})

const kickedAll = async (kernel: TestKernel, edge: Context['edge'], count: number) => {
  await kernel.settled()
  await waitFor(() => edge.kicked.length >= count)
  return [...edge.kicked].sort()
}

test('ending a stream kicks all its connections across pages, and no others', async t => {
  const { kernel, ada, edge } = t.context
  const { id } = await create(ada)
  for (let i = 0; i < 120; i++) edge.sessions.push({ id: `other${i}`, path: 'live/ses_other' })
  edge.sessions.push({ id: 'one', path: `live/${id}` }, { id: 'two', path: `live/${id}` })
  // OBS also publishes over RTMP. The edge returns 404 for disabled protocols.
  edge.sessions.push({ id: 'obs', path: `live/${id}`, kind: 'rtmpconns' })
  await ada.post(`/v1/sessions/${id}/end`)
  t.deepEqual(await kickedAll(kernel, edge, 3), ['obs', 'one', 'two'])
})

test('revocation and rotation kick connections; a finished stream is kicked when it reconnects', async t => {
  const { kernel, ada, edge } = t.context
  const { id } = await create(ada)
  const { id: tokenId } = await token(ada, id, { role: 'viewer' })
  edge.sessions.push({ id: 'revoked', path: `live/${id}` })
  await ada.delete(`/v1/streams/${id}/tokens/${tokenId}`)
  t.deepEqual(await kickedAll(kernel, edge, 1), ['revoked'])
  edge.sessions.push({ id: 'rotated', path: `live/${id}` })
  expectStatus(200, await ada.post<CreatedBody>(`/v1/sessions/${id}/token/rotate`))
  t.deepEqual(await kickedAll(kernel, edge, 2), ['revoked', 'rotated'])
  await ada.post(`/v1/sessions/${id}/end`)
  await kernel.settled()
  edge.sessions.push({ id: 'late', path: `live/${id}` })
  t.is((await hook(kernel, 'events', { event: 'ready', path: `live/${id}` })).status, 204)
  t.deepEqual(await kickedAll(kernel, edge, 3), ['late', 'revoked', 'rotated'])
})

test('retries kicks while the edge fails, and kicks expired streams', async t => {
  const { ada, edge, clock } = t.context
  const { id } = await create(ada, { ttl_seconds: 60 })
  edge.sessions.push({ id: 'expired', path: `live/${id}` })
  edge.failNext(1)
  clock.forward(60_000)
  await waitFor(() => {
    clock.forward(SECOND)
    return edge.kicked.length > 0
  })
  t.deepEqual(edge.kicked, ['expired'])
})
