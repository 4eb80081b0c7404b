import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import test from 'ava'
import { route } from '../../../kernel/contract/route.ts'
import { waitFor } from '../../fixtures/wait.ts'
import { startTestServer } from './fixtures.ts'

const authorize = () => {
  let open = () => {}
  const passed = new Promise<void>(resolve => {
    open = resolve
  })
  return { open, passed }
}

test('finishes requests in progress during shutdown', async t => {
  const arrived = authorize()
  const release = authorize()
  const slow = route({
    method: 'get',
    path: '/slow',
    allow: 'public',
    replies: { 204: null },
    handle: async () => {
      arrived.open()
      await release.passed
    },
  })
  const server = await startTestServer({ routes: [slow] })
  t.teardown(server.stop)
  const answer = server.get('/v1/slow')
  await arrived.passed
  const drained = server.http.drain()
  const isRefused = () =>
    server.get('/v1/health').then(
      () => false,
      () => true,
    )
  await waitFor(isRefused)
  release.open()
  const { status, headers } = await answer
  t.deepEqual([status, headers.get('connection')], [204, 'close'])
  await drained
  await t.throwsAsync(server.get('/v1/health'))
})

test('closes kept-alive connections with their next response and loses no request', async t => {
  const quick = route({
    method: 'get',
    path: '/quick',
    allow: 'public',
    replies: { 204: null },
    handle: async () => undefined,
  })
  const server = await startTestServer({ routes: [quick] })
  t.teardown(server.stop)
  const agent = new Agent({ keepAlive: true, maxSockets: 4 })
  let stopping = false
  const ask = () =>
    new Promise<number>((resolve, reject) => {
      request(`${server.url}/v1/quick`, { agent }, answer => {
        answer.resume().on('end', () => resolve(answer.statusCode ?? 0))
      })
        .on('error', (error: NodeJS.ErrnoException) =>
          stopping && error.code === 'ECONNREFUSED' ? resolve(0) : reject(error),
        )
        .end()
    })
  const lane = async () => {
    const seen: number[] = []
    while (seen.length === 0 || seen.at(-1) === 204) seen.push(await ask())
    return seen
  }
  const lanes = Promise.all([lane(), lane(), lane(), lane()])
  await ask()
  stopping = true
  await server.http.drain()
  const seen = (await lanes).flat()
  t.deepEqual(new Set(seen), new Set([204, 0]))
  agent.destroy()
})

test('readiness fails during shutdown', async t => {
  const server = await startTestServer({})
  t.teardown(server.stop)
  const socket = connect(server.port, '127.0.0.1')
  await new Promise(resolve => socket.once('connect', resolve))
  socket.write('GET /v1/health HTTP/1.1\r\nhost: x\r\n\r\n')
  await new Promise(resolve => socket.once('data', resolve))
  const drained = server.http.drain()
  await Promise.resolve()
  socket.write('GET /v1/health/readiness HTTP/1.1\r\nhost: x\r\n\r\n')
  const answer = await new Promise<string>(resolve => socket.once('data', data => resolve(String(data))))
  t.regex(answer, /^HTTP\/1.1 503[\s\S]*"stopping":"failed"/)
  await drained
})

test('accepts requests during the shutdown delay while readiness fails, and refuses connections afterwards', async t => {
  const settings = { trustProxy: 0, rateLimits: false, production: true, metricsToken: undefined }
  const server = await startTestServer({}, { settings: { ...settings, shutdownDelayMs: 3000 } })
  t.teardown(server.stop)
  const drained = server.http.drain()
  t.is((await server.get('/v1/health/readiness', { connection: 'close' })).status, 503)
  t.is((await server.get('/v1/health', { connection: 'close' })).status, 200)
  await drained
  await t.throwsAsync(server.get('/v1/health'))
})

test('aborts the signal of the handler when the client disconnects', async t => {
  const arrived = authorize()
  const aborted = authorize()
  const wait = route({
    method: 'get',
    path: '/wait',
    allow: 'public',
    replies: { 204: null },
    handle: async ({ request: facts }) => {
      facts.signal.addEventListener('abort', aborted.open)
      arrived.open()
      await aborted.passed
    },
  })
  const server = await startTestServer({ routes: [wait] })
  t.teardown(server.stop)
  const leaving = new AbortController()
  const answer = fetch(`${server.url}/v1/wait`, { signal: leaving.signal })
  await arrived.passed
  leaving.abort()
  await t.throwsAsync(answer, { any: true })
  await t.notThrowsAsync(aborted.passed)
  t.is((await server.get('/v1/health')).status, 200)
})
