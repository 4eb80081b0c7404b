import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import anyTest, { type ExecutionContext, type TestFn } from 'ava'
import { WebSocket } from 'ws'
import { type SocketPeer, type SocketSession, socket } from '../../../../kernel/contract/route.ts'
import { acme, bearer, cookie, startTestServer, type TestServer } from '../fixtures.ts'

interface Context {
  server: TestServer
  closed: number[]
}
const test = anyTest as TestFn<Context>

const echo = (peer: SocketPeer): SocketSession => ({
  async message(text) {
    if (text === 'throw') throw new Error('handler bug')
    if (text === 'slow') await new Promise(resolve => setTimeout(resolve, 20))
    if (text === 'flood') return void peer.send(String([peer.send('x'.repeat(40)), peer.send('x'.repeat(101))]))
    peer.send(`${text} ${peer.caller?.userId ?? 'nobody'}`)
  },
  closed: () => {},
})

test.beforeEach(async t => {
  t.context.closed = []
  const { closed } = t.context
  t.context.server = await startTestServer({
    sockets: [
      socket({
        path: '/echo',
        allow: 'public',
        maxFrame: 64,
        maxBuffer: 100,
        open: peer => ({ ...echo(peer), closed: code => void closed.push(code) }),
      }),
      socket({ path: '/closed', allow: 'notes.note.read', open: echo }),
      socket({
        path: '/patient',
        allow: 'public',
        open: peer => ({ ...echo(peer), drain: () => peer.close(4000, 'come back') }),
      }),
      socket({
        path: '/late',
        allow: 'public',
        open: async peer => {
          await new Promise(resolve => setTimeout(resolve, 20))
          return echo(peer)
        },
      }),
      socket({ path: '/broken', allow: 'public', open: () => Promise.reject(new Error('open bug')) }),
    ],
  })
})
test.afterEach.always(t => t.context.server?.stop())

const dial = (t: ExecutionContext<Context>, path: string, headers: Record<string, string> = {}): WebSocket =>
  new WebSocket(`ws://127.0.0.1:${t.context.server.port}/v1${path}`, { headers })
const opened = (ws: WebSocket) =>
  new Promise<WebSocket>((resolve, reject) => ws.once('open', () => resolve(ws)).once('error', reject))
const next = (ws: WebSocket) => new Promise<string>(resolve => ws.once('message', data => resolve(String(data))))
const ended = (ws: WebSocket) => new Promise<number>(resolve => ws.once('close', code => resolve(code)))
const refused = (ws: WebSocket) =>
  new Promise<number>((resolve, reject) => {
    ws.once('open', () => reject(new Error('opened')))
    ws.once('unexpected-response', (_request, answer) => resolve(answer.statusCode ?? 0))
    ws.once('error', () => {})
  })

test('delivers frames in order, one at a time', async t => {
  const ws = await opened(dial(t, '/echo', bearer))
  const seen: string[] = []
  const all = new Promise<void>(resolve => ws.on('message', data => seen.push(String(data)) === 3 && resolve()))
  for (const text of ['slow', 'b', 'c']) ws.send(text)
  await all
  t.deepEqual(seen, ['slow usr_ada', 'b usr_ada', 'c usr_ada'])
  ws.close()
})

test('queues frames until the session is open', async t => {
  const ws = await opened(dial(t, '/late'))
  const seen: string[] = []
  const all = new Promise<void>(resolve => ws.on('message', data => seen.push(String(data)) === 100 && resolve()))
  const sent = Array.from({ length: 100 }, (_, at) => `f${at}`)
  for (const text of sent) ws.send(text)
  await all
  t.deepEqual(
    seen,
    sent.map(text => `${text} nobody`),
  )
  ws.close()
})

test('ignores cookies on cross-origin upgrades', async t => {
  const who = async (origin: string) => {
    const ws = await opened(dial(t, '/echo', { ...cookie, origin }))
    ws.send('hi')
    const answer = await next(ws)
    ws.close()
    return answer
  }
  t.is(await who('https://acme.test'), 'hi usr_ada')
  t.is(await who('https://evil.example'), 'hi nobody')
})

test('rejects unauthorized and unknown sockets like routes', async t => {
  t.is(await refused(dial(t, '/closed')), 401)
  t.is(await refused(dial(t, '/closed', { ...cookie, ...acme, origin: 'https://evil.example' })), 403)
  t.is(await refused(dial(t, '/nowhere')), 404)
  await t.notThrowsAsync(opened(dial(t, '/closed', bearer)))
  t.is((await t.context.server.get('/v1/echo')).status, 426)
})

test('closes with 1003 for binary, 1007 for invalid UTF-8, 1009 for large frames, 1011 for errors', async t => {
  const send = async (frame: string | Buffer) => {
    const ws = await opened(dial(t, '/echo'))
    ws.send(frame)
    return ended(ws)
  }
  t.is(await send(Buffer.from([1, 2])), 1003)
  t.is(await send('x'.repeat(65)), 1009)
  const garbled = await opened(dial(t, '/echo'))
  garbled.send(Buffer.from([0xc3, 0x28]), { binary: false })
  t.is(await ended(garbled), 1007)
  t.is(await send('throw'), 1011)
  t.is(await ended(dial(t, '/broken')), 1011)
})

test('sockets can define their close codes', async t => {
  const codes = { tooLarge: 4413, binary: 4400 }
  const sockets = [socket({ path: '/named', allow: 'public', maxFrame: 64, codes, open: echo })]
  const server = await startTestServer({ sockets })
  t.teardown(() => server.stop())
  for (const [frame, code, binary] of [
    ['x'.repeat(65), 4413, false],
    [Buffer.from([1]), 4400, true],
    [Buffer.from([0xff]), 4400, false],
  ] as const) {
    const ws = await opened(new WebSocket(`ws://127.0.0.1:${server.port}/v1/named`))
    ws.send(frame, { binary })
    t.is(await ended(ws), code)
  }
})

