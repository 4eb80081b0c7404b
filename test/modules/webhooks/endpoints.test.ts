import test from 'ava'
import { Webhook } from 'standardwebhooks'
import type { Person } from '../../../testing/index.ts'
import { newEmail } from '../../fixtures/people.ts'
import { waitFor } from '../../fixtures/wait.ts'
import { withPeople } from '../../fixtures/with-people.ts'
import {
  createEndpoint,
  createHooked,
  type DeliveryBody,
  deliveriesOf,
  details,
  endpointSecret,
  rename,
  webhooksRecipe,
} from './fixtures.ts'
import { openReceiver, type Received } from './receiver.ts'
import { verifies } from './verify.ts'

const DAY = 86_400_000
// A verified signature is of the real time, so no other file may advance this clock.
const { kernel, clock } = withPeople(test, { recipe: webhooksRecipe(), clock: true, alone: true })

/** The events of the registration are delivered before the person creates an endpoint for them. */
async function newPerson(): Promise<Person> {
  const person = await kernel.register(newEmail())
  await kernel.settled()
  return person
}
const wake = () => kernel.kernel.ports.jobs.enqueue('webhooks.send', {})
async function forward(ms: number): Promise<void> {
  clock.forward(ms)
  await wake()
}
const bodyOf = ({ body }: Received) => JSON.parse(body) as Record<string, unknown> & { data: Record<string, unknown> }
const endpointOf = async (person: Pick<Person, 'get'>, { id }: { id: string }) =>
  (await person.get(`/v1/webhooks/endpoints/${id}`)).body
/** An API key, because logins expire while the clock advances by days. */
const keyed = (person: Person) => kernel.as(person.apiKey)

/** The first delivery of the endpoint, once it has this status and number of attempts. */
const reached = (person: Pick<Person, 'get'>, { id }: { id: string }, status: string, attempts?: number) =>
  waitFor(
    () => deliveriesOf(person, `filter[endpoint_id]=${id}`),
    ([first]) => first?.status === status && (attempts === undefined || first.attempt_count === attempts),
  ).then(([first]) => first as DeliveryBody)

test.serial('sends an event of the workspace, signed with the secret of the endpoint', async t => {
  const ada = await newPerson()
  const receiver = await openReceiver(t)
  const endpoint = await createEndpoint(ada, `${receiver.url}/hook`, ['identity.tenant.*'])
  const secret = await endpointSecret(ada, endpoint)
  await rename(ada, 'Analytical Engines')
  const [first] = (await receiver.came(1)) as [Received]
  const body = bodyOf(first)
  t.deepEqual(new Webhook(secret).verify(first.body, first.headers as Record<string, string>), body)
  t.false(verifies((await ada.get('/v1/webhooks/secret')).body.secret, first))
  const { id, event_id, occurred_at, sent_at, data, ...fields } = body
  t.deepEqual(fields, { type: 'identity.tenant.updated', tenant_id: ada.tenantId, subject: ada.tenantId })
  t.like(data, { tenantId: ada.tenantId, name: 'Analytical Engines' })
  t.is(id, String(first.headers['webhook-id']))
  t.regex(String(event_id), /^evt_/)
  t.is(String(sent_at), String(first.headers['webhook-timestamp']))
  t.true(Date.parse(String(occurred_at)) <= clock.now())
  const delivery = await reached(ada, endpoint, 'delivered')
  t.like(delivery, { event_id, endpoint_id: endpoint.id, session_id: null, sequence: null, subject: ada.tenantId })
  t.deepEqual((await details(ada, delivery.id)).payload, body)
})

test.serial('sends only subscribed events, only of the own workspace, once per endpoint', async t => {
  const [ada, eve] = [await newPerson(), await newPerson()]
  const receiver = await openReceiver(t)
  await createEndpoint(ada, `${receiver.url}/all`, ['*', 'identity.*', 'identity.tenant.updated'])
  await createEndpoint(ada, `${receiver.url}/members`, ['identity.member.*', 'sessions.*'])
  await createEndpoint(eve, `${receiver.url}/other`, ['*'])
  await rename(ada, 'One')
  await kernel.settled()
  const { id } = (await ada.post('/v1/sessions', { mode: 'stream' })).body
  await ada.post(`/v1/sessions/${id}/token/rotate`)
  await kernel.settled()
  await receiver.came(3)
  await waitFor(
    () => deliveriesOf(ada),
    all => all.length === 3 && all.every(({ status }) => status === 'delivered'),
  )
  const seen = receiver.received.map(one => `${one.path} ${bodyOf(one).type}`).sort()
  t.deepEqual(seen, [
    '/all identity.tenant.updated',
    '/all sessions.session.created',
    '/members sessions.session.created',
  ])
  t.deepEqual(await deliveriesOf(eve), [])
})

