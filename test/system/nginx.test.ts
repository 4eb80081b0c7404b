import test from 'ava'
import { askProduct, judgeSeen } from '../../bin/doctor/proxy.ts'
import type { SeenRequest } from '../../services/http/monitoring/seen-request.ts'
import { type Person, startTestKernel, type TestKernel } from '../../testing/index.ts'
import { peopleOf } from '../fixtures/people.ts'
import { dial } from '../fixtures/topics.ts'
import { startNginx, type TlsProxy } from './proxies.ts'

let kernel: TestKernel
let nginx: TlsProxy
let owner: Person
test.before(async () => {
  const collections = { notes: { fields: { body: { type: 'longtext' } } } }
  const modules = { identity: {}, collections: {}, forms: {}, features: {} }
  kernel = await startTestKernel({ recipe: { modules, collections } })
  owner = await peopleOf(kernel).person()
  nginx = await startNginx([kernel.url], 'gzip on; gzip_min_length 1; gzip_types application/json;')
})
test.after.always(async () => {
  await nginx?.close()
  await kernel?.stop()
})

const call = async (path: string, { method = 'GET', body, tag, held }: Call = {}) => {
  const response = await nginx.fetch(`${nginx.url}/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${owner.token}`,
      'x-tenant-id': owner.tenantId,
      'content-type': 'application/json',
      ...(tag !== undefined && { 'if-match': tag }),
      ...(held !== undefined && { 'if-none-match': held }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, tag: response.headers.get('etag') ?? '', body: text === '' ? {} : JSON.parse(text) }
}
interface Call {
  readonly method?: string
  readonly body?: object
  readonly tag?: string
  readonly held?: string
}

const schema = { type: 'object', properties: { name: { type: 'string' } } }
const cases = {
  'a row': { path: '/data/notes', created: { body: 'x'.repeat(2000) }, change: { body: 'y' }, method: 'PATCH' },
  'a form': {
    path: '/forms',
    created: { name: 'Contact', schema },
    change: { schema: { type: 'object' } },
    method: 'PATCH',
  },
} as const

for (const [what, { path, created, change, method }] of Object.entries(cases))
  test.serial(`changes ${what} with the tag that nginx has weakened, and refuses an older one`, async t => {
    const { body: made } = await call(path, { method: 'POST', body: created })
    const at = `${path}/${made.id}`
    const { tag } = await call(at)
    t.regex(tag, /^W\//)
    t.is((await call(at, { held: tag })).status, 304)
    t.is((await call(at, { method, body: change, tag })).status, 200)
    t.is((await call(at, { method, body: created, tag })).status, 412)
    t.is((await call(at, { held: tag })).status, 200)
    t.is((await call(at, { method, body: { ...created }, tag: `"other", ${(await call(at)).tag}` })).status, 200)
  })

test.serial('nginx tells the product who asks, whatever a stranger claims', async t => {
  const { seen } = await askProduct(new URL(nginx.url), kernel.kernel.ports.secrets)
  // nginx passes the host without a port, which PUBLIC_URL doesn't have either.
  const judged = judgeSeen(new URL('https://127.0.0.1'), { ...(seen as SeenRequest), trustProxy: 1 })
  t.deepEqual(
    judged.map(({ state }) => state),
    ['ok'],
    JSON.stringify(seen),
  )
})

test.serial('a socket passes nginx', async t => {
  const socket = await dial(nginx.url, { ca: nginx.ca })
  t.teardown(() => socket.cut())
  const welcome = await socket.request('hello', { tenantId: owner.tenantId, token: owner.token })
  t.is(welcome.type, 'welcome')
})
