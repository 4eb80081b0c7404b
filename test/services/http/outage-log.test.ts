import anyTest, { type TestFn } from 'ava'
import { pino } from 'pino'
import { createCountedWarnings } from '../../../kernel/base/counted-warnings.ts'
import { common } from '../../../kernel/base/problem.ts'
import { route } from '../../../kernel/contract/route.ts'
import { waitFor } from '../../fixtures/wait.ts'
import { startTestServer, type TestServer, useTestServer } from './fixtures.ts'

const test = anyTest as TestFn<{ server: TestServer }>

const outage = () =>
  Promise.reject(
    Object.assign(common.database_unavailable({ seconds: 1 }), {
      cause: new Error('connect ECONNREFUSED 10.0.0.1:5432'),
    }),
  )

useTestServer(test, () =>
  startTestServer({
    routes: [route({ method: 'get', path: '/away', allow: 'public', replies: { 200: null }, handle: outage })],
  }),
)

test('announces requests that an outage rejects once, without a stack', async t => {
  const { server } = t.context
  for (let request = 0; request < 20; request++) t.is((await server.get('/v1/away')).status, 503)
  const loud = server.lines.filter(({ level }) => Number(level) >= 40)
  t.deepEqual(
    loud.map(({ level, code, reason, err, msg }) => ({ level, code, reason, err, msg })),
    [
      {
        level: 40,
        code: 'database_unavailable',
        reason: 'connect ECONNREFUSED 10.0.0.1:5432',
        err: undefined,
        msg: 'requests are rejected',
      },
    ],
  )
})

test('counts warnings that repeat', async t => {
  const lines: Record<string, unknown>[] = []
  const log = pino({ base: undefined }, { write: line => void lines.push(JSON.parse(line)) })
  const warn = createCountedWarnings({ log, first: 'first', more: 'more', intervalMs: 20 })
  for (let number = 0; number < 100; number++) warn('a', { number })
  await waitFor(() => lines.some(({ msg }) => msg === 'more'))
  t.like(lines[0], { level: 40, msg: 'first', code: 'a', number: 0 })
  t.like(lines[1], { level: 40, msg: 'more', code: 'a', count: 99 })
  t.is(lines.length, 2)
})
