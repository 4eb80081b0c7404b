import { connect, Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import test from 'ava'
import { createHttpClient } from '../../../../modules/webhooks/services/http-client.ts'
import { type Connect, createDialer } from '../../../../services/outbound/dialer.ts'
import { connectionsOf } from '../../../../services/outbound/outbound.ts'
import { parseAllowedHosts } from '../../../../services/outbound/targets.ts'
import { startReceiver } from '../receiver.ts'

/** Resolves names to a public address and connects to the receiver instead. */
function createFixture(port: number, timeout?: number) {
  const dialled: Parameters<Connect>[0][] = []
  const dial = createDialer(
    parseAllowedHosts(),
    async name => [{ address: name === 'private.test' ? '10.0.0.1' : '93.184.216.34', family: 4 }],
    to => {
      dialled.push(to)
      return connect(port, '127.0.0.1')
    },
  )
  const post = createHttpClient(connectionsOf(dial), timeout)
  const send = (url: string, body = '{}') =>
    post(url, { 'content-type': 'application/json', 'webhook-id': 'msg_1' }, body)
  return { post, send, dialled }
}

test('sends a POST with the body and host header to the resolved address', async t => {
  const receiver = await startReceiver((_, response) => void response.writeHead(200).end('fine'))
  const { post, send, dialled } = createFixture(receiver.port)
  const outcome = await send('http://hooks.test:81/a/b?c=d', '{"é":1}')
  t.like(outcome, { status: 200, error: null, answer: 'fine' })
  t.like(receiver.received[0], { method: 'POST', path: '/a/b?c=d', body: '{"é":1}' })
  t.like(receiver.received[0]?.headers, { host: 'hooks.test:81', 'content-length': '8', 'webhook-id': 'msg_1' })
  t.like(dialled[0], { hostname: 'hooks.test', port: 81, addresses: [{ address: '93.184.216.34', family: 4 }] })
  post.close()
  await receiver.close()
})

test('reuses connections per host', async t => {
  const receiver = await startReceiver()
  const { post, send, dialled } = createFixture(receiver.port)
  for (const url of ['http://a.test/1', 'http://a.test/2', 'http://b.test/']) {
    await send(url)
    // A connection is available again in the next turn of the event loop.
    await setImmediate()
  }
  t.deepEqual(
    dialled.map(({ hostname }) => hostname),
    ['a.test', 'b.test'],
  )
  post.close()
  await receiver.close()
})

test('an informational response does not end the attempt', async t => {
  const receiver = await startReceiver((_, response) => {
    response.writeEarlyHints({ link: '</style.css>; rel=preload' })
    response.writeHead(202).end('fine')
  })
  const { post, send } = createFixture(receiver.port)
  t.like(await send('http://a.test/'), { status: 202, error: null, answer: 'fine' })
  post.close()
  await receiver.close()
})

test('a connection that never opens ends with the timeout', async t => {
  const stuck = new Socket()
  const closed = new Promise(resolve => stuck.once('close', resolve))
  const post = createHttpClient(
    connectionsOf(async () => stuck),
    100,
  )
  t.like(await post('http://a.test/', {}, '{}'), { status: null, answer: null })
  await closed
  t.true(stuck.destroyed)
  post.close()
})

test('does not follow redirects', async t => {
  const receiver = await startReceiver(
    (_, response) => void response.writeHead(302, { location: 'http://private.test/' }).end(),
  )
  const { post, send, dialled } = createFixture(receiver.port)
  t.is((await send('http://a.test/')).status, 302)
  t.is(receiver.received.length, 1)
  t.is(dialled.length, 1)
  post.close()
  await receiver.close()
})

test('rejects addresses that are not public without sending', async t => {
  const receiver = await startReceiver()
  const { post, send, dialled } = createFixture(receiver.port)
  for (const url of [
    'http://private.test/',
    'http://127.0.0.1/',
    'http://[::1]/',
    'http://2130706433/',
    'ftp://a.test/',
  ])
    t.like(await send(url), { status: null, refused: true, answer: null }, url)
  t.is(dialled.length + receiver.received.length, 0)
  post.close()
  await receiver.close()
})

test('times out before or during the response', async t => {
  const receiver = await startReceiver((request, response) => {
    if (request.path === '/begun') response.writeHead(200).write('begun')
  })
  const { post, send } = createFixture(receiver.port, 200)
  t.like(await send('http://a.test/'), { status: null, error: 'no response within 0.2 s' })
  t.like(await send('http://a.test/begun'), { status: 200, error: null })
  post.close()
  await receiver.close()
})

test('stores 1 KiB of an endless response and aborts it', async t => {
  let written = 0
  let cut = () => {}
  const gone = new Promise<void>(resolve => {
    cut = resolve
  })
  const receiver = await startReceiver((_, response) => {
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(65536))) written += 65536
      written += 65536
    }
    response.on('drain', more).on('close', cut).writeHead(200)
    more()
  })
  const { post, send } = createFixture(receiver.port)
  const { status, answer } = await send('http://a.test/')
  await gone
  t.is(status, 200)
  t.is(answer, 'x'.repeat(1024))
  t.true(written < 16 * 1024 * 1024)
  post.close()
  await receiver.close()
})

test('replaces bytes that PostgreSQL text cannot store', async t => {
  const receiver = await startReceiver(
    (_, response) => void response.writeHead(500).end(Buffer.from([0x61, 0x00, 0xff, 0xc3])),
  )
  const { post, send } = createFixture(receiver.port)
  t.is((await send('http://a.test/')).answer, 'a\uFFFD\uFFFD\uFFFD')
  post.close()
  await receiver.close()
})

test('a stale keep-alive connection does not count as an attempt', async t => {
  const used = new WeakSet<object>()
  const receiver = await startReceiver((_, response) => {
    const socket = response.socket as object & { destroy(): void }
    if (used.has(socket)) return socket.destroy()
    used.add(socket)
    response.writeHead(204).end()
  })
  const { post, send, dialled } = createFixture(receiver.port)
  t.is((await send('http://a.test/1')).status, 204)
  t.is((await send('http://a.test/2')).status, 204)
  t.is(dialled.length, 2)
  post.close()
  await receiver.close()
})

test('reports connection failures and invalid HTTP', async t => {
  const receiver = await startReceiver((_, response) => void response.socket?.end('nonsense\r\n\r\n'))
  const { post, send } = createFixture(receiver.port)
  t.regex((await send('http://a.test/')).error ?? '', /does not match the HTTP\/1.1 protocol/)
  await receiver.close()
  t.regex((await send('http://b.test/')).error ?? '', /ECONNREFUSED/)
  post.close()
})

test('an aborted attempt ends immediately', async t => {
  const receiver = await startReceiver(() => undefined)
  const { post } = createFixture(receiver.port)
  const attempt = post('http://a.test/', {}, '{}')
  await receiver.came(1)
  post.abort()
  t.is((await attempt).status, null)
  post.close()
  await receiver.close()
})
