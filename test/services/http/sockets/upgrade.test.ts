import { connect } from 'node:net'
import test from 'ava'
import { route, Type } from '../../../../kernel/index.ts'
import { startTestServer } from '../fixtures.ts'

const H2C = ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAEAAEAAAAIAAAAB']

const echo = route({
  method: 'post',
  path: '/echo',
  operationId: 'echo',
  allow: 'public',
  summary: 'Returns the body.',
  body: Type.Object({ text: Type.String() }),
  replies: { 200: Type.Object({ text: Type.String() }) },
  handle: async ({ body }) => body,
})

/** Sends the pieces one after the other, and returns all that the server sends until it has sent `count` responses. */
const exchange = (port: number, pieces: readonly string[], count = 1): Promise<string> =>
  new Promise((resolve, reject) => {
    const connection = connect(port, '127.0.0.1')
    let text = ''
    connection.on('data', bytes => {
      text += bytes
      // Each body ends with a brace.
      if (text.endsWith('}') && text.split('HTTP/1.1 ').length > count) connection.end()
    })
    connection.on('close', () => resolve(text)).on('error', reject)
    const send = ([piece, ...others]: readonly string[]) => {
      if (piece === undefined) return
      connection.write(piece, 'latin1', () => setImmediate(send, others))
    }
    send(pieces)
  })
const request = (lines: readonly string[], body: string) =>
  ['POST /v1/echo HTTP/1.1', 'Host: a.example', 'Content-Type: application/json', ...lines, '', body].join('\r\n')
const echoes = { waiting: () => {} }
const BODY = JSON.stringify({ text: 'hello' })
const LENGTH = `Content-Length: ${BODY.length}`

test('answers a request that offers another protocol than WebSocket', async t => {
  const server = await startTestServer({ routes: [echo] })
  t.teardown(server.stop)
  const offers = [
    H2C,
    ['Connection: upgrade', 'Upgrade: h2c'],
    ['Connection: keep-alive, Upgrade', 'Upgrade: TLS/1.0, HTTP/2.0'],
    ['Connection: Upgrade', 'Upgrade: IRC/6.9', 'X-Name: \u00e4'],
  ]
  for (const lines of offers) {
    const answer = await exchange(server.port, [request([...lines, LENGTH], BODY)])
    t.regex(answer, /^HTTP\/1\.1 200 /)
    t.true(answer.endsWith(BODY))
  }
  t.regex(
    await exchange(server.port, [['GET /healthz HTTP/1.1', 'Host: a.example', ...H2C, '', ''].join('\r\n')]),
    /^HTTP\/1\.1 200 /,
  )
})

test('reads a body that arrives in pieces after an offer of another protocol', async t => {
  const server = await startTestServer({ routes: [echo] })
  t.teardown(server.stop)
  const whole = request([...H2C, LENGTH], BODY)
  const pieces = [whole.slice(0, 40), whole.slice(40, -7), whole.slice(-7, -1), whole.slice(-1)]
  t.true((await exchange(server.port, pieces)).endsWith(BODY))
  const chunked = [
    request([...H2C, 'Transfer-Encoding: chunked'], '5\r\n{"tex\r\n'),
    `${(BODY.length - 5).toString(16)}\r\n${BODY.slice(5)}\r\n`,
    '0\r\n\r\n',
  ]
  t.true((await exchange(server.port, chunked)).endsWith(BODY))
})

test('keeps the connection of a request that offered another protocol', async t => {
  const server = await startTestServer({ routes: [echo] })
  t.teardown(server.stop)
  const first = request([...H2C, LENGTH], BODY)
  const next = request([LENGTH], BODY)
  t.is((await exchange(server.port, [first + next, first], 3)).split('HTTP/1.1 200 ').length, 4)
})

test('refuses an upgrade to WebSocket at the address of a route', async t => {
  const server = await startTestServer({ routes: [echo] })
  t.teardown(server.stop)
  const lines = ['Connection: Upgrade', 'Upgrade: WebSocket', 'Sec-WebSocket-Version: 13', LENGTH]
  t.regex(await exchange(server.port, [request(lines, BODY)]), /^HTTP\/1\.1 404 /)
})

test('a connection that is reset while a pipelined offer waits harms nobody', async t => {
  let release = () => {}
  const released = new Promise<void>(resolve => {
    release = resolve
  })
  const asked = new Promise<void>(resolve => {
    echoes.waiting = resolve
  })
  const slow = route({
    ...echo,
    path: '/slow',
    operationId: 'slow',
    handle: async ({ body }) => {
      echoes.waiting()
      await released
      return body
    },
  })
  const server = await startTestServer({ routes: [echo, slow] })
  t.teardown(server.stop)
  const connection = connect(server.port, '127.0.0.1')
  connection.on('error', () => {})
  connection.write(request([LENGTH], BODY).replace('/echo', '/slow') + request([...H2C, LENGTH], BODY))
  await asked
  connection.resetAndDestroy()
  await new Promise(resolve => connection.once('close', resolve))
  release()
  t.true((await exchange(server.port, [request([LENGTH], BODY)])).endsWith(BODY))
})
