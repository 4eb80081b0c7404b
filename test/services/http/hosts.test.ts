import { connect } from 'node:net'
import test from 'ava'
import { socket } from '../../../kernel/index.ts'
import { startTestServer } from './fixtures.ts'

const UPGRADE = [
  'Upgrade: websocket',
  'Connection: Upgrade',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
]

const answerTo = (
  port: number,
  hosts: readonly string[],
  { path = '/healthz', more = ['Connection: close'] as readonly string[] } = {},
): Promise<string> =>
  new Promise((resolve, reject) => {
    const connection = connect(port, '127.0.0.1')
    const headers = [...hosts.map(host => `Host: ${host}`), ...more].map(line => `${line}\r\n`).join('')
    let text = ''
    connection.on('data', bytes => {
      text += bytes
      // An accepted upgrade stays open.
      if (text.startsWith('HTTP/1.1 101')) connection.end()
    })
    connection.on('close', () => resolve(text.slice(0, 12))).on('error', reject)
    connection.write(`GET ${path} HTTP/1.1\r\n${headers}\r\n`)
  })

test('refuses a request with two Host headers', async t => {
  const server = await startTestServer({})
  t.teardown(server.stop)
  t.is(await answerTo(server.port, ['a.example', 'b.example']), 'HTTP/1.1 400')
  t.is(await answerTo(server.port, ['a.example', 'a.example']), 'HTTP/1.1 400')
  t.is(await answerTo(server.port, ['a.example']), 'HTTP/1.1 200')
})

test('refuses a request without a Host header', async t => {
  const server = await startTestServer({})
  t.teardown(server.stop)
  t.is(await answerTo(server.port, []), 'HTTP/1.1 400')
})

test('refuses an upgrade with two Host headers or none', async t => {
  const echo = socket({
    path: '/echo',
    allow: 'public',
    summary: 'Closes.',
    open: () => ({ message() {}, closed() {} }),
  })
  const server = await startTestServer({ sockets: [echo] })
  t.teardown(server.stop)
  const upgrade = { path: '/v1/echo', more: UPGRADE }
  t.is(await answerTo(server.port, ['a.example', 'b.example'], upgrade), 'HTTP/1.1 400')
  t.is(await answerTo(server.port, [], upgrade), 'HTTP/1.1 400')
  t.is(await answerTo(server.port, ['a.example'], upgrade), 'HTTP/1.1 101')
})