test.serial('sends session events to endpoints and to the webhook_url of the session', async t => {
  const ada = await newPerson()
  const receiver = await openReceiver(t)
  await createEndpoint(ada, `${receiver.url}/endpoint`, ['sessions.session.created'])
  const session = await createHooked(ada, `${receiver.url}/session?token=abc`)
  await receiver.came(2)
  const at = (path: string) => receiver.received.find(one => one.path.startsWith(path)) as Received
  t.like(bodyOf(at('/session')), { type: 'session.created', session_id: session.id })
  const body = bodyOf(at('/endpoint'))
  t.like(body, { type: 'sessions.session.created', subject: session.id, data: { session_id: session.id, sequence: 1 } })
  t.false('webhook' in body.data)
  t.false(at('/endpoint').body.includes('token=abc'))
})

test.serial('sends the events of a subject in order', async t => {
  const ada = await newPerson()
  const receiver = await openReceiver(t, async (_, response) => {
    await new Promise(resolve => setTimeout(resolve, Math.random() * 10))
    response.writeHead(204).end()
  })
  await createEndpoint(ada, receiver.url, ['identity.tenant.updated'])
  const names = Array.from({ length: 20 }, (_, at) => `Name ${at}`)
  for (const name of names) {
    await rename(ada, name)
    await kernel.settled()
  }
  await receiver.came(names.length)
  t.deepEqual(
    receiver.received.map(one => bodyOf(one).data.name),
    names,
  )
})

test.serial('events of two workspaces in one batch reach the endpoints of their own, in order', async t => {
  const people = [await newPerson(), await newPerson()] as const
  const receivers = [await openReceiver(t), await openReceiver(t)] as const
  for (const [index, person] of people.entries())
    await createEndpoint(person, `${receivers[index]?.url}/hook`, ['identity.tenant.updated'])
  await kernel.settled()
  const { systemDatabase, events } = kernel.kernel.ports
  // The events of a transaction are claimed together.
  await systemDatabase.acrossTenants('a test').transaction(async () => {
    for (let n = 0; n < 10; n++)
      for (const { tenantId } of people) {
        const payload = { tenantId, name: `${tenantId} ${n}`, slug: `batch-${n}` }
        await events.publish('identity.tenant.updated', { tenantId, subject: tenantId, payload })
      }
  })
  for (const [index, { tenantId }] of people.entries()) {
    const received = (await receivers[index]?.came(10)) ?? []
    t.deepEqual(
      received.map(each => bodyOf(each).data.name),
      Array.from({ length: 10 }, (_, n) => `${tenantId} ${n}`),
    )
  }
})

test.serial('a paused endpoint receives nothing until it is resumed, and missed events can be redelivered', async t => {
  const ada = await newPerson()
  const receiver = await openReceiver(t)
  const endpoint = await createEndpoint(ada, receiver.url, ['identity.tenant.updated'])
  const path = `/v1/webhooks/endpoints/${endpoint.id}`
  const since = new Date(clock.now()).toISOString()
  await ada.post(`${path}/pause`)
  await rename(ada, 'Missed')
  const missed = await reached(ada, endpoint, 'dead')
  t.like(missed, { reason: 'paused', attempt_count: 0 })
  const early = await ada.post<{ code: string }>(`/v1/webhooks/deliveries/${missed.id}/retry`)
  t.deepEqual([early.status, early.body.code], [409, 'endpoint_paused'])
  t.is((await ada.post<{ code: string }>(`${path}/redeliver`, { since })).body.code, 'endpoint_paused')
  await ada.post(`${path}/resume`)
  await rename(ada, 'Current')
  await receiver.came(1)
  t.is(bodyOf(receiver.received[0] as Received).data.name, 'Current')
  const again = await ada.post(`${path}/redeliver`, { since })
  t.is(again.status, 202)
  t.deepEqual(again.body, { count: 1, has_more: false })
  await receiver.came(2)
  t.is(bodyOf(receiver.received[1] as Received).data.name, 'Missed')
  t.is(receiver.received[1]?.headers['webhook-id'], missed.id)
})

test.serial('pausing stops retries', async t => {
  const ada = await newPerson()
  const receiver = await openReceiver(t, (_, response) => void response.writeHead(500).end())
  const endpoint = await createEndpoint(ada, receiver.url, ['identity.tenant.updated'])
  await rename(ada, 'Failing')
  await reached(ada, endpoint, 'pending', 1)
  await ada.post(`/v1/webhooks/endpoints/${endpoint.id}/pause`)
  t.like(await reached(ada, endpoint, 'dead'), { reason: 'paused', attempt_count: 1 })
  await forward(10_000)
  t.is(receiver.received.length, 1)
})

