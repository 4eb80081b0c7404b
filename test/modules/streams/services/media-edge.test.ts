import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import anyTest, { type TestFn } from 'ava'
import { MINUTE, SECOND } from '../../../../kernel/base/units.ts'
import type { Person, TestKernel } from '../../../../testing/index.ts'
import { peopleOf } from '../../../fixtures/people.ts'
import { waitFor } from '../../../fixtures/wait.ts'
import { create, EDGE_SECRET, expectStatus } from '../fixtures.ts'
import { join } from '../realtime/client.ts'
import {
  addToken,
  admitted,
  ask,
  compare,
  type EdgeContext,
  environmentOf,
  hook,
  liveStream,
  startWithEdge,
  statusOf,
  stopWithEdge,
  usesOf,
  WITH_ALL_PROTOCOLS,
} from './edge-fixtures.ts'

const test = anyTest as TestFn<EdgeContext>

test.before(async t => {
  t.context = await startWithEdge()
})
test.beforeEach(async t => {
  const { kernel, edge } = t.context
  await edge.reset()
  edge.configure(WITH_ALL_PROTOCOLS, environmentOf(kernel.url))
  t.context = { ...t.context, ada: await kernel.register(`${randomUUID()}@example.test`) }
})
test.after.always(t => stopWithEdge(t.context))

test.serial('hooks require the secret of the edge, as password or query parameter', async t => {
  const { kernel, ada } = t.context
  const { id } = await create(ada, { visibility: 'public' })
  const body = { action: 'read', path: `live/${id}` }
  const basic = async (secret: string) => {
    const authorization = `Basic ${Buffer.from(`larder:${secret}`).toString('base64')}`
    return (await kernel.post('/v1/media/edge/auth', body, { headers: { authorization } })).status
  }
  t.is((await kernel.post('/v1/media/edge/auth', body)).status, 401)
  t.is((await hook(kernel, 'auth', body, 'wrong')).status, 401)
  t.is((await hook(kernel, 'auth', body, 'newer')).status, 204)
  t.is((await hook(kernel, 'auth', body)).status, 204)
  t.deepEqual([await basic('wrong'), await basic('newer'), await basic(EDGE_SECRET)], [401, 204, 204])
  t.is((await hook(kernel, 'events', { event: 'ready', path: `live/${id}` }, 'wrong')).status, 401)
})

test.serial('reads requests of the edge with null, and with members that it does not use', async t => {
  const { kernel, ada } = t.context
  const { id } = await create(ada, { visibility: 'public' })
  const read = { action: 'read', path: `live/${id}` }
  const unset = Object.fromEntries(['protocol', 'token', 'password', 'query', 'ip', 'id'].map(name => [name, null]))
  t.is((await hook(kernel, 'auth', { ...read, ...unset })).status, 204)
  t.is((await hook(kernel, 'auth', { ...read, user: { name: 8 }, userAgent: null, next: [1] })).status, 204)
  t.is((await hook(kernel, 'events', { event: 'not_ready', path: read.path, source_id: null })).status, 204)
  t.is((await hook(kernel, 'auth', { ...read, path: 8 })).status, 422)
})

