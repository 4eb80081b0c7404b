import test from 'ava'
import { race } from '../../../fixtures/race.ts'
import { waitFor } from '../../../fixtures/wait.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import { createEndpoint, deliveriesOf, type EndpointBody, endpointSecret, rename, webhooksRecipe } from '../fixtures.ts'
import { openReceiver } from '../receiver.ts'

const MAX_ENDPOINTS = 5
const { kernel, ada } = withPeople(test, { recipe: webhooksRecipe({ maxEndpoints: MAX_ENDPOINTS }) }, { ada: 'owner' })

const URL = 'https://hooks.example.com/larder'
interface Problem {
  readonly code: string
  readonly errors: { pointer: string; code: string; detail: string }[]
}
type List = { data: EndpointBody[]; next_cursor: string | null }

test.serial('creates, changes and deletes an endpoint', async t => {
  const body = { url: URL, events: ['identity.*', 'sessions.session.ended'], description: 'CRM' }
  const created = await ada.post('/v1/webhooks/endpoints', body)
  t.is(created.status, 201)
  const { id, created_at, updated_at, ...fields } = created.body
  t.regex(id, /^whe_/)
  t.is(created.headers.get('location'), `/v1/webhooks/endpoints/${id}`)
  t.true(created_at === updated_at && Date.parse(created_at) <= Date.now())
  t.deepEqual(fields, {
    ...body,
    status: 'active',
    pause_reason: null,
    paused_at: null,
    failing_since: null,
    managed_by: null,
  })
  const path = `/v1/webhooks/endpoints/${id}`
  const read = await ada.get<EndpointBody>(path)
  t.deepEqual(read.body, created.body)
  const tag = read.headers.get('etag') as string
  t.is(created.headers.get('etag'), tag)

  const changed = await ada.patch<EndpointBody>(path, { events: ['*'] }, { headers: { 'if-match': tag } })
  t.is(changed.status, 200)
  t.like(changed.body, { url: URL, events: ['*'], description: 'CRM' })
  t.not(changed.headers.get('etag'), tag)
  t.is((await ada.patch(path, { description: null }, { headers: { 'if-match': tag } })).status, 412)
  t.is((await ada.delete(path, { headers: { 'if-match': tag } })).status, 412)
  t.is((await ada.patch<EndpointBody>(path, { description: null })).body.description, null)

  t.is((await ada.delete(path)).status, 204)
  t.is((await ada.get(path)).status, 404)
  t.is((await ada.delete(path)).status, 404)
})

test.serial('pauses and resumes an endpoint', async t => {
  const { id } = await createEndpoint(ada, URL, ['*'])
  const path = `/v1/webhooks/endpoints/${id}`
  const paused = await ada.post<EndpointBody>(`${path}/pause`)
  t.is(paused.status, 200)
  t.like(paused.body, { status: 'paused', pause_reason: 'manual' })
  t.truthy(paused.body.paused_at)
  const again = await ada.post<EndpointBody>(`${path}/pause`)
  t.deepEqual(again.body, paused.body)
  const resumed = await ada.post<EndpointBody>(`${path}/resume`)
  t.like(resumed.body, { status: 'active', pause_reason: null, paused_at: null })
  t.not(resumed.headers.get('etag'), paused.headers.get('etag'))
  await ada.delete(path)
})

test.serial('lists endpoints with cursor and filters', async t => {
  const eve = await kernel.register('eve@example.test')
  const first = await createEndpoint(eve, URL, ['identity.member.*'])
  const second = await createEndpoint(eve, URL, ['sessions.session.ended'])
  await eve.post(`/v1/webhooks/endpoints/${second.id}/pause`)
  const ids = async (query: string) => (await eve.get(`/v1/webhooks/endpoints?${query}`)).body.data.map(({ id }) => id)
  t.deepEqual(await ids(''), [second.id, first.id])
  t.deepEqual(await ids('filter[status]=paused'), [second.id])
  t.deepEqual(await ids('filter[event]=identity.member.joined'), [first.id])
  const page = await eve.get('/v1/webhooks/endpoints?limit=1')
  t.deepEqual(await ids(`limit=1&cursor=${page.body.next_cursor}`), [first.id])
  t.is((await eve.get(`/v1/webhooks/deliveries?cursor=${page.body.next_cursor}`)).status, 400)
})