for (const [outcome, code, expected] of [
  ['a success', 204, { status: 'delivered', reason: null, attempt_count: 1 }],
  ['a failure', 500, { status: 'dead', reason: 'paused', attempt_count: 1 }],
] as const)
  test.serial(`stores ${outcome} of an attempt that was in progress when its endpoint was paused`, async t => {
    const ada = await newPerson()
    let answer = () => {}
    const receiver = await openReceiver(t, (_, response) => {
      answer = () => void response.writeHead(code).end()
    })
    const endpoint = await createEndpoint(ada, receiver.url, ['identity.tenant.updated'])
    await rename(ada, 'Pausing')
    await receiver.came(1)
    await ada.post(`/v1/webhooks/endpoints/${endpoint.id}/pause`)
    t.like(await reached(ada, endpoint, 'dead'), { reason: 'paused', attempt_count: 0 })
    answer()
    t.like(await reached(ada, endpoint, expected.status, 1), expected)
  })

test.serial('a changed URL applies to deliveries that are waiting for a retry', async t => {
  const ada = await newPerson()
  const [old, next] = [await openReceiver(t, (_, r) => void r.writeHead(500).end()), await openReceiver(t)]
  const endpoint = await createEndpoint(ada, old.url, ['identity.tenant.updated'])
  await rename(ada, 'Moved')
  await reached(ada, endpoint, 'pending', 1)
  await ada.patch(`/v1/webhooks/endpoints/${endpoint.id}`, { url: `${next.url}/new` })
  await forward(10_000)
  const [first] = await next.came(1)
  t.is(first?.path, '/new')
  t.like(await reached(ada, endpoint, 'delivered'), { url: `${next.url}/new`, attempt_count: 2 })
  t.is(old.received.length, 1)
})

test.serial('deleting an endpoint stops its deliveries', async t => {
  const ada = await newPerson()
  const receiver = await openReceiver(t, (_, response) => void response.writeHead(500).end())
  const endpoint = await createEndpoint(ada, receiver.url, ['identity.tenant.updated'])
  await rename(ada, 'Gone')
  await reached(ada, endpoint, 'pending', 1)
  t.is((await ada.delete(`/v1/webhooks/endpoints/${endpoint.id}`)).status, 204)
  const dead = await reached(ada, endpoint, 'dead')
  t.like(dead, { reason: 'deleted', attempt_count: 1 })
  const retry = await ada.post<{ code: string }>(`/v1/webhooks/deliveries/${dead.id}/retry`)
  t.deepEqual([retry.status, retry.body.code], [409, 'endpoint_deleted'])
  await forward(10_000)
  await rename(ada, 'Later')
  await kernel.settled()
  t.is(receiver.received.length, 1)
  const { rows } = await kernel.kernel.ports.database
    .tenant(ada.tenantId)
    .query('select 1 from webhooks_secrets where endpoint_id is not null')
  t.is(rows.length, 0)
})

test.serial('sends a test to a single endpoint, once, also while it is paused', async t => {
  const ada = await newPerson()
  let status = 204
  const receiver = await openReceiver(t, (_, response) => void response.writeHead(status).end())
  const endpoint = await createEndpoint(ada, receiver.url, ['sessions.*'])
  const path = `/v1/webhooks/endpoints/${endpoint.id}`
  const sent = await ada.post<DeliveryBody>(`${path}/test`)
  t.is(sent.status, 202)
  t.like(sent.body, { type: 'webhooks.endpoint.test', endpoint_id: endpoint.id, status: 'pending' })
  const [first] = (await receiver.came(1)) as [Received]
  t.true(verifies(await endpointSecret(ada, endpoint), first))
  t.like(bodyOf(first), { type: 'webhooks.endpoint.test', data: { endpoint_id: endpoint.id } })
  status = 500
  await ada.post(`${path}/pause`)
  await ada.post(`${path}/test`)
  t.like(await reached(ada, endpoint, 'dead'), { reason: 'exhausted', attempt_count: 1, response_status: 500 })
  t.is((await endpointOf(ada, endpoint)).failing_since, null)
})

/** Emails to the address, as the development mailbox shows them. */
async function mailsTo(address: string): Promise<{ subject: string; text: string }[]> {
  const { rows } = await kernel.kernel.ports.systemDatabase
    .acrossTenants('the test reads emails')
    .query<{ subject: string; text: string }>(
      `select subject, text from comms_mailbox where recipient = $1 and subject like 'Webhook endpoint%'`,
      [address],
    )
  return rows
}

