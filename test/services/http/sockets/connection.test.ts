import { once } from 'node:events'
import { type Socket as Connection, connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import test, { type ExecutionContext } from 'ava'
import { WebSocket } from 'ws'
import { type SocketPeer, type SocketSession, socket } from '../../../../kernel/contract/route.ts'
import type { Authenticator } from '../../../../kernel/internal.ts'
import { waitFor } from '../../../fixtures/wait.ts'
import { startTestServer } from '../fixtures.ts'
import { CLOSE, clientFrame, frameInFrame } from './client-frames.ts'

interface Seen {
  readonly texts: string[]
  /** Open ones. */
  sessions: number
  readonly closed: Promise<number>
}

interface ServerOptions {
  readonly open?: (peer: SocketPeer) => Pick<SocketSession, 'message'>
  readonly authenticator?: Authenticator
  readonly maxBuffer?: number
  readonly maxFrame?: number
}

/** Its socket `/raw` echoes texts by default. */
async function start(
  t: ExecutionContext,
  { open, authenticator, maxBuffer = 100_000, maxFrame = 100_000 }: ServerOptions = {},
) {
  let end = (_: number) => {}
  const seen: Seen = { texts: [], sessions: 0, closed: new Promise(resolve => (end = resolve)) }
  const echo = (peer: SocketPeer) => ({ message: (text: string) => void peer.send(text) })
  const raw = socket({
    path: '/raw',
    allow: 'public',
    maxBuffer,
    maxFrame,
    open(peer) {
      const { message } = (open ?? echo)(peer)
      seen.sessions++
      return {
        message(text) {
          seen.texts.push(text)
          return message(text)
        },
        closed(code) {
          seen.sessions--
          end(code)
        },
      }
    },
  })
  const server = await startTestServer({ sockets: [raw] }, authenticator ? { authenticator } : {})
  t.teardown(() => server.stop())
  return { server, seen, url: `ws://127.0.0.1:${server.port}/v1/raw` }
}

const upgradeRequest = (headers: readonly string[] = []): Buffer =>
  Buffer.from(
    [
      'GET /v1/raw HTTP/1.1',
      'host: localhost',
      'connection: upgrade',
      'upgrade: websocket',
      'sec-websocket-version: 13',
      'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==',
      ...headers,
      '\r\n',
    ].join('\r\n'),
  )

async function dial(t: ExecutionContext, port: number): Promise<Connection> {
  const connection = connect(port, '127.0.0.1')
  t.teardown(() => connection.destroy())
  connection.setNoDelay()
  await once(connection, 'connect')
  return connection
}

/** An authenticator that waits for `release`, so that the server admits the socket late. */
function createSlowAuthenticator() {
  let release = () => {}
  const released = new Promise<void>(resolve => (release = resolve))
  const authenticator: Authenticator = {
    signInPath: '/sign-in',
    async authenticate() {
      await released
      return null
    },
  }
  return { authenticator, release: () => release() }
}
const CREDENTIAL = ['authorization: Bearer dt_unknown']

async function openClient(url: string) {
  const ws = new WebSocket(url)
  await once(ws, 'open')
  const texts: string[] = []
  ws.on('message', data => texts.push(String(data)))
  return { ws, texts, closed: once(ws, 'close') }
}

test('receives a frame that arrives with the upgrade request', async t => {
  const { server, seen } = await start(t)
  const connection = await dial(t, server.port)
  connection.write(Buffer.concat([upgradeRequest(), clientFrame('a'), clientFrame('b').subarray(0, 3)]))
  await waitFor(() => seen.texts.length === 1)
  connection.write(clientFrame('c'))
  connection.destroy()
  t.is(await seen.closed, 1006)
  t.is(seen.texts[0], 'a')
})

test('receives frames in order that arrive before the socket is admitted', async t => {
  const { authenticator, release } = createSlowAuthenticator()
  const { server, seen } = await start(t, { authenticator })
  const connection = await dial(t, server.port)
  const { text, start: begin, rest } = frameInFrame()
  connection.write(Buffer.concat([upgradeRequest(CREDENTIAL), clientFrame('first')]))
  await wait(20)
  connection.write(begin)
  await wait(20)
  release()
  await wait(20)
  connection.write(Buffer.concat([rest, clientFrame('third')]))
  await waitFor(() => seen.texts.length === 3)
  t.deepEqual(seen.texts, ['first', text, 'third'])
})

test('a client that leaves before the socket is admitted leaves no session', async t => {
  const { authenticator, release } = createSlowAuthenticator()
  const { server, seen } = await start(t, { authenticator })
  const connection = await dial(t, server.port)
  const closed = once(connection, 'close')
  connection.write(upgradeRequest(CREDENTIAL))
  connection.end()
  await wait(20)
  release()
  connection.resume()
  await closed
  await wait(20)
  await waitFor(() => seen.sessions === 0)
  t.pass()
})

test('handles 10,000 frames of one write in order', async t => {
  const { server, seen } = await start(t)
  const connection = await dial(t, server.port)
  connection.write(upgradeRequest())
  await once(connection, 'data')
  connection.resume()
  const texts = Array.from({ length: 10_000 }, (_, at) => `frame ${at}`)
  connection.write(Buffer.concat(texts.map(text => clientFrame(text))))
  await waitFor(() => seen.texts.length === texts.length)
  t.deepEqual(seen.texts, texts)
})

test('a client that closes its connection in the middle of a frame ends its session', async t => {
  const { server, seen } = await start(t)
  const connection = await dial(t, server.port)
  connection.write(upgradeRequest())
  await once(connection, 'data')
  connection.end(Buffer.concat([clientFrame('whole'), clientFrame('cut off').subarray(0, 8)]))
  t.is(await seen.closed, 1006)
  t.deepEqual(seen.texts, ['whole'])
})

test('closes with 1002 for malformed frames', async t => {
  const { url } = await start(t)
  const reserved = clientFrame('a', { opcode: 3 })
  const unmasked = clientFrame('a', { masked: false })
  const longPing = clientFrame('x'.repeat(126), { opcode: 9 })
  for (const bytes of [reserved, unmasked, longPing]) {
    const { ws, closed } = await openClient(url)
    ;(ws as unknown as { _socket: Connection })._socket.write(bytes)
    t.is((await closed)[0], 1002)
  }
})

test('sends one buffer to several clients as a text frame', async t => {
  const frame = Buffer.from('{"text":"für alle"}')
  const { url } = await start(t, { open: peer => ({ message: () => void peer.send(frame) }) })
  for (let client = 0; client < 2; client++) {
    const { ws } = await openClient(url)
    const received = once(ws, 'message')
    ws.send('start')
    const [data, isBinary] = await received
    t.deepEqual([String(data), isBinary], [String(frame), false])
    ws.terminate()
  }
})

test('closes the session of a client that ends its side of the connection', async t => {
  const { server, seen } = await start(t)
  const connection = await dial(t, server.port)
  connection.write(upgradeRequest())
  await once(connection, 'data')
  connection.end(clientFrame('last'))
  t.is(await seen.closed, 1006)
  t.deepEqual(seen.texts, ['last'])
})

test('sends answers before the close frame of the library', async t => {
  const { url } = await start(t)
  const { ws, texts, closed } = await openClient(url)
  const connection = (ws as unknown as { _socket: Connection })._socket
  connection.write(Buffer.concat([clientFrame('a'), clientFrame(Buffer.from([0xc3, 0x28]))]))
  t.is((await closed)[0], 1007)
  t.deepEqual(texts, ['a'])
})

test('sends answers before the answer to a close frame', async t => {
  const { url } = await start(t)
  const { ws, texts, closed } = await openClient(url)
  ws.send('a')
  ws.close(1000)
  t.is((await closed)[0], 1000)
  t.deepEqual(texts, ['a'])
})

test('ignores frames after a close frame', async t => {
  const { server, seen } = await start(t)
  const connection = await dial(t, server.port)
  connection.write(upgradeRequest())
  await once(connection, 'data')
  connection.write(Buffer.concat([clientFrame('a'), clientFrame(Buffer.from([3, 232]), { opcode: CLOSE })]))
  await once(connection, 'data')
  connection.end(clientFrame('late'))
  t.is(await seen.closed, 1000)
  t.deepEqual(seen.texts, ['a'])
})

test('frames that wait for a slow client stay as they were sent', async t => {
  const frame = (name: string, at: number) => `${name}${at}€`.repeat(at % 900)
  const open = (peer: SocketPeer) => ({
    async message(name: string) {
      for (let at = 0; at < 2500; at++) {
        if (!peer.send(frame(name, at))) return peer.close(4429)
        // Several turns of the event loop, with several frames each.
        if (at % 7 === 0) await new Promise(resolve => setImmediate(resolve))
      }
      peer.close(4000)
    },
  })
  const { url } = await start(t, { open, maxBuffer: 100_000_000 })
  const clients = await Promise.all(
    ['a', 'b', 'c'].map(async name => {
      const { ws, texts, closed } = await openClient(url)
      ws.send(name)
      ws.pause()
      return { name, ws, texts, closed }
    }),
  )
  await wait(200)
  for (const { name, ws, texts, closed } of clients) {
    ws.resume()
    t.is((await closed)[0], 4000)
    t.deepEqual(
      texts,
      Array.from({ length: 2500 }, (_, at) => frame(name, at)),
    )
  }
})

test('the send buffer holds its size in bytes, whatever the characters', async t => {
  const results: boolean[] = []
  const open = (peer: SocketPeer) => ({
    message: () => void results.push(...['x', 'ü', '€', 'x'].map(text => peer.send(text.repeat(100)))),
  })
  const { url } = await start(t, { open, maxBuffer: 250 })
  const ws = new WebSocket(url)
  await once(ws, 'open')
  const sent = once(ws, 'message')
  ws.send('start')
  await sent
  t.deepEqual(results, [true, true, false, true])
  ws.terminate()
})

test('pauses reading while frames wait for a slow session', async t => {
  let release = () => {}
  const released = new Promise<void>(resolve => (release = resolve))
  const { url, seen } = await start(t, { open: () => ({ message: () => released }) })
  const ws = new WebSocket(url)
  await once(ws, 'open')
  const text = 'x'.repeat(10_000)
  for (let at = 0; at < 5000; at++) ws.send(text)
  await waitFor(() => seen.texts.length > 0)
  await wait(100)
  t.is(seen.texts.length, 1)
  t.true(ws.bufferedAmount > 10_000_000)
  release()
  await waitFor(() => seen.texts.length === 5000)
  t.pass()
  ws.terminate()
})

test('stops after the sockets are closed', async t => {
  const { server, url } = await start(t)
  const ws = new WebSocket(url)
  await once(ws, 'open')
  const closed = once(ws, 'close')
  const { server: listener } = server.http
  const count = () => new Promise<number>(resolve => listener.getConnections((_, open) => resolve(open)))
  t.is(await count(), 1)
  ws.close()
  await closed
  while ((await count()) > 0) await wait(5)
  t.pass()
})