test.serial('rejects invalid URLs and events', async t => {
  for (const url of [
    'http://10.0.0.1/',
    'http://[fd00::1]/',
    'http://169.254.169.254/latest',
    'ftp://example.com/',
    'https://u:p@example.com/',
    'not a url',
  ]) {
    const { status, body } = await ada.post<Problem>('/v1/webhooks/endpoints', { url, events: ['*'] })
    t.deepEqual([status, body.errors?.map(({ pointer }) => pointer)], [422, ['/url']], url)
  }
  for (const [events, pointer] of [
    [['identity.nothing'], '/events/0'],
    [['identity.*', 'sessions.session.token_rotated'], '/events/1'],
    [['nothing.*'], '/events/0'],
    [['identity.me*'], '/events/0'],
    [[], '/events'],
  ] as const) {
    const { status, body } = await ada.post<Problem>('/v1/webhooks/endpoints', { url: URL, events })
    t.deepEqual([status, body.errors?.map(error => error.pointer)], [422, [pointer]], String(events))
  }
  const endpoint = await createEndpoint(ada, URL, ['*'])
  const path = `/v1/webhooks/endpoints/${endpoint.id}`
  t.is((await ada.patch(path, { url: 'http://10.0.0.2/' })).status, 422)
  t.is((await ada.patch(path, { events: ['nothing.*'] })).status, 422)
  t.is((await ada.patch(path, { unknown: 1 })).status, 422)
  await ada.delete(path)
})

test.serial('limits the endpoints of a workspace, also for concurrent requests', async t => {
  const max = await kernel.register('max@example.test')
  const answers = await Promise.all(
    Array.from({ length: MAX_ENDPOINTS + 4 }, () =>
      max.post<Problem>('/v1/webhooks/endpoints', { url: URL, events: ['*'] }),
    ),
  )
  t.is(answers.filter(({ status }) => status === 201).length, MAX_ENDPOINTS)
  const refused = answers.filter(({ status }) => status !== 201)
  t.true(refused.every(({ status, body }) => status === 409 && body.code === 'too_many_endpoints'))
  const [first] = (await max.get('/v1/webhooks/endpoints')).body.data
  await max.delete(`/v1/webhooks/endpoints/${first?.id}`)
  await createEndpoint(max, URL, ['*'])
})

test.serial('endpoints are visible only to their workspace and with the permission', async t => {
  const endpoint = await createEndpoint(ada, URL, ['*'])
  const bob = await kernel.register('bob@example.test')
  t.deepEqual((await bob.get<List>('/v1/webhooks/endpoints')).body.data, [])
  const { body } = await ada.post<{ key: string }>('/v1/identity/api-keys', { name: 'k', permissions: ['sessions.*'] })
  const limited = kernel.as(body.key)
  for (const [method, path, data] of [
    ['GET', '', undefined],
    ['PATCH', '', { events: ['*'] }],
    ['DELETE', '', undefined],
    ['POST', '/pause', undefined],
    ['POST', '/resume', undefined],
    ['POST', '/test', undefined],
    ['GET', '/secret', undefined],
    ['POST', '/secret/rotate', undefined],
    ['GET', '/deliveries', undefined],
    ['POST', '/redeliver', { since: '2026-01-01T00:00:00Z' }],
  ] as const) {
    const address = `/v1/webhooks/endpoints/${endpoint.id}${path}`
    t.is((await bob.call(method, address, data)).status, 404, `${method} ${path}`)
    t.is((await limited.call(method, address, data)).status, 403, `${method} ${path}`)
    t.is((await kernel.call(method, address, data)).status, 401, `${method} ${path}`)
  }
  t.is((await limited.post('/v1/webhooks/endpoints', { url: URL, events: ['*'] })).status, 403)
  t.is((await ada.get<EndpointBody>(`/v1/webhooks/endpoints/${endpoint.id}`)).body.status, 'active')
})

test.serial('the last endpoint of a workspace goes to one of two requests at once', async t => {
  const last = await kernel.register('last@example.test')
  for (let n = 1; n < MAX_ENDPOINTS; n++) await createEndpoint(last, URL, ['*'])
  const create = () => last.post('/v1/webhooks/endpoints', { url: URL, events: ['*'] })
  const answers = await race(kernel.databaseUrl, 'lock table webhooks_endpoints in share mode', [create, create])
  t.deepEqual(answers.map(({ status }) => status).sort(), [201, 409])
})

