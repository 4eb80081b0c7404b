/** A suspended workspace refuses everyone on every surface, in every process, and loses nothing. */
import test from 'ava'
import sharp from 'sharp'
import type { Endpoint } from '../../services/http/server.ts'
import { type Client, type Person, startTestKernel, type TestKernel } from '../../testing/index.ts'
import { dial, join as subscribeSocket } from '../fixtures/topics.ts'
import { waitFor } from '../fixtures/wait.ts'
import { codeOf, colleague, inviteLink, newEmail, operator } from '../modules/identity/fixtures.ts'
import { dial as dialStream, join as joinStream } from '../modules/streams/realtime/client.ts'
import { openReceiver } from '../modules/webhooks/receiver.ts'

interface Intent {
  readonly mediaId: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

let first: TestKernel
let second: TestKernel
let admin: Client
test.before(async () => {
  const recipe = {
    extends: 'larder/full',
    modules: { collections: {}, webhooks: { allowHosts: '127.0.0.1' } },
    collections: { notes: { fields: { title: { type: 'text' } }, access: { read: { anyone: true } } } },
  }
  first = await startTestKernel({ recipe })
  second = await startTestKernel({ recipe, role: 'web', database: first.databaseUrl })
  const { operatorId, ...claimed } = await operator(first)
  admin = claimed.with({ 'x-tenant-id': operatorId })
})
test.after.always(async () => {
  await second?.stop()
  await first?.stop()
})

async function change(how: 'suspend' | 'resume', { tenantId }: { tenantId: string }): Promise<void> {
  const { status } = await admin.post(`/v1/identity/admin/tenants/${tenantId}/${how}`, { reason: 'Test' })
  if (status !== 200) throw new Error(`${how} returned ${status}`)
}

const OPEN = ['public', 'joinToken', 'signature']
const isPlatform = (permission: string) =>
  first.kernel.ports.access.permissions().some(({ key, scope }) => key === permission && scope === 'platform')
const needsTenant = ({ allow }: Endpoint) =>
  !allow.some(word => OPEN.includes(word) || word === 'user') && !allow.every(isPlatform)
const endpoints = (...kinds: Endpoint['kind'][]) =>
  first.kernel.ports.http.endpoints().filter(endpoint => kinds.includes(endpoint.kind) && needsTenant(endpoint))
const pathOf = ({ path }: Endpoint) => path.replace(/:\w+/g, 'xxx_00000000000000000000000000').replace(/\*$/, 'x')
const isForm = ({ method }: Endpoint) => method === 'POST'

test('every route refuses the members and the API keys of a suspended workspace', async t => {
  const ada = await first.register(newEmail('ada'))
  const member = await colleague(first, ada, ['tenant.member'])
  await change('suspend', ada)
  const routes = endpoints('route', 'raw')
  t.true(routes.length > 100)
  for (const client of [ada, member, first.as(ada.apiKey), second.as(ada.token, ada.tenantId)])
    for (const endpoint of routes) {
      const body = endpoint.method === 'GET' || endpoint.method === 'DELETE' ? undefined : {}
      const answer = await client.call<{ code: string }>(endpoint.method, pathOf(endpoint), body)
      // API keys are refused where none may be used.
      const expected = endpoint.apiKeys || client === ada || client === member ? 'tenant_suspended' : answer.body?.code
      t.is(codeOf(answer as never), `403 ${expected}`, `${endpoint.method} ${endpoint.path}`)
    }
})

test('every page of a suspended workspace says that it is suspended', async t => {
  const ada = await first.register(newEmail('ada'))
  await change('suspend', ada)
  const pages = endpoints('page')
  t.true(pages.length > 20)
  for (const endpoint of pages) {
    const response = await fetch(first.url + pathOf(endpoint), {
      method: endpoint.method,
      redirect: 'manual',
      headers: {
        cookie: ada.cookie,
        accept: 'text/html',
        'sec-fetch-site': 'same-origin',
        ...(isForm(endpoint) && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(isForm(endpoint) && { body: 'intent=x' }),
    })
    t.is(response.status, 403, `${endpoint.method} ${endpoint.path}`)
    t.regex(await response.text(), /This workspace is suspended\. Ask/, endpoint.path)
  }
})

test('cached callers of another process are refused at once, and admitted at once after the workspace is resumed', async t => {
  const ada = await first.register(newEmail('ada'))
  const clients = [second.as(ada.token, ada.tenantId), second.as(ada.apiKey), second.as(ada.token)]
  const statuses = async () =>
    Promise.all(clients.map(async client => codeOf((await client.get('/v1/identity/members')) as never)))
  for (let round = 0; round < 3; round++) {
    t.deepEqual(await statuses(), ['200', '200', '200'])
    await change('suspend', ada)
    t.deepEqual(await statuses(), Array(3).fill('403 tenant_suspended'))
    t.deepEqual(await statuses(), Array(3).fill('403 tenant_suspended'))
    await change('resume', ada)
  }
})

test('the public sees no form, stream or row of a suspended workspace, in any process', async t => {
  const ada = await first.register(newEmail('ada'))
  const schema = { type: 'object', properties: { name: { type: 'string' } } }
  const { body: form } = await ada.post('/v1/forms', { name: 'Open', access: 'public', schema })
  const { body: stream } = await ada.post('/v1/streams', {
    title: 'Live',
    visibility: 'public',
  })
  await ada.post('/v1/data/notes', { title: 'Hello' })
  const { tenantId } = ada
  const calls = [
    (client: Client) => client.get(`/v1/forms/${form.id}/blank`),
    (client: Client) => client.post(`/v1/forms/${form.id}/submit`, { data: { name: 'Bob' } }),
    (client: Client) => client.get(`/v1/streams/${stream.id}/media`),
    (client: Client) => client.get(`/v1/streams/${stream.id}/media?join_token=${stream.join_token}`),
    (client: Client) => client.post('/v1/join', { join_token: stream.join_token }),
    // Members of another workspace read their own rows.
    () => second.get(`/v1/data/notes?workspace=${tenantId}`),
    (client: Client) => client.with({ accept: 'text/html' }).get(`/forms/${form.id}`),
    (client: Client) => client.with({ accept: 'text/html' }).get(`/watch/${stream.id}`),
  ]
  const outsider = await first.register(newEmail('outsider'))
  const clients: Client[] = [first, second, outsider, second.as(outsider.token)]
  const answers = async () => {
    const found = new Set<string>()
    for (const client of clients)
      for (const [index, call] of calls.entries()) {
        const { status, body } = await call(client)
        found.add(`${index} ${status < 300 ? 'ok' : `${status} ${(body as { code?: string })?.code ?? ''}`.trim()}`)
      }
    return [...found].sort()
  }
  const listed = async () =>
    (await second.get('/v1/streams/public?limit=100')).body.data.some(({ id }) => id === stream.id)
  t.deepEqual(
    await answers(),
    calls.map((_, index) => `${index} ok`),
  )
  t.true(await listed())
  await change('suspend', ada)
  t.deepEqual(
    await answers(),
    calls.map((_, index) => `${index} 403${index < 6 ? ' tenant_suspended' : ''}`),
  )
  t.false(await listed())
  await change('resume', ada)
  t.deepEqual(
    await answers(),
    calls.map((_, index) => `${index} ok`),
  )
})

test('sockets of members close, and new ones are refused', async t => {
  const ada = await first.register(newEmail('ada'))
  const sockets = await Promise.all([first, second].map(({ url }) => subscribeSocket(url, ada)))
  await change('suspend', ada)
  for (const socket of sockets) t.is((await socket.closed).code, 4403)
  const late = await dial(second.url)
  const answer = await late.request('hello', { tenantId: ada.tenantId, token: ada.token })
  t.is(answer.data.code, 'tenant_suspended')
  await late.closed
})

test('public subscriptions end, and peers of streams leave', async t => {
  const ada = await first.register(newEmail('ada'))
  const { body: stream } = await ada.post('/v1/streams', { visibility: 'public' })
  const watching = await subscribeSocket(second.url)
  t.is((await watching.subscribe('streams.public', { stream_id: stream.id })).type, 'subscribed')
  const peer = await joinStream(second.url, { token: stream.join_token })
  await change('suspend', ada)
  t.is((await watching.next('unsubscribed')).data.reason, 'tenant_suspended')
  t.is((await watching.subscribe('streams.public', { stream_id: stream.id })).data.code, 'tenant_suspended')
  t.is((await peer.closed).reason, 'revoked')
  const late = await dialStream(first.url)
  late.send({ type: 'hello', data: { token: stream.join_token } })
  t.is((await late.next('error')).data.code, 'tenant_suspended')
  await late.closed
  await change('resume', ada)
  await joinStream(second.url, { token: stream.join_token })
  watching.cut()
})

test('events, jobs and webhooks of a suspended workspace wait, and go on after it is resumed', async t => {
  const receiver = await openReceiver(t)
  const ada = await first.register(newEmail('ada'))
  const bob = await first.register(newEmail('bob'))
  for (const person of [ada, bob]) {
    const made = await person.post('/v1/webhooks/endpoints', {
      url: `${receiver.url}/${person.tenantId}`,
      events: ['identity.tenant.updated'],
    })
    t.is(made.status, 201)
  }
  const { database, systemDatabase, events, jobs } = first.kernel.ports
  const waiting = async ({ tenantId }: Person) => {
    const { rows } = await systemDatabase.acrossTenants('a test counts what waits').query<{ count: number }>(
      `select ((select count(*) from larder_events where tenant_id = $1 and dispatched_at is null)
         + (select count(*) from larder_jobs where tenant_id = $1 and state = 'waiting'))::int as count`,
      [tenantId],
    )
    return rows[0]?.count
  }
  await waitFor(
    () => waiting(ada),
    count => count === 0,
  )
  await change('suspend', ada)
  for (const { tenantId } of [ada, bob])
    await database.tenant(tenantId).transaction(async () => {
      const payload = { tenantId, name: 'Renamed', slug: 'renamed' }
      await events.publish('identity.tenant.updated', { tenantId, subject: tenantId, payload })
      await jobs.enqueue('identity.sweep', {}, { tenantId, key: tenantId })
    })
  await waitFor(
    () => waiting(bob),
    count => count === 0,
  )
  await receiver.came(1)
  t.is(await waiting(ada), 2)
  t.deepEqual(
    receiver.received.map(({ path }) => path),
    [`/${bob.tenantId}`],
  )
  await change('resume', ada)
  await waitFor(
    () => waiting(ada),
    count => count === 0,
  )
  await receiver.came(2)
  t.deepEqual(receiver.received.map(({ path }) => path).sort(), [`/${ada.tenantId}`, `/${bob.tenantId}`].sort())
})

test('webhooks that were queued before wait as well', async t => {
  const receiver = await openReceiver(t, (_, response) => void response.writeHead(receiverStatus).end())
  let receiverStatus = 500
  const ada = await first.register(newEmail('ada'))
  await ada.post('/v1/webhooks/endpoints', { url: receiver.url, events: ['identity.tenant.updated'] })
  await ada.patch(`/v1/identity/tenants/${ada.tenantId}`, { name: 'Renamed' })
  await receiver.came(1)
  await change('suspend', ada)
  receiverStatus = 204
  const retry = () =>
    first.kernel.ports.systemDatabase
      .acrossTenants('a test makes a webhook due')
      .query("update webhooks_deliveries set next_attempt_at = now() where tenant_id = $1 and status = 'pending'", [
        ada.tenantId,
      ])
  await waitFor(retry, ({ rowCount }) => rowCount === 1)
  // The sender also sends what another workspace has queued later.
  const bob = await first.register(newEmail('bob'))
  const other = await openReceiver(t)
  await bob.post('/v1/webhooks/endpoints', { url: other.url, events: ['identity.tenant.updated'] })
  await bob.patch(`/v1/identity/tenants/${bob.tenantId}`, { name: 'Renamed' })
  await other.came(1)
  t.is(receiver.received.length, 1)
  await change('resume', ada)
  await receiver.came(2)
  t.is(receiver.received.length, 2)
})

test('signed URLs and public images of a suspended workspace are refused', async t => {
  const ada = await first.register(newEmail('ada'))
  const bytes = await sharp({ create: { width: 8, height: 6, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  const { body: intent } = await ada.post('/v1/media/upload-intent', {
    fileName: 'dot.png',
    mimeType: 'image/png',
    size: bytes.length,
  })
  const at = (url: string) => url.replace(/^https?:\/\/[^/]+/, first.url)
  const put = async ({ url, headers }: Intent) =>
    (await fetch(at(url), { method: 'PUT', headers, body: new Uint8Array(bytes) })).status
  t.is(await put(intent), 200)
  await ada.post('/v1/media/process', { mediaId: intent.mediaId })
  await waitFor(
    () => ada.post(`/v1/media/${intent.mediaId}/publish`, {}),
    ({ status }) => status === 200,
  )
  const { body: download } = await ada.get(`/v1/media/${intent.mediaId}/download-url`)
  const { body: open } = await ada.post('/v1/media/upload-intent', {
    fileName: 'dot.png',
    mimeType: 'image/png',
    size: bytes.length,
  })
  const image = `${first.url}/media/${intent.mediaId}/thumbnail`
  const statuses = async () => [(await fetch(image)).status, (await fetch(at(download.url))).status]
  t.deepEqual(await statuses(), [200, 200])
  await change('suspend', ada)
  t.deepEqual(await statuses(), [403, 403])
  t.is(await put(open), 403)
  await change('resume', ada)
  t.deepEqual(await statuses(), [200, 200])
  t.is(await put(open), 200)
})

test('nobody accepts an invitation to a suspended workspace, which stays open', async t => {
  const ada = await first.register(newEmail('ada'))
  const bob = await first.register(newEmail('bob'))
  const token = await inviteLink(ada, bob.email, ['tenant.member'])
  await change('suspend', ada)
  t.is(codeOf(await bob.post('/v1/identity/invitations/accept', { token })), '403 tenant_suspended')
  await change('resume', ada)
  t.is((await bob.post('/v1/identity/invitations/accept', { token })).status, 200)
})
