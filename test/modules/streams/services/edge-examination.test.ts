import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import anyTest, { type TestFn } from 'ava'
import { packageRoot } from '../../../../kernel/base/package-root.ts'
import { createEdgeApi, EdgeError } from '../../../../modules/streams/services/edge-api.ts'
import { diagnoseEdge } from '../../../../modules/streams/services/mediamtx.ts'
import { EDGE_SECRET } from '../fixtures.ts'
import { environmentOf, SHIPPED } from './edge-fixtures.ts'
import { type MediaMtxDouble, startMediaMtxDouble } from './mediamtx-double.ts'

const test = anyTest as TestFn<{ edge: MediaMtxDouble }>
const LARDER = 'http://127.0.0.1:9'

test.beforeEach(async t => {
  const edge = await startMediaMtxDouble()
  edge.configure(SHIPPED, environmentOf(LARDER))
  t.context = { edge }
})
test.afterEach.always(t => t.context.edge?.stop())

const examine = ({ api }: MediaMtxDouble) => diagnoseEdge({ edge: { apiUrl: api, secret: EDGE_SECRET } })

test('the documentation contains the shipped configuration, which has no problems', async t => {
  const page = readFileSync(new URL('docs/streams.md', packageRoot), 'utf8')
  const [, block = ''] = /```yaml\n([\s\S]*?)```/.exec(page) ?? []
  t.is(block, SHIPPED)
  t.deepEqual(await examine(t.context.edge), [])
})

test('says that the API is not excluded from authentication', async t => {
  const { edge } = t.context
  edge.configure(SHIPPED.replace(/^authHTTPExclude:.*$/m, ''), environmentOf(LARDER))
  t.regex((await examine(edge)).join(), /can't close connections: add "authHTTPExclude: \[\{ action: api \}\]"/)
})

test('says that MediaMTX asks nobody, or with a wrong or logged secret', async t => {
  const { edge } = t.context
  edge.configure(SHIPPED.replace('authMethod: http', 'authMethod: internal'), environmentOf(LARDER))
  t.regex((await examine(edge)).join(), /doesn't ask Larder who may publish and play/)
  edge.configure(SHIPPED, environmentOf(LARDER, 'another secret'))
  t.regex((await examine(edge)).join(), /secret in authHTTPAddress of mediamtx\.yml is not the one in EDGE_SECRET/)
  const inQuery = `${LARDER}/v1/media/edge/auth?secret=${encodeURIComponent(EDGE_SECRET)}`
  edge.configure(SHIPPED, { MTX_AUTHHTTPADDRESS: inQuery })
  t.regex((await examine(edge)).join(), /logs the secret in the query/)
})

test('says that the hooks are missing', async t => {
  const { edge } = t.context
  edge.configure(SHIPPED.replace('runOnUnavailable', 'runOnUnread'), environmentOf(LARDER))
  t.regex((await examine(edge)).join(), /doesn't tell Larder when streams under live\/ start and stop/)
})

test('says that another program, or nothing, answers at the address of the API', async t => {
  const { edge } = t.context
  edge.failNext(1, 200)
  t.regex((await examine(edge)).join(), /does not answer like MediaMTX.*check EDGE_API_URL/)
  await edge.stop()
  t.regex((await examine(edge)).join(), /does not answer: start MediaMTX/)
})

test('says that an edge without a secret is off', async t => {
  t.deepEqual(await diagnoseEdge({ edge: {} }), [])
  t.regex((await diagnoseEdge({ edge: { apiUrl: 'http://edge.test:9997' } })).join(), /no secret \(EDGE_SECRET\)/)
})

const UNFINISHED: Readonly<Record<string, RequestListener>> = {
  'sends no end of its answer': (_, response) => void response.writeHead(200, { server: 'mediamtx' }).write('{'),
  'never answers': () => {},
}
for (const [what, listener] of Object.entries(UNFINISHED))
  test(`an edge that accepts connections and ${what} is out of reach, but not down`, async t => {
    const server = createServer(listener).listen(0, '127.0.0.1')
    await once(server, 'listening')
    t.teardown(() => {
      server.closeAllConnections()
      server.close()
    })
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const error = await t.throwsAsync(createEdgeApi(url).settings(AbortSignal.timeout(300)), {
      instanceOf: EdgeError,
      message: /does not answer/,
    })
    t.is(error?.reason, 'unreachable')
    t.regex((await diagnoseEdge({ edge: { apiUrl: url, secret: EDGE_SECRET } })).join(), /does(n't| not) answer/)
  })
