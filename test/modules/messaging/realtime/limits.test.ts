import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import anyTest, { type TestFn } from 'ava'
import type { Person } from '../../../../testing/index.ts'
import { createFixture, type Fixture, say, talk } from '../fixtures.ts'
import { dial, join } from './client.ts'

interface Context {
  fixture: Fixture
  ada: Person
  url: string
}
const test = anyTest as TestFn<Context>

test.before(async t => {
  const fixture = await createFixture()
  t.context = { fixture, ada: await fixture.person('Ada'), url: fixture.kernel.url }
})
test.after.always(t => t.context.fixture?.stop())

test('closes on invalid frames with 4400 and on frames over 64 KiB with 4413', async t => {
  const { ada, url } = t.context
  const { id } = await talk(ada, [])
  const bystander = await join(url, ada)
  for (const garbage of [
    '{',
    'null',
    '[]',
    '"x"',
    '{}',
    '{"type":1}',
    '{"type":"x","data":[]}',
    '{"type":"x","id":{}}',
  ]) {
    const client = await join(url, ada)
    client.send(garbage)
    t.is((await client.next('error')).data.code, 'bad_frame')
    t.is((await client.closed).code, 4400, garbage)
  }
  const binary = await join(url, ada)
  binary.ws.send(randomBytes(100))
  t.is((await binary.closed).code, 4400)
  for (const size of [64 * 1024 + 1, 1024 * 1024]) {
    const large = await join(url, ada)
    large.send({ type: 'typing', data: { conversationId: 'x'.repeat(size) } })
    t.is((await large.closed).code, 4413)
  }
  await say(ada, id, 'Still here')
  t.is((await bystander.next('message.created')).data.body, 'Still here')
})

test('answers unknown frame types with an error and stays open', async t => {
  const { ada, url } = t.context
  const client = await join(url, ada)
  client.send({ type: 'sing', id: '1', data: {} })
  t.like(await client.next('error'), { id: '1', data: { code: 'unknown_type' } })
  client.send({ type: 'hello', id: '2', data: { tenantId: ada.tenantId } })
  t.like(await client.next('error'), { id: '2', data: { code: 'greeted' } })
  client.send({ type: 'typing', id: '3', data: { conversationId: '__proto__' } })
  t.like(await client.next('error'), { id: '3', data: { code: 'not_found' } })
  client.send({ type: 'ping', id: '4', data: { t: 7 } })
  t.like(await client.next('pong'), { id: '4', data: { t: 7 } })
  client.cut()
})

test('closes on too many frames with 4029', async t => {
  const { ada, url } = t.context
  const client = await join(url, ada)
  for (let n = 0; n < 1000; n++) client.send({ type: 'ping', data: {} })
  t.is((await client.closed).code, 4029)
})

test('closes on frames before hello with 4401', async t => {
  const { ada, url } = t.context
  const { id } = await talk(ada, [])
  const client = await dial(url)
  client.send({ type: 'typing', data: { conversationId: id } })
  t.is((await client.next('error')).data.code, 'hello_first')
  t.is((await client.closed).code, 4401)
})

test.serial('closes without hello within 5 s with 4401', async t => {
  const { fixture, url } = t.context
  const client = await dial(url)
  fixture.clock.at += 5000
  t.is((await client.next('error')).data.code, 'hello_timeout')
  t.is((await client.closed).code, 4401)
})

test.serial('closes connections that answer no pings after 45 s', async t => {
  const { fixture, ada, url } = t.context
  const dead = await dial(url, { pong: false })
  dead.send({ type: 'hello', data: { tenantId: ada.tenantId, token: ada.token } })
  await dead.next('unread')
  const alive = await join(url, ada)
  const pinged = once(alive.ws, 'message')
  fixture.clock.at += 20_000
  await dead.next('ping')
  await pinged
  // The server has read the pong before it answers this.
  alive.send({ type: 'ping', data: {} })
  await alive.next('pong')
  fixture.clock.at += 25_000
  t.like((await dead.next('closing')).data, { action: 'reconnect', reason: 'ping_timeout' })
  t.is((await dead.closed).code, 4008)
  t.is(alive.ws.readyState, alive.ws.OPEN)
  alive.cut()
})

test.serial('closes a slow consumer, which receives everything when it reconnects', async t => {
  const { ada, url } = t.context
  const { id } = await talk(ada, [])
  const slow = await join(url, ada)
  slow.ws.pause()
  // 3 bytes per character: more than sockets and the send buffer hold.
  const body = '語'.repeat(10_000)
  for (let n = 0; n < 400; n += 50) {
    await Promise.all(Array.from({ length: 50 }, () => say(ada, id, body)))
    // On a busy machine, the server would otherwise miss the pongs.
    slow.send({ type: 'ping', data: {} })
  }
  slow.ws.resume()
  t.is((await slow.closed).code, 4001)
  const received = slow.waiting.filter(({ type }) => type === 'message.created').map(({ seq }) => seq)
  t.deepEqual(
    received,
    received.map((_, index) => index + 1),
  )
  const back = await join(url, ada, { lastSeqs: { [id]: received.length } })
  const rest = back.waiting.filter(({ type }) => type === 'message.created').map(({ seq }) => seq)
  t.is(received.length + rest.length, 400)
  t.is(rest.at(-1), 400)
  back.cut()
})

test.serial('a stopping process makes its clients reconnect', async t => {
  const fixture = await createFixture()
  const ada = await fixture.person()
  const client = await join(fixture.kernel.url, ada)
  await fixture.stop()
  t.like((await client.next('closing')).data, { action: 'reconnect', reason: 'draining' })
  t.is((await client.closed).code, 4000)
})
