/** A killed process: its clients continue on another one. */
import { setTimeout as pause } from 'node:timers/promises'
import test from 'ava'
import { MAX_SKEW_MS } from '../../services/topics/limits.ts'
import { TEST_PASSWORD } from '../../testing/index.ts'
import { join } from '../fixtures/topics.ts'
import { waitFor } from '../fixtures/wait.ts'
import { createInstallation, kill } from './processes.ts'

interface Registered {
  readonly token: string
  readonly workspace: { readonly id: string }
}

test('clients of a killed process resume on another one and miss nothing', async t => {
  const larder = await createInstallation(t)
  const here = await larder.startProcess('web')
  const there = await larder.startProcess('web')
  const call = async <B>(url: string, path: string, body: object, token?: string): Promise<B> => {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
    const response = await fetch(`${url}/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`${path} returned ${response.status}: ${await response.text()}`)
    return (await response.json()) as B
  }
  const ada = { email: 'ada@example.test', password: TEST_PASSWORD, name: 'Ada' }
  const { token, workspace } = await call<Registered>(there.url, '/auth/register', ada)
  const member = { token, tenantId: workspace.id }
  const stream = await call<{ id: string }>(there.url, '/streams', { title: 'Launch' }, token)
  const chat = await call<{ id: string }>(there.url, '/messaging/conversations', { participantIds: [] }, token)
  const addSource = (id: string) =>
    call(there.url, `/streams/${stream.id}/sources`, { source_id: id, kind: 'camera' }, token)
  const post = (body: string) => call(there.url, `/messaging/conversations/${chat.id}/messages`, { body }, token)

  // Positions from the first seconds of the surviving process are older than its log.
  await pause(MAX_SKEW_MS + 1000)
  const client = await join(here.url, member)
  const subscriptions = [
    ['stream', 'streams.stream', { stream_id: stream.id }],
    ['chat', 'messaging.conversation', { conversationId: chat.id }],
  ] as const
  for (const [subscription, topic, params] of subscriptions) await client.subscribe(topic, params, { subscription })
  await addSource('one')
  await post('one')
  const positions = new Map<unknown, string>()
  await waitFor(() => {
    for (const { type, data } of client.waiting)
      if (type === 'message') positions.set(data.subscription, String(data.position))
    return positions.size === 2
  })

  await kill(here)
  await client.closed
  for (const name of ['two', 'three']) {
    await addSource(name)
    await post(name)
  }
  const next = await join(there.url, member)
  const received: Record<string, unknown[]> = { stream: [], chat: [] }
  for (const [subscription, topic, params] of subscriptions) {
    const after = String(positions.get(subscription))
    t.true((await next.subscribe(topic, params, { subscription, after })).data.resumed, subscription)
  }
  await addSource('four')
  await post('four')
  for (let count = 0; count < 6; count++) {
    const { data } = await next.next('message')
    const { source, data: message } = data.message as { source?: { source_id: string }; data?: { body: string } }
    received[String(data.subscription)]?.push(source?.source_id ?? message?.body)
  }
  t.deepEqual(received, { stream: ['two', 'three', 'four'], chat: ['two', 'three', 'four'] })
  next.cut()
})