test('sends the frames of one turn in order, before the close', async t => {
  const texts = ['a', 'ü'.repeat(2000), 'x'.repeat(70_000), 'b']
  const open = (peer: SocketPeer): SocketSession => ({
    message() {
      for (const text of texts) peer.send(text)
      peer.close(4000, 'done')
    },
    closed: () => {},
  })
  const server = await startTestServer({ sockets: [socket({ path: '/several', allow: 'public', open })] })
  t.teardown(() => server.stop())
  const ws = await opened(new WebSocket(`ws://127.0.0.1:${server.port}/v1/several`))
  const seen: string[] = []
  ws.on('message', data => seen.push(String(data)))
  ws.send('start')
  t.is(await ended(ws), 4000)
  t.deepEqual(seen, texts)
})

test("doesn't send frames over the send buffer", async t => {
  const ws = await opened(dial(t, '/echo'))
  const seen: string[] = []
  ws.on('message', data => seen.push(String(data)))
  ws.send('flood')
  ws.send('end')
  await new Promise<void>(resolve => ws.on('message', data => String(data).startsWith('end') && resolve()))
  t.deepEqual(seen, ['x'.repeat(40), 'true,false', 'end nobody'])
  ws.close()
})

test('closes only revoked sockets, with 4403', async t => {
  const { server, closed } = t.context
  const mine = await opened(dial(t, '/echo', bearer))
  const other = await opened(dial(t, '/echo', { authorization: 'Bearer dt_bob' }))
  server.bus.publish('sockets.close', { userId: 'usr_ada', tenantId: 'ten_second' })
  server.bus.publish('sockets.close', {})
  mine.send('still')
  t.is(await next(mine), 'still usr_ada')
  const gone = ended(mine)
  server.bus.publish('sockets.close', { userId: 'usr_ada' })
  t.is(await gone, 4403)
  other.send('still')
  t.is(await next(other), 'still usr_bob')
  t.deepEqual(closed, [4403])
  other.close()
})

test('limits anonymous sockets per IP address to 100, without authenticated peers', async t => {
  const settings = { trustProxy: 0, rateLimits: true, production: true, metricsToken: undefined, shutdownDelayMs: 0 }
  const vouching = (peer: SocketPeer): SocketSession => ({
    message(text) {
      if (text === 'token') peer.markAuthenticated()
      peer.send('known')
    },
    closed: () => {},
  })
  const sockets = [socket({ path: '/echo', allow: 'public', open: vouching })]
  const server = await startTestServer({ sockets }, { settings })
  t.teardown(() => server.stop())
  const dialHere = (headers = {}) => new WebSocket(`ws://127.0.0.1:${server.port}/v1/echo`, { headers })
  const anonymous = await Promise.all(Array.from({ length: 100 }, () => opened(dialHere())))
  t.is(await refused(dialHere()), 429)
  anonymous.push(await opened(dialHere(bearer)))
  anonymous[0]?.send('token')
  t.is(await next(anonymous[0] as WebSocket), 'known')
  anonymous.push(await opened(dialHere()))
  t.is(await refused(dialHere()), 429)
  const gone = ended(anonymous[0] as WebSocket)
  anonymous[0]?.close()
  await gone
  t.is(await refused(dialHere()), 429)
  for (const ws of anonymous) ws.terminate()
})

test('drain notifies sessions and resolves when all sockets are closed', async t => {
  const plain = ended(await opened(dial(t, '/echo')))
  const patient = ended(await opened(dial(t, '/patient')))
  await t.context.server.http.drain()
  t.deepEqual([await plain, await patient], [1001, 4000])
  t.deepEqual(t.context.closed, [1001])
})

test('refuses an upgrade while the process stops with 503 and Retry-After, without an error in the log', async t => {
  let release = () => {}
  const left = new Promise<void>(resolve => (release = resolve))
  let onDrain = () => {}
  const draining = new Promise<void>(resolve => (onDrain = resolve))
  const drain = () => {
    onDrain()
    return left
  }
  const staying = socket({ path: '/staying', allow: 'public', open: peer => ({ ...echo(peer), drain }) })
  const server = await startTestServer({ sockets: [staying] })
  t.teardown(() => server.stop())
  // A connection that was accepted before the process began to stop.
  const connection = connect(server.port, '127.0.0.1')
  await once(connection, 'connect')
  const ws = await opened(new WebSocket(`ws://127.0.0.1:${server.port}/v1/staying`))
  const drained = server.http.drain()
  await draining
  connection.write(
    [
      'GET /v1/staying HTTP/1.1',
      'host: localhost',
      'connection: upgrade',
      'upgrade: websocket',
      'sec-websocket-version: 13',
      'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==',
      '\r\n',
    ].join('\r\n'),
  )
  let answer = ''
  for await (const bytes of connection) answer += String(bytes)
  t.regex(answer, /^HTTP\/1\.1 503 /)
  t.regex(answer, /\r\nretry-after: 1\r\n/)
  t.deepEqual(
    server.lines.filter(({ level }) => Number(level) >= 40),
    [],
  )
  ws.terminate()
  release()
  await drained
})

test('a refused upgrade without a credential names how to authenticate', async t => {
  const { headers, statusCode } = await new Promise<IncomingMessage>((resolve, reject) =>
    dial(t, '/closed')
      .on('unexpected-response', (_request, response) => resolve(response))
      .on('error', reject),
  )
  t.deepEqual([statusCode, headers['www-authenticate']], [401, 'Bearer realm="api"'])
})
