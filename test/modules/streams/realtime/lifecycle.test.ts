import test from 'ava'
import { withPeople } from '../../../fixtures/with-people.ts'
import { create, expectStatus, startStreams, streamsRecipe } from '../fixtures.ts'
import { dial, join } from './client.ts'

const { kernel, people, clock, ada } = withPeople(test, { recipe: streamsRecipe(), clock: true }, { ada: 'owner' })

test.serial('ending a session closes its sockets with 4410 and rejects new ones', async t => {
  const { id, join_token: token } = await create(ada)
  const viewer = await join(kernel.url, { token })
  await ada.post(`/v1/sessions/${id}/end`)
  t.like((await viewer.next('closing')).data, { action: 'stop', reason: 'ended' })
  t.is((await viewer.closed).code, 4410)
  const late = await dial(kernel.url)
  late.send({ type: 'hello', data: { token } })
  t.is((await late.next('error')).data.code, 'session_ended')
  t.is((await late.closed).code, 4410)
  const brief = await create(ada, { ttl_seconds: 10 })
  const waiting = await join(kernel.url, { token: brief.join_token })
  clock.forward(10_000)
  t.is((await waiting.closed).code, 4410)
  await kernel.settled()
})

test.serial('rotating the join token closes its sockets with 4403 and keeps those of stream tokens', async t => {
  const { id, join_token } = await create(ada)
  const made = expectStatus(201, await ada.post(`/v1/streams/${id}/tokens`, { role: 'viewer' }))
  const byStream = await join(kernel.url, { token: made.token })
  const byJoin = await join(kernel.url, { token: join_token })
  const away = await join(kernel.url, { token: join_token })
  for (let n = 0; n < 2; n++) await byStream.next('peer_joined')
  away.cut()
  await ada.post(`/v1/sessions/${id}/token/rotate`)
  t.is((await byJoin.closed).code, 4403)
  const left = [await byStream.next('peer_left'), await byStream.next('peer_left')]
  t.deepEqual(left.map(({ data }) => data.peer_id).sort(), [byJoin.me.peer_id, away.me.peer_id].sort())
  t.is(byStream.ws.readyState, byStream.ws.OPEN)
  for (const { me } of [byJoin, away]) {
    const back = await dial(kernel.url)
    back.send({ type: 'hello', data: { resume_token: me.resume_token } })
    t.is((await back.closed).code, 4409)
  }
  await ada.delete(`/v1/streams/${id}/tokens/${made.id}`)
  t.is((await byStream.closed).code, 4403)
})

test.serial('sends changes to connected peers', async t => {
  const { id, join_token: token } = await create(ada)
  const viewer = await join(kernel.url, { token })
  await ada.post(`/v1/streams/${id}/sources`, { source_id: 'main', kind: 'screen' })
  t.like((await viewer.next('source_updated')).data, { source_id: 'main', kind: 'screen' })
  await ada.post(`/v1/streams/${id}/layout`, { kind: 'focus', focus_source_id: 'main' })
  t.like((await viewer.next('layout_updated')).data, { kind: 'focus', version: 1 })
  await ada.delete(`/v1/streams/${id}/sources/main`)
  t.deepEqual((await viewer.next('source_updated')).data, { source_id: 'main', removed: true })
  t.like((await viewer.next('layout_updated')).data, { focus_source_id: null, version: 2 })
  await ada.post(`/v1/sessions/${id}/accept`, {})
  t.is((await viewer.next('session_updated')).data.status, 'accepted')
  const edge = '/v1/media/edge/events?secret=the%20secret%20of%20the%20edge'
  await kernel.post(edge, { event: 'ready', path: `live/${id}` })
  t.is((await viewer.next('session_updated')).data.live_status, 'live')
  const late = await join(kernel.url, { token })
  t.like(late.me.session, {
    status: 'accepted',
    live_status: 'live',
    sources: [],
    layout: { kind: 'focus', version: 2 },
  })
})

test.serial('requireAccept keeps a viewer waiting until acceptance', async t => {
  const kernel = await startStreams({ requireAccept: true })
  t.teardown(() => kernel.stop())
  const ada = await kernel.register('ada@example.test')
  const { id, join_token: token } = await create(ada)
  const publisher = await join(kernel.url, { token, role: 'publisher' })
  const viewer = await dial(kernel.url)
  viewer.send({ type: 'hello', data: { token } })
  t.is((await viewer.next('session_updated')).data.status, 'created')
  t.deepEqual(publisher.waiting, [])
  await ada.post(`/v1/sessions/${id}/accept`, {})
  t.is((await viewer.next('welcome')).data.role, 'viewer')
  t.is((await publisher.next('peer_joined')).data.role, 'viewer')
})

test.serial('deleting a tenant closes its sockets with 4404 and invalidates its tokens', async t => {
  const eve = await people.person()
  const { id, join_token: token } = await create(eve, { visibility: 'public' })
  await eve.post(`/v1/streams/${id}/sources`, { kind: 'screen' })
  const made = expectStatus(201, await eve.post(`/v1/streams/${id}/tokens`, { role: 'viewer' }))
  const publisher = await join(kernel.url, { token, role: 'publisher' })
  const viewer = await join(kernel.url, { token: made.token })
  t.is((await eve.delete(`/v1/identity/tenants/${eve.tenantId}`)).status, 204)
  t.like((await publisher.next('closing')).data, { action: 'stop', reason: 'removed' })
  for (const peer of [publisher, viewer]) t.is((await peer.closed).code, 4404)
  await kernel.settled()
  for (const secret of [token, made.token]) {
    const late = await dial(kernel.url)
    late.send({ type: 'hello', data: { token: secret } })
    t.is((await late.closed).code, 4401)
  }
  t.is((await kernel.post('/v1/join', { join_token: token })).status, 401)
  t.is((await kernel.get(`/v1/streams/${id}/media`)).status, 404)
  const { data } = expectStatus(200, await kernel.get('/v1/streams/public?limit=200'))
  t.false(data.some(stream => stream.id === id))
})
