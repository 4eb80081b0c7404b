import test from 'ava'
import type { Person, TestKernel } from '../../../../testing/index.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import {
  create,
  EDGE_SECRET,
  expectStatus,
  type ListBody,
  manualClock,
  type ProblemBody,
  type StreamBody,
  streamsRecipe,
} from '../fixtures.ts'
import { dial, join } from '../realtime/client.ts'

const clock = manualClock()
// The role `web` runs no sweeper, so expiry is only computed on read.
const { kernel, ada } = withPeople(test, { recipe: streamsRecipe(), clock, role: 'web' }, { ada: 'owner' })

const listed = async (by: Pick<Person, 'get'>, path: string) =>
  expectStatus(200, await by.get<ListBody<StreamBody>>(path)).data.map(({ id }) => id)
const ask = async (kernel: TestKernel, body: object) =>
  (await kernel.post(`/v1/media/edge/auth?secret=${encodeURIComponent(EDGE_SECRET)}`, body)).status

test.serial('an expired stream is finished in every view, unlike an accepted one', async t => {
  const gone = await create(ada, { visibility: 'public', ttl_seconds: 60 })
  // Ids of the same millisecond have no order.
  clock.forward(1)
  const goes = await create(ada, { visibility: 'public', ttl_seconds: 60 })
  await ada.post(`/v1/sessions/${goes.id}/accept`)
  const edge = (id: string) => ask(kernel, { action: 'read', path: `live/${id}`, protocol: 'webrtc' })
  clock.forward(59_998)
  t.is(expectStatus(200, await ada.get(`/v1/streams/${gone.id}`)).status, 'created')
  t.deepEqual(await listed(kernel, '/v1/streams/public'), [goes.id, gone.id])
  t.is(await edge(gone.id), 204)

  clock.forward(1)
  t.is(expectStatus(200, await ada.get(`/v1/streams/${gone.id}`)).status, 'expired')
  t.is(expectStatus(200, await ada.get(`/v1/streams/${goes.id}`)).status, 'accepted')
  t.deepEqual(await listed(kernel, '/v1/streams/public'), [goes.id])
  t.deepEqual(await listed(ada, '/v1/streams?filter[status]=expired'), [gone.id])
  t.deepEqual(await listed(ada, '/v1/streams?filter[status]=created'), [])
  t.deepEqual(await listed(ada, '/v1/streams?filter[status]=accepted'), [goes.id])
  t.is(await edge(gone.id), 401)
  t.is(await ask(kernel, { action: 'publish', path: `live/${gone.id}`, token: gone.join_token }), 401)
  t.is(await edge(goes.id), 204)
  t.is((await ada.post<ProblemBody>(`/v1/streams/${gone.id}/sources`, { kind: 'screen' })).body.code, 'invalid_state')
  const late = await dial(kernel.url)
  late.send({ type: 'hello', data: { token: gone.join_token } })
  t.is((await late.next('error')).data.code, 'session_expired')
  t.is((await late.closed).code, 4410)
  t.is((await join(kernel.url, { token: goes.join_token })).me.session.status, 'accepted')
})

test.serial('an expired stream token admits no new connections and keeps existing ones', async t => {
  const { id } = await create(ada)
  const made = async (role: string) =>
    expectStatus(201, await ada.post(`/v1/streams/${id}/tokens`, { role, ttl_seconds: 60 })).token
  const [viewer, publisher] = [await made('viewer'), await made('publisher')]
  const whip = async () =>
    'whip_url' in expectStatus(200, await kernel.get(`/v1/streams/${id}/media?join_token=${publisher}`))
  clock.forward(59_999)
  const early = await join(kernel.url, { token: viewer })
  t.true(await whip())
  clock.forward(1)
  for (const token of [viewer, publisher]) {
    const late = await dial(kernel.url)
    late.send({ type: 'hello', data: { token } })
    t.is((await late.next('error')).data.code, 'invalid_token')
    t.is((await late.closed).code, 4401)
  }
  t.false(await whip())
  t.is(await ask(kernel, { action: 'publish', path: `live/${id}`, token: publisher }), 401)
  early.send({ type: 'ping', data: { t: 1 } })
  t.deepEqual((await early.next('pong')).data, { t: 1 })
})