test.serial('pauses an endpoint after five days of failures and notifies the owners by email', async t => {
  const ada = await newPerson()
  const key = keyed(ada)
  const receiver = await openReceiver(t, (_, response) => void response.writeHead(500).end())
  const endpoint = await createEndpoint(ada, `${receiver.url}/hook?token=secret`, ['sessions.session.created'])
  const create = () => key.post('/v1/sessions', { mode: 'screenshare' })
  await create()
  await reached(key, endpoint, 'pending', 1)
  t.truthy((await endpointOf(key, endpoint)).failing_since)
  clock.forward(4.9 * DAY)
  await create()
  await waitFor(
    () => receiver.received.length,
    count => count >= 3,
  )
  await waitFor(
    () => deliveriesOf(key),
    all => all.length === 2 && all.every(({ attempt_count }) => attempt_count > 0),
  )
  t.is((await endpointOf(key, endpoint)).status, 'active')
  clock.forward(0.2 * DAY)
  await create()
  const paused = await waitFor(
    () => endpointOf(key, endpoint),
    ({ status }) => status === 'paused',
  )
  t.is(paused.pause_reason, 'failing')
  await waitFor(
    () => deliveriesOf(key, 'filter[status]=dead'),
    all => all.length === 3,
  )
  const [mail, ...more] = await waitFor(
    () => mailsTo(ada.email),
    all => all.length > 0,
  )
  t.is(more.length, 0)
  t.false(JSON.stringify(mail).includes('token=secret'))
  t.true(JSON.stringify(mail).includes(`${receiver.url}/hook`))
})

test.serial('a success ends the period of failures', async t => {
  const ada = await newPerson()
  const key = keyed(ada)
  let status = 500
  const receiver = await openReceiver(t, (_, response) => void response.writeHead(status).end())
  const endpoint = await createEndpoint(ada, receiver.url, ['sessions.session.created'])
  await key.post('/v1/sessions', { mode: 'screenshare' })
  await reached(key, endpoint, 'pending', 1)
  status = 204
  await forward(3 * DAY)
  await reached(key, endpoint, 'delivered')
  t.is((await endpointOf(key, endpoint)).failing_since, null)
  status = 500
  clock.forward(3 * DAY)
  await key.post('/v1/sessions', { mode: 'screenshare' })
  await reached(key, endpoint, 'pending', 1)
  t.is((await endpointOf(key, endpoint)).status, 'active')
})

test.serial('410 pauses the endpoint', async t => {
  const ada = await newPerson()
  const receiver = await openReceiver(t, (_, response) => void response.writeHead(410).end())
  const endpoint = await createEndpoint(ada, receiver.url, ['identity.tenant.updated'])
  await rename(ada, 'Unwanted')
  t.like(await reached(ada, endpoint, 'dead'), { reason: 'gone', attempt_count: 1 })
  t.like(await endpointOf(ada, endpoint), { status: 'paused', pause_reason: 'gone' })
  await waitFor(
    () => mailsTo(ada.email),
    all => all.length === 1,
  )
  t.pass()
})

test.serial('retries a failed delivery and lists it as dead after 8 failures', async t => {
  const ada = await newPerson()
  const key = keyed(ada)
  const receiver = await openReceiver(t, (_, response) => void response.writeHead(503).end())
  const endpoint = await createEndpoint(ada, receiver.url, ['sessions.session.created'])
  await key.post('/v1/sessions', { mode: 'screenshare' })
  for (let attempt = 1; attempt <= 8; attempt++) {
    await waitFor(
      () => deliveriesOf(key),
      ([first]) => first?.attempt_count === attempt,
    )
    await forward(12.1 * 3_600_000)
  }
  t.like(await reached(key, endpoint, 'dead'), { reason: 'exhausted', attempt_count: 8 })
})

test.serial('deleting a workspace deletes its endpoints, secrets and deliveries', async t => {
  const ada = await newPerson()
  const receiver = await openReceiver(t)
  const endpoint = await createEndpoint(ada, receiver.url, ['*'])
  await rename(ada, 'Short-lived')
  await reached(ada, endpoint, 'delivered')
  const { status } = await ada.delete(`/v1/identity/tenants/${ada.tenantId}`, {
    headers: { 'x-tenant-id': ada.tenantId },
  })
  t.is(status, 204)
  await kernel.settled()
  for (const table of ['endpoints', 'secrets', 'deliveries']) {
    const { rows } = await kernel.kernel.ports.systemDatabase
      .acrossTenants('the test counts the rows of a deleted tenant')
      .query<{ n: number }>(`select count(*)::int as n from webhooks_${table} where tenant_id = $1`, [ada.tenantId])
    t.is(rows[0]?.n, 0, table)
  }
  t.is(receiver.received.length, 1)
})
