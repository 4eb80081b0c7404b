/** Debian's Caddy with `deploy/caddy/Caddyfile`. Needs Debian's package caddy. */
import test from 'ava'
import { type Person, startTestKernel, type TestKernel } from '../../testing/index.ts'
import { freePort } from '../fixtures/free-port.ts'
import { peopleOf } from '../fixtures/people.ts'
import { dial } from '../fixtures/topics.ts'
import { startCaddy, type TlsProxy } from '../system/proxies.ts'

let kernel: TestKernel
let caddy: TlsProxy
let owner: Person
test.before(async () => {
  const collections = { notes: { fields: { body: { type: 'text' } } } }
  kernel = await startTestKernel({ recipe: { modules: { identity: {}, collections: {} }, collections } })
  owner = await peopleOf(kernel).person()
  // Caddy leaves out a process for a while after it refused a connection; among many, others are still to be found out.
  const stopped = await Promise.all(Array.from({ length: 8 }, async () => `http://127.0.0.1:${await freePort()}`))
  caddy = await startCaddy([kernel.url, ...stopped])
})
test.after.always(async () => {
  await caddy?.close()
  await kernel?.stop()
})

test('processes that refuse connections cost no request', async t => {
  const headers = {
    authorization: `Bearer ${owner.token}`,
    'x-tenant-id': owner.tenantId,
    'content-type': 'application/json',
  }
  const statuses = await Promise.all(
    Array.from({ length: 20 }, async (_, at) => {
      const body = JSON.stringify({ body: String(at) })
      return (await caddy.fetch(`${caddy.url}/v1/data/notes`, { method: 'POST', headers, body })).status
    }),
  )
  t.deepEqual(new Set(statuses), new Set([201]))
})

test('a socket passes Caddy', async t => {
  const socket = await dial(caddy.url, { ca: caddy.ca })
  t.teardown(() => socket.cut())
  const welcome = await socket.request('hello', { tenantId: owner.tenantId, token: owner.token })
  t.is(welcome.type, 'welcome')
})
