import { setTimeout as pause } from 'node:timers/promises'
import test from 'ava'
import { reply, route } from '../../../../kernel/contract/route.ts'
import { waitFor } from '../../../fixtures/wait.ts'
import { startTestServer } from '../fixtures.ts'

/** An endless stream of lines that records its progress and whether it was aborted. */
function endless() {
  const seen = { lines: 0, ended: false }
  async function* lines() {
    try {
      for (; ; seen.lines++) yield `${'x'.repeat(10_000)}\n`
    } finally {
      seen.ended = true
    }
  }
  return { seen, lines }
}
async function* three(fails: boolean) {
  yield 'one\n'
  await pause(1)
  yield Buffer.from('two\n')
  if (fails) throw new Error('the well ran dry')
  yield 'three\n'
}
const streamed = (path: `/${string}`, body: () => AsyncIterable<string | Buffer>) =>
  route({
    method: 'get',
    path,
    allow: 'public',
    replies: { 200: null },
    handle: async () => reply(200, body(), { 'content-type': 'text/csv', 'content-disposition': 'attachment' }),
  })

test('streams responses', async t => {
  const server = await startTestServer({ routes: [streamed('/a', () => three(false))] })
  t.teardown(server.stop)
  const { status, text, headers } = await server.get('/v1/a')
  t.deepEqual([status, text], [200, 'one\ntwo\nthree\n'])
  t.is(headers.get('content-type'), 'text/csv')
  t.is(headers.get('content-length'), null)
  t.is(headers.get('cache-control'), 'no-store')
  t.truthy(headers.get('x-request-id'))
  const head = await server.send('HEAD', '/v1/a', undefined)
  t.deepEqual([head.status, head.text], [200, ''])
  t.is(server.lines.filter(({ msg }) => msg === 'request').length, 2)
})

test('a response whose data takes longer than the idle timeout of connections is not cut', async t => {
  async function* slow(first: string) {
    if (first !== '') yield first
    await pause(4500)
    yield 'later'
  }
  const server = await startTestServer({ routes: [streamed('/a', () => slow('')), streamed('/b', () => slow('now '))] })
  t.teardown(server.stop)
  const answers = await Promise.all(['/v1/a', '/v1/b'].map(path => server.get(path)))
  t.deepEqual(
    answers.map(({ text }) => text),
    ['later', 'now later'],
  )
})

test('cuts and logs failed streams', async t => {
  const server = await startTestServer({ routes: [streamed('/a', () => three(true))] })
  t.teardown(server.stop)
  await t.throwsAsync(server.get('/v1/a'))
  t.true(server.lines.some(({ msg }) => msg === 'response stream failed'))
})

test('ends a stream on disconnect and applies backpressure', async t => {
  const { seen, lines } = endless()
  const server = await startTestServer({ routes: [streamed('/a', lines)] })
  t.teardown(server.stop)
  const leaving = new AbortController()
  const answer = await fetch(`${server.url}/v1/a`, { signal: leaving.signal })
  await waitFor(() => seen.lines > 0)
  let before = -1
  while (before !== seen.lines) {
    before = seen.lines
    await pause(50)
  }
  leaving.abort()
  await waitFor(() => seen.ended)
  await answer.body?.cancel().catch(() => undefined)
  t.false(server.lines.some(({ msg }) => msg === 'response stream failed'))
})
