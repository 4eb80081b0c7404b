import { once } from 'node:events'
import { createServer } from 'node:http'
import test from 'ava'
import { judgeClock } from '../../../bin/doctor/clock.ts'
import { askProduct, judgeAnswer, judgeSeen } from '../../../bin/doctor/proxy.ts'
import { createSecrets } from '../../../kernel/base/index.ts'
import type { SeenRequest } from '../../../services/http/monitoring/seen-request.ts'

const URL_ = new URL('https://app.example.com')
const VISITOR = '198.51.100.4'
const FORGED = '192.0.2.77'
const fitting: SeenRequest = {
  version: '1.0.0',
  peer: '127.0.0.1',
  address: VISITOR,
  trustProxy: 1,
  trustTraceparent: false,
  headers: {
    host: 'app.example.com',
    'x-forwarded-for': `${FORGED}, ${VISITOR}`,
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'app.example.com',
    traceparent: '00-a',
  },
}
const judged = (more: Partial<SeenRequest>, headers: SeenRequest['headers'] = {}) =>
  judgeSeen(URL_, { ...fitting, ...more, headers: { ...fitting.headers, ...headers } }).map(
    ({ state, what, fix = '' }) => `${state} ${what} → ${fix}`,
  )

test('says what the product sees of a visitor', t => {
  t.deepEqual(judged({}), [
    `ok the product sees of a visitor: address ${VISITOR}, host app.example.com, protocol https → `,
  ])
})

test('TRUST_PROXY is the number of proxies that append', t => {
  t.regex(judged({ trustProxy: 2 }).join(), /^fail visitors choose the address .* 1 proxy appends .*Set TRUST_PROXY=1/)
  t.regex(judged({ trustProxy: 0 }).join(), /^fail the product takes the address of a proxy .*Set TRUST_PROXY=1/)
  t.regex(judged({}, { 'x-forwarded-for': FORGED }).join(), /^fail visitors choose the address .* no proxy appends/)
  // As Caddy does, which replaces the header of a stranger.
  t.regex(judged({}, { 'x-forwarded-for': VISITOR }).join(), /^ok /)
  t.regex(
    judged({ trustProxy: 2 }, { 'x-forwarded-for': VISITOR }).join(),
    /^fail TRUST_PROXY is 2, and 1 proxy appends/,
  )
  t.regex(judged({ trustProxy: 1 }, { 'x-forwarded-for': `${VISITOR}, 10.0.0.1` }).join(), /^fail .*Set TRUST_PROXY=2/)
})

test('a proxy passes the host of the visitor, and no header of a stranger', t => {
  t.regex(judged({}, { host: '127.0.0.1:8080' }).join(), /^warn the proxy sends the host 127\.0\.0\.1:8080/)
  t.regex(
    judged({}, { 'x-forwarded-proto': 'http' }).join(),
    /^warn the proxy passes the header x-forwarded-proto of a/,
  )
  t.regex(
    judged({}, { 'x-forwarded-host': 'stranger.invalid' }).join(),
    /^warn the proxy passes the header x-forwarded-host/,
  )
  t.regex(judged({}, { 'x-forwarded-host': 'inside' }).join(), /^warn the proxy sends x-forwarded-host: inside/)
  t.regex(judged({ trustTraceparent: true }).join(), /^warn a stranger decides which traces are recorded/)
})

test('another server than Larder is told by its answer, and a wrong clock by its Date', async t => {
  const server = createServer((_, response) => {
    response.writeHead(404, { date: new Date(Date.now() + 120_000).toUTCString() }).end('not here')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const url = new URL(`http://127.0.0.1:${(server.address() as { port: number }).port}`)
  const answer = await askProduct(url, createSecrets(['a secret of 32 characters or more than that']))
  t.regex(judgeAnswer(url, answer)[0]?.what ?? '', /answered with 404, so what proxies add was not examined/)
  const clock = judgeClock('app.example.com', answer.offsetMs ?? 0)
  t.is(clock.state, 'fail')
  t.regex(clock.what, /is (?:119|120|121) s behind that of app\.example\.com/)
  t.is(judgeClock('x', -6000).state, 'warn')
  t.regex(judgeClock('x', -6000).what, /6 s ahead of/)
  t.is(judgeClock('x', 900).state, 'ok')
})

test('a proxy that accepts and never answers is a failure in time', async t => {
  const server = createServer(() => {}).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = new URL(`http://127.0.0.1:${(server.address() as { port: number }).port}`)
  await t.throwsAsync(askProduct(url, createSecrets(['a secret of 32 characters or more than that']), 50))
})
