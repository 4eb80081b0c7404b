import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import test, { type ExecutionContext } from 'ava'
import { waitFor } from '../../fixtures/wait.ts'
import { withPeople } from '../../fixtures/with-people.ts'
import { create, EDGE_SECRET, manualClock, startStreams, streamsRecipe } from './fixtures.ts'

/** Receives webhooks on 127.0.0.1 and records their bodies. */
async function receiver(t: ExecutionContext) {
  const bodies: Record<string, unknown>[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    bodies.push(JSON.parse(text))
    response.end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook`,
    async types(count: number): Promise<unknown[]> {
      await waitFor(() => bodies.length >= count)
      return bodies.toSorted((a, b) => Number(a.sequence) - Number(b.sequence))
    },
  }
}

const WEBHOOKS = { webhooks: { allowHosts: '127.0.0.1' } }
const { kernel, people } = withPeople(test, { recipe: streamsRecipe(undefined, WEBHOOKS) })

test('sends the selected stream events in sequence order', async t => {
  const ada = await people.person()
  const { url, types } = await receiver(t)
  const webhook_events = ['stream.live', 'stream.sources_updated', 'stream.layout_updated', 'session.ended']
  const { id, join_token } = await create(ada, { webhook_url: url, webhook_events, metadata: { order: 7 } })
  await ada.post(`/v1/streams/${id}/sources`, { source_id: 'a', kind: 'screen' })
  await ada.post(`/v1/streams/${id}/layout`, { kind: 'focus', focus_source_id: 'a' })
  await kernel.post(`/v1/media/edge/events?secret=${encodeURIComponent(EDGE_SECRET)}`, {
    event: 'ready',
    path: `live/${id}`,
  })
  await ada.delete(`/v1/streams/${id}/sources/a`)
  await ada.post(`/v1/sessions/${id}/end`)
  const bodies = (await types(6)) as Record<string, unknown>[]
  t.deepEqual(
    bodies.map(({ type, sequence }) => [type, sequence]),
    [
      ['stream.sources_updated', 2],
      ['stream.layout_updated', 3],
      ['stream.live', 4],
      ['stream.sources_updated', 5],
      ['stream.layout_updated', 6],
      ['session.ended', 7],
    ],
  )
  const [first] = bodies
  const { sent_at, occurred_at, id: messageId, code, ...rest } = first ?? {}
  t.deepEqual(rest, {
    type: 'stream.sources_updated',
    session_id: id,
    status: 'created',
    mode: 'stream',
    sequence: 2,
    stream_profile: 'balanced',
    audio_enabled: true,
    customer: null,
    purpose: null,
    metadata: { order: 7 },
    end_reason: null,
  })
  t.false(JSON.stringify(bodies).includes(join_token))
})

test('sends no stream events unless selected', async t => {
  const ada = await people.person()
  const { url, types } = await receiver(t)
  const { id } = await create(ada, { webhook_url: url })
  await ada.post(`/v1/streams/${id}/sources`, { kind: 'screen' })
  await ada.post(`/v1/sessions/${id}/end`)
  const bodies = (await types(2)) as Record<string, unknown>[]
  await kernel.settled()
  t.deepEqual(
    bodies.map(({ type, sequence }) => [type, sequence]),
    [
      ['session.created', 1],
      ['session.ended', 3],
    ],
  )
})

test('sends stream.idle after the reconnect window', async t => {
  const clock = manualClock()
  const kernel = await startStreams(undefined, { clock, modules: WEBHOOKS })
  t.teardown(() => kernel.stop())
  const ada = await kernel.register('ada@example.test')
  const { url, types } = await receiver(t)
  const { id } = await create(ada, { webhook_url: url, webhook_events: ['stream.live', 'stream.idle'] })
  const tell = (event: string) =>
    kernel.post(`/v1/media/edge/events?secret=${encodeURIComponent(EDGE_SECRET)}`, { event, path: `live/${id}` })
  await tell('ready')
  await types(1)
  await tell('not_ready')
  clock.forward(61_000)
  const bodies = (await types(2)) as Record<string, unknown>[]
  t.deepEqual(
    bodies.map(({ type, sequence, status, session_id }) => [type, sequence, status, session_id]),
    [
      ['stream.live', 2, 'created', id],
      ['stream.idle', 3, 'created', id],
    ],
  )
})
