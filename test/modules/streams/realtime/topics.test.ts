import test from 'ava'
import { join, type TopicClient } from '../../../fixtures/topics.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import { create, EDGE_SECRET, expectStatus, streamsRecipe } from '../fixtures.ts'

const { kernel, people, ada } = withPeople(test, { recipe: streamsRecipe(), clock: true }, { ada: 'owner' })
const STREAM = 'streams.stream'
const next = async (client: TopicClient) => (await client.next('message')).data.message as Record<string, unknown>

test('delivers changes of sources, layout, live status and status', async t => {
  const { id, join_token } = await create(ada)
  const client = await join(kernel.url, ada)
  t.is((await client.subscribe(STREAM, { stream_id: id })).type, 'subscribed')
  expectStatus(201, await ada.post(`/v1/streams/${id}/sources`, { source_id: 'cam', kind: 'camera' }))
  t.like(await next(client), { change: 'source', source: { source_id: 'cam' } })
  expectStatus(200, await ada.post(`/v1/streams/${id}/layout`, { kind: 'focus', focus_source_id: 'cam' }))
  t.like(await next(client), { change: 'layout', layout: { kind: 'focus', version: 1 } })
  await kernel.post(`/v1/sessions/${id}/accept`, { join_token })
  t.deepEqual(await next(client), { change: 'status', status: 'accepted' })
  const event = { event: 'ready', path: `live/${id}` }
  await kernel.post(`/v1/media/edge/events?secret=${encodeURIComponent(EDGE_SECRET)}`, event)
  t.like(await next(client), { change: 'live', live_status: 'live' })
  client.cut()
})

test('anonymous clients may subscribe to public streams only', async t => {
  const secret = await create(ada)
  const open = await create(ada, { visibility: 'public' })
  const client = await join(kernel.url)
  t.is((await client.subscribe('streams.public', { stream_id: secret.id })).data.code, 'not_found')
  t.is((await client.subscribe('streams.public', { stream_id: 'x' })).data.code, 'validation_failed')
  t.is((await client.subscribe(STREAM, { stream_id: open.id })).data.code, 'unauthenticated')
  t.is((await client.subscribe('streams.public', { stream_id: open.id })).type, 'subscribed')
  expectStatus(201, await ada.post(`/v1/streams/${open.id}/sources`, { source_id: 'cam', kind: 'camera' }))
  expectStatus(200, await ada.post(`/v1/sessions/${open.id}/end`))
  t.deepEqual(await next(client), { change: 'status', status: 'ended' })
  client.cut()
})

test('another workspace has no access', async t => {
  const { id } = await create(ada)
  const client = await join(kernel.url, await people.person())
  t.is((await client.subscribe(STREAM, { stream_id: id })).data.code, 'not_found')
  client.cut()
})