test.serial('token and visibility determine who may publish and play', async t => {
  const { kernel, ada } = t.context
  const open = await create(ada, { visibility: 'public' })
  const closed = await create(ada)
  const publisher = (await addToken(ada, closed.id, { role: 'publisher' })).token
  const viewer = (await addToken(ada, closed.id, { role: 'viewer' })).token
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

test.serial('a private stream plays at the edge with a token only', async t => {
  const { ada, edge } = t.context
  const { id, path } = await liveStream(t.context)
  const viewer = await addToken(ada, id, { role: 'viewer' })
  const url = `${edge.media}/${path}`
  const bearer = (token: string) => ({ method: 'POST', headers: { authorization: `Bearer ${token}` } })
  t.is((await fetch(`${url}/whep`, { method: 'POST' })).status, 401)
  t.is((await fetch(`${url}/whep`, bearer('st_wrong'))).status, 401)
  t.is((await fetch(`${url}/whep`, bearer(viewer.token))).status, 201)
  t.is((await fetch(`${url}/index.m3u8`)).status, 401)
  t.is((await fetch(`${url}/index.m3u8?join_token=${viewer.token}`)).status, 200)
})

test.serial('a decision follows changes of tokens and of the stream at once', async t => {
  const { kernel, ada, clock } = t.context
  const { id } = await create(ada)
  const viewer = await addToken(ada, id, { role: 'viewer' })
  const brief = await addToken(ada, id, { role: 'viewer', ttl_seconds: 60 })
  const read = (secret: string) => ask(kernel, { action: 'read', path: `live/${id}`, token: secret })
  t.is(await read(viewer.token), 204)
  t.is(await read(brief.token), 204)
  await ada.delete(`/v1/streams/${id}/tokens/${viewer.id}`)
  t.is(await read(viewer.token), 401)
  clock.forward(60_000)
  t.is(await read(brief.token), 401)
  const late = await addToken(ada, id, { role: 'viewer' })
  t.is(await read(late.token), 204)
  await ada.post(`/v1/sessions/${id}/end`)
  t.is(await read(late.token), 401)
})

test.serial('refuses a publisher of a stream that has ended', async t => {
  const { ada, edge } = t.context
  const { id, media_path: path, join_token: token } = await create(ada)
  const own = await addToken(ada, id, { role: 'publisher' })
  await ada.post(`/v1/sessions/${id}/end`)
  for (const secret of [token, own.token]) t.is(await edge.publish(path, { token: secret }, 'webrtc'), 'refused')
})

test.serial('hooks for unknown paths change nothing', async t => {
  const { kernel, ada } = t.context
  const { id } = await create(ada)
  for (const path of ['', id, `other/${id}`, `live/${id}/x`, 'live/ses_00000000000000000000000000'])
    t.is((await hook(kernel, 'events', { event: 'ready', path })).status, 204)
  t.is(await statusOf(ada, id), 'idle')
})

test.serial('counts a use of a token when a connection is first admitted', async t => {
  const { ada, edge } = t.context
  const { id, path } = await liveStream(t.context)
  const { token } = await addToken(ada, id, { role: 'viewer', max_uses: 3 })
  const headers = { authorization: `Bearer ${token}` }
  // Asks for ICE servers, and opens nothing.
  t.is((await fetch(`${edge.media}/${path}/whep`, { method: 'OPTIONS', headers })).status, 204)
  t.deepEqual(await usesOf(ada, id), [0])
  // Asks to describe the stream, then to play it.
  await admitted(edge.play(path, { query: `token=${token}` }, 'rtsp'))
  t.deepEqual(await usesOf(ada, id), [1])
  await admitted(edge.play(path, { query: `token=${token}` }, 'rtsp'))
  t.deepEqual(await usesOf(ada, id), [2])
  const playlist = await fetch(`${edge.media}/${path}/index.m3u8?join_token=${token}`)
  t.is((await fetch(new URL(await playlist.text(), playlist.url))).status, 200)
  t.deepEqual(await usesOf(ada, id), [3])
  t.is(await edge.play(path, { token }, 'webrtc'), 'refused')
  t.deepEqual(await usesOf(ada, id), [3])
})

test.serial('a token without uses left opens nothing more after its connection has ended', async t => {
  const { kernel, ada, edge } = t.context
  const { id, path } = await liveStream(t.context)
  const { token } = await addToken(ada, id, { role: 'publisher', max_uses: 1 })
  const publishes = async () => 'whip_url' in (await kernel.get(`/v1/streams/${id}/media?join_token=${token}`)).body
  t.true(await publishes())
  const question = { action: 'publish', path, token, id: 'a0c2e8f4-0000-4000-8000-000000000003' }
  t.is(await ask(kernel, question), 204)
  t.true(await publishes())
  // The edge doesn't list the connection.
  for (let count = 0; count < 6; count++) await compare(kernel)
  t.false(await publishes())
  t.is(edge.kicked.length, 0)
})

test.serial('a repeated request for the same connection counts once', async t => {
  const { kernel, ada } = t.context
  const { id, path } = await liveStream(t.context)
  const { token } = await addToken(ada, id, { role: 'viewer', max_uses: 1 })
  const question = { action: 'read', path, token, id: 'a0c2e8f4-0000-4000-8000-000000000001' }
  t.deepEqual([await ask(kernel, question), await ask(kernel, question)], [204, 204])
  t.is(await ask(kernel, { ...question, id: 'a0c2e8f4-0000-4000-8000-000000000002' }), 401)
})

test.serial('an attempt to play a stream that is offline uses up no token', async t => {
  const { ada, edge } = t.context
  const stream = await create(ada)
  const { token } = await addToken(ada, stream.id, { role: 'viewer', max_uses: 1 })
  t.is(await edge.play(stream.media_path, { token }, 'webrtc'), 'no_stream')
  t.deepEqual(await usesOf(ada, stream.id), [0])
})

test.serial('counts a connection that the edge admitted before Larder knew of the broadcast', async t => {
  const { ada, edge, kernel } = t.context
  const stream = await create(ada)
  const path = stream.media_path
  edge.open(path, true)
  const { token } = await addToken(ada, stream.id, { role: 'viewer', max_uses: 1 })
  const first = await admitted(edge.play(path, { token }, 'webrtc'))
  const second = await admitted(edge.play(path, { token }, 'webrtc'))
  await compare(kernel)
  t.deepEqual(await usesOf(ada, stream.id), [1])
  t.is(edge.kicked.length, 1)
  t.true([first, second].includes(edge.kicked[0] ?? ''))
})

test.serial('a stream stays live across a reconnect within 1 min and becomes idle afterwards', async t => {
  const { kernel, ada, clock } = t.context
  const { id } = await create(ada)
  const tell = async (event: string) => t.is((await hook(kernel, 'events', { event, path: `live/${id}` })).status, 204)
  const seen = async () => {
    const { live_status, live_at } = expectStatus(200, await ada.get(`/v1/streams/${id}`))
    return [live_status, live_at]
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
  t.deepEqual(await liveEvents(kernel, ada), ['streams.stream.live', 'streams.stream.idle'])
})

async function liveEvents(kernel: TestKernel, ada: Person): Promise<string[]> {
  const { data } = await kernel.kernel.inspector.events.list({ tenantId: ada.tenantId, limit: 50 })
  return data
    .filter(({ type }) => type.startsWith('streams.'))
    .map(({ type }) => type)
    .reverse()
}

test.serial(
  'a publisher that replaces another stays live, in whatever order and however often the hooks arrive',
  async t => {
    const { kernel, ada } = t.context
    const tell = (id: string, event: string, source: string) =>
      hook(kernel, 'events', { event, path: `live/${id}`, source_id: source })
    for (const orders of [
      ['not_ready old', 'ready new'],
      ['ready new', 'not_ready old'],
      ['ready new', 'ready new', 'not_ready old', 'not_ready old'],
    ]) {
      const { id } = await create(ada)
      await tell(id, 'ready', 'old')
      for (const order of orders) {
        const [event = '', source = ''] = order.split(' ')
        await tell(id, event, source)
      }
      t.is(await statusOf(ada, id), 'live', orders.join(', '))
      await tell(id, 'not_ready', 'new')
      t.is(await statusOf(ada, id), 'reconnecting', orders.join(', '))
    }
  },
)

test.serial('hooks of MediaMTX name the publisher', async t => {
  const { ada, edge, kernel } = t.context
  const { id, path, join_token, publisher } = await liveStream(t.context)
  t.is(await statusOf(ada, id), 'live')
  const next = await admitted(edge.publish(path, { password: join_token }, 'srt'))
  await edge.hooks()
  t.is(await statusOf(ada, id), 'live')
  t.deepEqual(edge.connected(path), [next])
  // Late.
  await hook(kernel, 'events', { event: 'not_ready', path, source_id: publisher })
  t.is(await statusOf(ada, id), 'live')
  edge.close(next)
  await edge.hooks()
  t.is(await statusOf(ada, id), 'reconnecting')
})

test.serial('notices streams that started or stopped without a hook', async t => {
  const { kernel, ada, edge } = t.context
  const lost = await liveStream(t.context)
  const found = await create(ada)
  edge.crash()
  edge.open(found.media_path, true)
  t.deepEqual([await statusOf(ada, lost.id), await statusOf(ada, found.id)], ['live', 'idle'])
  await compare(kernel)
  t.deepEqual([await statusOf(ada, lost.id), await statusOf(ada, found.id)], ['reconnecting', 'live'])
})

test.serial('a late hook of a publisher that has left is corrected', async t => {
  const { kernel, ada } = t.context
  const { id, media_path: path } = await create(ada)
  await hook(kernel, 'events', { event: 'ready', path, source_id: 'gone' })
  t.is(await statusOf(ada, id), 'live')
  await compare(kernel)
  t.is(await statusOf(ada, id), 'reconnecting')
})

test.serial('a stream that started while Larder was away is live when the hook is repeated', async t => {
  const { kernel, ada, edge } = t.context
  const { id, media_path: path, join_token } = await create(ada)
  const proxy = createServer(async (request, response) => {
    const { url = '', headers } = request
    const { authorization = '' } = headers
    const answer = await kernel.post(url, JSON.parse(await text(request)), { headers: { authorization } })
    response.writeHead(answer.status).end()
  })
  await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve))
  const { port } = proxy.address() as AddressInfo
  proxy.close()
  edge.configure(WITH_ALL_PROTOCOLS, { ...environmentOf(kernel.url), LARDER_URL: `http://127.0.0.1:${port}` })
  await admitted(edge.publish(path, { token: join_token }, 'webrtc'))
  t.is(await statusOf(ada, id), 'idle')
  proxy.listen(port, '127.0.0.1')
  t.teardown(() => proxy.close())
  await edge.hooks()
  t.is(await statusOf(ada, id), 'live')
})

for (const offset of [-MINUTE, MINUTE])
  test.serial(`a clock of the edge that is ${offset / SECOND} s off changes nothing`, async t => {
    const { kernel, ada, edge, clock } = t.context
    edge.setClock(offset)
    const since = new Date(clock.now()).toISOString()
    const { id, path, publisher } = await liveStream(t.context)
    const brief = await addToken(ada, id, { role: 'viewer', ttl_seconds: 60 })
    const viewer = await admitted(edge.play(path, { token: brief.token }, 'webrtc'))
    clock.forward(59 * SECOND)
    await compare(kernel)
    t.like(expectStatus(200, await ada.get(`/v1/streams/${id}`)), {
      live_status: 'live',
      live_at: since,
      viewer_count: 1,
    })
    t.deepEqual(edge.connected(path), [publisher, viewer])
    clock.forward(SECOND)
    await closed(edge, path, [publisher])
    t.is(await statusOf(ada, id), 'live')
  })

test.serial('an edge that does not answer holds up neither admission nor revocation', async t => {
  const { kernel, ada, edge } = t.context
  const { id, path, publisher } = await liveStream(t.context)
  const revoked = await addToken(ada, id, { role: 'viewer' })
  await admitted(edge.play(path, { token: revoked.token }, 'webrtc'))
  const release = edge.stall()
  t.is((await ada.delete(`/v1/streams/${id}/tokens/${revoked.id}`)).status, 204)
  t.is(await ask(kernel, { action: 'read', path, token: revoked.token }), 401)
  const other = await addToken(ada, id, { role: 'viewer' })
  const kept = await admitted(edge.play(path, { token: other.token }, 'webrtc'))
  t.is(await statusOf(ada, id), 'live')
  release()
  await closed(edge, path, [publisher, kept])
})

test.serial('closes a connection that publishes a stream that has ended', async t => {
  const { kernel, ada, edge } = t.context
  const { id, media_path: path } = await create(ada)
  await ada.post(`/v1/sessions/${id}/end`)
  await kernel.settled()
  const late = edge.open(path, true)
  await compare(kernel)
  await waitFor(() => edge.kicked.includes(late))
  t.deepEqual(edge.connected(path), [])
})

test.serial('an edge that fails, refuses or is another program changes no status', async t => {
  const { kernel, ada, edge } = t.context
  const { id } = await liveStream(t.context)
  for (const status of [500, 401, 200, 404, 302]) {
    edge.failNext(4, status)
    for (let times = 0; times < 4; times++) await compare(kernel)
    t.is(await statusOf(ada, id), 'live', String(status))
  }
})

test.serial('a stream stops when the edge is down for three comparisons', async t => {
  const context = await startWithEdge()
  t.teardown(() => context.kernel.stop())
  const { kernel, ada, edge } = context
  const { id } = await liveStream(context)
  await edge.stop()
  for (let times = 0; times < 2; times++) await compare(kernel)
  t.is(await statusOf(ada, id), 'live')
  await compare(kernel)
  t.is(await statusOf(ada, id), 'reconnecting')
})

test.serial('viewers at the edge are counted', async t => {
  const { kernel, ada, edge } = t.context
  const { id, path } = await liveStream(t.context, { visibility: 'public' })
  const countOf = async () => [
    expectStatus(200, await ada.get(`/v1/streams/${id}`)).viewer_count,
    expectStatus(200, await kernel.get('/v1/streams/public')).data.find(each => each.id === id)?.viewer_count,
  ]
  for (const protocol of ['webrtc', 'hls', 'rtsp'] as const) await admitted(edge.play(path, {}, protocol))
  await compare(kernel)
  t.deepEqual(await countOf(), [3, 3])
  for (let n = 0; n < 997; n++) edge.open(path, false)
  await compare(kernel)
  t.deepEqual(await countOf(), [1000, 1000])
  edge.crash()
  await compare(kernel)
  t.deepEqual(await countOf(), [0, 0])
})

const closed = (edge: EdgeContext['edge'], path: string, remaining: readonly string[]) =>
  waitFor(
    () => edge.connected(path),
    ids => ids.length === remaining.length && remaining.every(id => ids.includes(id)),
  )

test.serial('revoking a viewer token closes its connections and no others', async t => {
  const { ada, edge } = t.context
  const { id, path, publisher } = await liveStream(t.context)
  const revoked = await addToken(ada, id, { role: 'viewer' })
  const other = await addToken(ada, id, { role: 'viewer' })
  for (const protocol of ['webrtc', 'hls', 'rtsp', 'moq', 'srt'] as const)
    await admitted(edge.play(path, { token: revoked.token }, protocol))
  const kept = await admitted(edge.play(path, { token: other.token }, 'webrtc'))
  await ada.delete(`/v1/streams/${id}/tokens/${revoked.id}`)
  await closed(edge, path, [publisher, kept])
  t.is(edge.kicked.length, 5)
})

test.serial('rotating the join token spares connections with a token of their own', async t => {
  const { ada, edge } = t.context
  const stream = await create(ada)
  const { token } = await addToken(ada, stream.id, { role: 'publisher', max_uses: 1 })
  const publisher = await admitted(edge.publish(stream.media_path, { token }, 'webrtc'))
  await edge.hooks()
  const viewer = await admitted(edge.play(stream.media_path, { token: stream.join_token }, 'webrtc'))
  const rotated = expectStatus(200, await ada.post(`/v1/sessions/${stream.id}/token/rotate`))
  await closed(edge, stream.media_path, [publisher])
  t.deepEqual(edge.kicked, [viewer])
  const next = await admitted(edge.play(stream.media_path, { token: rotated.join_token }, 'webrtc'))
  await ada.post(`/v1/sessions/${stream.id}/token/rotate`)
  await closed(edge, stream.media_path, [publisher])
  t.deepEqual(edge.kicked, [viewer, next])
})

test.serial('a token that expires closes its connections and sockets', async t => {
  const { ada, edge, clock, kernel } = t.context
  const { id, path, publisher } = await liveStream(t.context)
  const brief = await addToken(ada, id, { role: 'viewer', ttl_seconds: 60 })
  await admitted(edge.play(path, { token: brief.token }, 'webrtc'))
  clock.forward(59_000)
  await kernel.settled()
  t.is(edge.connected(path).length, 2)
  const socket = await join(kernel.url, { token: brief.token })
  clock.forward(1000)
  await closed(edge, path, [publisher])
  t.is((await socket.closed).code, 4403)
})

test.serial('ending a stream closes all its connections of every kind, and no others', async t => {
  const { ada, edge, kernel } = t.context
  const { id, path } = await liveStream(t.context, { visibility: 'public' })
  const other = await liveStream(t.context, { visibility: 'public' })
  for (const protocol of ['webrtc', 'hls', 'rtsp', 'rtmp', 'srt', 'moq'] as const) edge.open(path, false, protocol)
  for (let n = 0; n < 1000; n++) edge.open(path, false)
  await ada.post(`/v1/sessions/${id}/end`)
  await kernel.settled()
  await closed(edge, path, [])
  t.deepEqual(edge.connected(other.path), [other.publisher])
})

test.serial('suspending a workspace closes its connections, and no others', async t => {
  const { ada, edge, kernel } = t.context
  const { path, join_token: token } = await liveStream(t.context, { visibility: 'public' })
  edge.open(path, false)
  const stranger = await kernel.register(`${randomUUID()}@example.test`)
  const other = await liveStream({ ...t.context, ada: stranger }, { visibility: 'public' })
  const operator = await peopleOf(kernel).operator()
  const suspend = await operator.post(`/v1/identity/admin/tenants/${ada.tenantId}/suspend`, { reason: 'Unpaid' })
  t.is(suspend.status, 200)
  await closed(edge, path, [])
  t.deepEqual(edge.connected(other.path), [other.publisher])
  t.is(await edge.publish(path, { token }, 'webrtc'), 'refused')
})

test.serial('a publisher of a stream that has ended is closed when it appears', async t => {
  const { kernel, ada, edge } = t.context
  const { id, media_path: path } = await create(ada)
  await ada.post(`/v1/sessions/${id}/end`)
  await kernel.settled()
  edge.open(path, true, 'rtmp')
  t.is((await hook(kernel, 'events', { event: 'ready', path })).status, 204)
  await closed(edge, path, [])
  t.is(edge.kicked.length, 1)
})

test.serial('retries while the edge fails, and closes connections of expired streams', async t => {
  const { ada, edge, clock } = t.context
  const { media_path: path } = await create(ada, { ttl_seconds: 60 })
  const expired = edge.open(path, true)
  edge.failNext(1)
  clock.forward(60_000)
  await waitFor(() => {
    clock.forward(SECOND)
    return edge.kicked.length > 0
  })
  t.deepEqual(edge.kicked, [expired])
})

test.serial('a stream is live while a browser broadcasts, and while either way has a publisher', async t => {
  const { kernel, ada, edge, clock } = t.context
  const stream = await create(ada, { visibility: 'public' })
  const sourceOf = async () =>
    expectStatus(200, await kernel.get<{ state: { source: string | null } }>(`/v1/streams/${stream.id}/media`)).state
      .source
  const socket = await join(kernel.url, { token: stream.join_token, role: 'publisher' })
  t.deepEqual([await statusOf(ada, stream.id), await sourceOf()], ['live', 'browser'])
  const publisher = await admitted(edge.publish(stream.media_path, { token: stream.join_token }, 'webrtc'))
  await edge.hooks()
  t.is(await sourceOf(), 'edge')
  socket.send({ type: 'leave', data: {} })
  await socket.closed
  t.is(await statusOf(ada, stream.id), 'live')
  edge.close(publisher)
  await edge.hooks()
  t.deepEqual([await statusOf(ada, stream.id), await sourceOf()], ['reconnecting', null])
  clock.forward(61_000)
  await waitFor(
    () => statusOf(ada, stream.id),
    status => status === 'idle',
  )
  t.deepEqual(await liveEvents(kernel, ada), ['streams.stream.live', 'streams.stream.idle'])
})