test.serial('each endpoint has its own secret, which can be rotated', async t => {
  const eve = await kernel.register('secrets@example.test')
  const [first, second] = [await createEndpoint(eve, URL, ['*']), await createEndpoint(eve, URL, ['*'])]
  const before = await endpointSecret(eve, first)
  t.regex(before, /^whsec_[A-Za-z0-9+/]{43}=$/)
  const other = await endpointSecret(eve, second)
  const workspace = (await eve.get('/v1/webhooks/secret')).body.secret
  t.is(new Set([before, other, workspace]).size, 3)
  const rotated = await eve.post(`/v1/webhooks/endpoints/${first.id}/secret/rotate`)
  t.is(rotated.status, 200)
  t.not(rotated.body.secret, before)
  t.is(await endpointSecret(eve, first), rotated.body.secret)
  t.is(await endpointSecret(eve, second), other)
  t.is((await eve.get('/v1/webhooks/secret')).body.secret, workspace)
})

interface EventType {
  readonly type: string
  readonly description: string
  readonly schema: { properties: { type: object; data: { properties: Record<string, object> } } }
}

test.serial('lists the public event types with their schemas', async t => {
  const { status, body } = await ada.get<{ data: EventType[] }>('/v1/webhooks/event-types')
  t.is(status, 200)
  const types = body.data.map(({ type }) => type)
  t.deepEqual(types, [...types].sort())
  t.true(types.includes('identity.member.joined') && types.includes('sessions.session.created'))
  t.false(types.includes('sessions.session.token_rotated'))
  const joined = body.data.find(({ type }) => type === 'identity.member.joined')
  t.is(joined?.description, 'A person joined the workspace.')
  t.deepEqual(Object.keys(joined?.schema.properties.data.properties ?? {}), ['memberId', 'userId', 'roles'])
  const created = body.data.find(({ type }) => type === 'sessions.session.created')
  t.false('webhook' in (created?.schema.properties.data.properties ?? {}))
  t.true('metadata' in (created?.schema.properties.data.properties ?? {}))
})

test.serial('the OpenAPI document describes every webhook', async t => {
  type Webhook = { post: { summary: string; requestBody: { content: Record<string, { schema: object }> } } }
  type Schemas = Record<string, { properties: object }>
  type Document = { webhooks: Record<string, Webhook>; components: { schemas: Schemas } }
  const { body } = await kernel.get<Document>('/v1/platform/openapi.json')
  const { body: types } = await ada.get('/v1/webhooks/event-types')
  t.deepEqual(
    Object.keys(body.webhooks),
    [
      ...types.data.map(({ type }) => type),
      'session.accepted',
      'session.created',
      'session.ended',
      'session.expired',
      'webhooks.endpoint.test',
    ].sort(),
  )
  const { post } = body.webhooks['identity.member.joined'] as Webhook
  t.is(post.summary, 'A person joined the workspace.')
  t.deepEqual(post.requestBody.content['application/json']?.schema, {
    $ref: '#/components/schemas/MemberJoinedEvent',
  })
  const { MemberJoinedEvent: event, MemberJoinedEventData: data } = body.components.schemas
  t.deepEqual(
    { ...event, properties: { ...event?.properties, data } },
    types.data.find(({ type }) => type === 'identity.member.joined')?.schema as never,
  )
})

test.serial('lists and redelivers the deliveries of an endpoint', async t => {
  const eve = await kernel.register('list@example.test')
  // The events of the registration are not for the endpoints.
  await kernel.settled()
  const receiver = await openReceiver(t)
  const first = await createEndpoint(eve, `${receiver.url}/first`, ['identity.tenant.updated'])
  await createEndpoint(eve, `${receiver.url}/second`, ['identity.*'])
  await rename(eve, 'Analytical')
  await receiver.came(2)
  const deliveries = await waitFor(
    () => deliveriesOf(eve),
    all => all.length === 2 && all.every(({ status }) => status === 'delivered'),
  )
  const path = `/v1/webhooks/endpoints/${first.id}/deliveries`
  const { body } = await eve.get<{ data: { id: string; endpoint_id: string }[] }>(path)
  t.is(body.data.length, 1)
  t.like(body.data[0], {
    endpoint_id: first.id,
    type: 'identity.tenant.updated',
    subject: eve.tenantId,
    session_id: null,
  })
  t.true(deliveries.some(({ id }) => id === body.data[0]?.id))
  t.is((await deliveriesOf(eve, `filter[endpoint_id]=${first.id}`)).length, 1)
  const retried = await eve.post(`/v1/webhooks/deliveries/${body.data[0]?.id}/retry`)
  t.is(retried.status, 202)
  await receiver.came(3)
  t.is(receiver.received[2]?.headers['webhook-id'], body.data[0]?.id)
})
