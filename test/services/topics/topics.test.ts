import anyTest, { type TestFn } from 'ava'
import type { Person, TestKernel } from '../../../testing/index.ts'
import { createTestClock } from '../../fixtures/clock.ts'
import { type Colleague, expectStatus, type People, peopleOf } from '../../fixtures/people.ts'
import { dial, join } from '../../fixtures/topics.ts'
import { waitFor } from '../../fixtures/wait.ts'
import { boardState } from './boards/state.ts'
import { startTopics } from './fixtures.ts'

interface Context {
  kernel: TestKernel
  url: string
  ada: Person
  people: People
  guest: Colleague
  publish(message: object, options?: { topic?: string; tenantId?: string; key?: string }): void
}
const test = anyTest as TestFn<Context>

test.before(async t => {
  const clock = createTestClock()
  const kernel = await startTopics({ clock })
  const people = peopleOf(kernel)
  const ada = await people.person('Ada')
  // Positions from the first seconds of a process are older than its log.
  clock.forward(10_000)
  const { topics } = kernel.kernel.ports
  t.context = {
    kernel,
    url: kernel.url,
    ada,
    people,
    guest: await people.colleague(ada, ['tenant.guest']),
    publish: (message, { topic = 'boards.cards', tenantId = ada.tenantId, key = 'a' } = {}) =>
      topics.publish(topic, { tenantId, key }, message),
  }
})
test.after.always(t => t.context.kernel?.stop())

test('welcomes a member and delivers messages of its topic', async t => {
  const { url, ada, publish } = t.context
  const client = await dial(url)
  const welcome = await client.request('hello', { tenantId: ada.tenantId, token: ada.token })
  t.like(welcome.data, { protocol: 1, tenantId: ada.tenantId, userId: ada.userId, limits: { subscriptions: 1000 } })
  const subscribed = await client.subscribe('boards.cards', { board: 'welcome' })
  t.like(subscribed, { type: 'subscribed', data: { subscription: 's', resumed: false } })
  publish({ title: 'one' }, { key: 'welcome' })
  const { data } = await client.next('message')
  t.like(data, { subscription: 's', message: { title: 'one' } })
  t.regex(String(data.position), /^[0-9a-z]+(~[0-9a-z]{12}\.[0-9a-z]+)+$/)
  client.cut()
})

test('keeps channels of other keys, tenants and topics apart', async t => {
  const { url, ada, publish } = t.context
  const client = await join(url, ada)
  await client.subscribe('boards.cards', { board: 'apart' })
  publish({ title: 'other key' }, { key: 'b' })
  publish({ title: 'other tenant' }, { key: 'apart', tenantId: 'ten_other' })
  publish({ title: 'other topic' }, { key: 'apart', topic: 'boards.public' })
  publish({ title: 'mine' }, { key: 'apart' })
  t.deepEqual((await client.titles(1)).titles, ['mine'])
  client.cut()
})

test('publishes after the commit, and not after a rollback', async t => {
  const { url, ada, kernel } = t.context
  const client = await join(url, ada)
  await client.subscribe('boards.cards', { board: 'commit' })
  const { database, topics } = kernel.kernel.ports
  const write = (title: string, end: () => void) =>
    database.tenant(ada.tenantId).transaction(async unit => {
      await unit.query('select 1')
      topics.publish('boards.cards', { tenantId: ada.tenantId, key: 'commit' }, { title })
      await unit.query('select pg_sleep(0.03)')
      t.deepEqual(
        client.waiting.filter(({ type }) => type === 'message'),
        [],
      )
      end()
    })
  await t.throwsAsync(
    write('rolled back', () => {
      throw new Error('no')
    }),
  )
  await write('committed', () => {})
  t.deepEqual((await client.titles(1)).titles, ['committed'])
  client.cut()
})

test('a view removes parts of a message, hides messages and keeps their order', async t => {
  const { url, ada, publish } = t.context
  const client = await join(url, ada)
  await client.subscribe('boards.cards', { board: 'view' })
  const cards = [
    { title: 'slow', slow: true },
    { title: 'hidden', hidden: true },
    { title: 'open', secret: 's3cret' },
    { title: 'last' },
  ]
  for (const card of cards) publish(card, { key: 'view' })
  const frames = [await client.next('message'), await client.next('message'), await client.next('message')]
  t.deepEqual(
    frames.map(({ data }) => data.message),
    [{ title: 'slow', slow: true }, { title: 'open' }, { title: 'last' }],
  )
  client.cut()
})

test('a view that fails becomes a gap', async t => {
  const { url, ada, publish } = t.context
  const client = await join(url, ada)
  await client.subscribe('boards.cards', { board: 'broken' })
  publish({ title: 'broken', broken: true }, { key: 'broken' })
  t.like((await client.next('gap')).data, { subscription: 's', position: null })
  t.regex(String((await client.next('gap')).data.position), /~/)
  publish({ title: 'next' }, { key: 'broken' })
  t.deepEqual((await client.titles(1)).titles, ['next'])
  client.cut()
})

test('a message that is too large becomes a gap', async t => {
  const { url, ada, publish } = t.context
  const client = await join(url, ada)
  await client.subscribe('boards.cards', { board: 'large' })
  publish({ title: 'x'.repeat(200_000) }, { key: 'large' })
  t.like(await client.next('gap'), { data: { subscription: 's' } })
  client.cut()
})

test('rejects frames that are invalid, and keeps the socket open', async t => {
  const { url, ada, guest } = t.context
  const client = await join(url, ada)
  const rejected = async (type: string, data: object) => {
    const frame = await client.request(type, data)
    return `${frame.type} ${frame.data.code}`
  }
  t.is(await rejected('hello', {}), 'error greeted')
  t.is(await rejected('dance', {}), 'error unknown_type')
  t.is(await rejected('constructor', {}), 'error unknown_type')
  t.is(await rejected('subscribe', {}), 'error validation_failed')
  t.is(await rejected('subscribe', { subscription: 's', topic: 'boards.nothing' }), 'error unknown_topic')
  const unknown = await client.request('subscribe', { subscription: 's', topic: 'boards.cards', params: { bord: 1 } })
  t.like(unknown.data, { code: 'validation_failed', subscription: 's', retryable: false })
  t.deepEqual((unknown.data.errors as { pointer: string }[]).map(({ pointer }) => pointer).sort(), ['/board', '/bord'])
  t.is(await rejected('unsubscribe', { subscription: 'none' }), 'error unknown_subscription')
  t.is(await rejected('send', { subscription: 'none', input: {} }), 'error unknown_subscription')
  t.is((await client.subscribe('boards.cards', { board: 'invalid' }, { after: 'not a position' })).data.resumed, false)
  t.is(await rejected('send', { subscription: 's', input: {} }), 'error read_only')
  t.is(
    await rejected('subscribe', { subscription: 's', topic: 'boards.cards', params: { board: 'b' } }),
    'error subscription_exists',
  )
  t.like(await client.request('unsubscribe', { subscription: 's' }), {
    type: 'unsubscribed',
    data: { reason: 'requested' },
  })
  client.cut()

  const other = await join(url, guest)
  t.like((await other.subscribe('boards.cards')).data, {
    code: 'forbidden',
    message: 'Requires the permission “Read cards”.',
    requiredPermission: 'boards.card.read',
  })
  other.cut()
})

test('words errors in the language of the upgrade request', async t => {
  const { url, ada, guest } = t.context
  const german = { headers: { 'accept-language': 'de-AT, en;q=0.5' } }
  const client = await dial(url, german)
  await client.request('hello', { tenantId: ada.tenantId, token: ada.token })
  const said = async (type: string, data: object) => (await client.request(type, data)).data
  t.is((await said('dance', {})).message, 'Unbekannte Art von Frame.')
  t.is(
    (await said('subscribe', { subscription: 's', topic: 'boards.nothing' })).message,
    'Kein Thema hat diesen Namen.',
  )
  const invalid = await said('subscribe', { subscription: 's', topic: 'boards.cards', params: { bord: 1, board: 'a' } })
  t.is(invalid.message, 'Einige Angaben sind ungültig. Prüfen Sie Ihre Eingaben.')
  t.regex((invalid.errors as { detail: string }[])[0]?.detail ?? '', /^ist kein bekanntes Feld/)
  client.send('{')
  t.is((await client.next('error')).data.message, 'Ein Frame muss ein JSON-Objekt sein.')

  const other = await dial(url, german)
  await other.request('hello', { tenantId: ada.tenantId, token: guest.token })
  t.is((await other.subscribe('boards.cards')).data.message, 'Dafür fehlt Ihnen die Berechtigung „Read cards“.')
  other.cut()
})

test('closes the socket for frames that are not JSON, and for an invalid hello', async t => {
  const { url, ada } = t.context
  const closing = async (send: unknown) => {
    const client = await dial(url)
    client.send(send)
    const { code } = await client.closed
    return `${code} ${(await client.next('error')).data.code}`
  }
  t.is(await closing('{'), '4400 bad_frame')
  t.is(await closing({ type: 'subscribe', data: {} }), '4401 hello_first')
  t.is(await closing({ type: 'hello', data: { tenantId: 7 } }), '4400 bad_data')
  t.is(await closing({ type: 'hello', data: { tenantId: 'acme' } }), '4400 bad_data')
  t.is(await closing({ type: 'hello', data: { token: 'nobody', tenantId: ada.tenantId } }), '4401 unauthenticated')
  t.is(await closing({ type: 'hello', data: { token: ada.token, tenantId: 'ten_other' } }), '4403 not_a_member')
})

test('connects to the current workspace if none is named', async t => {
  const { url, ada, people } = t.context
  const bob = await people.colleague(ada, ['tenant.reader'])
  const tenantOf = async (data: object, headers: Record<string, string> = {}) => {
    const client = await dial(url, { headers })
    const welcome = await client.request('hello', data)
    client.cut()
    return welcome.data.tenantId
  }
  const selected = (tenantId: string) => ({ cookie: `${bob.cookie}; platform_tenant=${tenantId}`, origin: url })
  const home = await tenantOf({ token: bob.token })
  t.is(await tenantOf({ token: ada.apiKey }), ada.tenantId)
  t.is(await tenantOf({}, selected(ada.tenantId)), ada.tenantId)
  t.is(await tenantOf({}, { cookie: bob.cookie, origin: url }), home)
  t.is(await tenantOf({}, selected('ten_other')), home)
})

test('authenticates with a token, an API key or a same-origin cookie only', async t => {
  const { url, ada, people } = t.context
  const bob = await people.colleague(ada, ['tenant.reader'])
  const hello = async (data: object, headers: Record<string, string> = {}) => {
    const client = await dial(url, { headers })
    const { type, data: said } = await client.request('hello', data)
    client.cut()
    return type === 'welcome' ? (said.userId ?? 'anonymous') : said.code
  }
  const { tenantId, userId } = bob
  t.is(await hello({ tenantId, token: bob.token }), userId)
  t.is(await hello({ tenantId, token: ada.apiKey }), ada.userId)
  t.is(await hello({ tenantId }, { authorization: `Bearer ${bob.token}` }), userId)
  t.is(await hello({ tenantId }, { cookie: bob.cookie, origin: url }), userId)
  t.is(await hello({ tenantId }, { cookie: bob.cookie }), 'anonymous')
  t.is(await hello({ tenantId }, { cookie: bob.cookie, origin: 'https://evil.test' }), 'anonymous')
  t.is(await hello({ tenantId, token: `dt_${'x'.repeat(43)}` }), 'unauthenticated')
})

test('an anonymous client may subscribe to public topics only', async t => {
  const { url, ada, publish, kernel } = t.context
  const client = await join(url)
  t.is((await client.subscribe('boards.cards')).data.code, 'unauthenticated')
  t.is((await client.subscribe('boards.echo', {})).data.code, 'unauthenticated')
  t.is((await client.subscribe('boards.public', { board: 'lobby' })).type, 'subscribed')
  publish({ title: 'of a workspace' }, { topic: 'boards.public', key: 'lobby' })
  const tenantId = kernel.kernel.ports.operator.tenantId
  publish({ title: 'of the operator' }, { topic: 'boards.public', key: 'lobby', tenantId })
  t.deepEqual((await client.titles(1)).titles, ['of the operator'])
  client.cut()
  const named = await join(url, { tenantId: ada.tenantId })
  await named.subscribe('boards.public', { board: 'lobby' })
  publish({ title: 'named' }, { topic: 'boards.public', key: 'lobby' })
  t.deepEqual((await named.titles(1)).titles, ['named'])
  named.cut()
})

test('limits the subscriptions of anonymous clients', async t => {
  const client = await join(t.context.url)
  for (let count = 0; count < 50; count++)
    t.is((await client.subscribe('boards.public', { board: 'x' }, { subscription: `s${count}` })).type, 'subscribed')
  t.is((await client.subscribe('boards.public')).data.code, 'too_many_subscriptions')
  await client.request('unsubscribe', { subscription: 's0' })
  await waitFor(async () => {
    const { type, data } = await client.subscribe('boards.public')
    if (type === 'error') return data.code === 'rate_limited' && data.retryable === true
    await client.request('unsubscribe', { subscription: 's' })
    return false
  })
  client.cut()
})

test('limits a socket to 1,000 subscriptions', async t => {
  const { url, ada, publish } = t.context
  const client = await join(url, ada)
  for (let count = 0; count <= 1000; count++)
    client.send({
      type: 'subscribe',
      data: { subscription: `s${count}`, topic: 'boards.cards', params: { board: `many ${count % 2}` } },
    })
  t.like(await client.next('error'), { data: { code: 'too_many_subscriptions', subscription: 's1000' } })
  publish({ title: 'to 500' }, { key: 'many 0' })
  t.is((await client.titles(500)).titles.length, 500)
  client.cut()
})

test('a topic of its own source receives input and confirms it', async t => {
  const client = await join(t.context.url, t.context.guest)
  t.like(await client.subscribe('boards.echo', {}), { data: { position: '0', resumed: false } })
  t.like(await client.next('message'), { data: { position: '1', message: { echo: 'early' } } })
  t.is((await client.request('send', { subscription: 's', input: { text: 'hi' } })).type, 'accepted')
  t.like(await client.next('message'), { data: { position: '2', message: { echo: 'hi' } } })
  t.is(
    (await client.request('send', { subscription: 's', input: { text: 'x'.repeat(11) } })).data.code,
    'validation_failed',
  )
  client.send({ type: 'send', data: { subscription: 's', input: { text: 'end' } } })
  t.like(await client.next('unsubscribed'), { data: { subscription: 's', reason: 'over' } })
  t.is((await client.subscribe('boards.echo', {}, { after: '1' })).data.resumed, true)
  client.cut()
})

test('a lost permission ends subscriptions and keeps the socket', async t => {
  const { url, ada, people } = t.context
  const colleague = await people.colleague(ada, ['tenant.reader'])
  const client = await join(url, colleague)
  await client.subscribe('boards.cards', { board: 'roles' })
  await client.subscribe('boards.echo', {}, { subscription: 'echo' })
  const { data } = expectStatus(200, await ada.get('/v1/identity/members'))
  const member = data.find(({ userId }) => userId === colleague.userId)
  expectStatus(200, await ada.patch(`/v1/identity/members/${member?.id}`, { roles: ['tenant.guest'] }))
  t.like(await client.next('unsubscribed'), { data: { subscription: 's', reason: 'forbidden' } })
  t.is((await client.subscribe('boards.cards')).data.code, 'forbidden')
  t.is((await client.request('send', { subscription: 'echo', input: { text: 'hi' } })).type, 'accepted')
  client.cut()
})

test('closes the socket of a member who is removed or signs out', async t => {
  const { url, ada, people } = t.context
  const removed = await people.colleague(ada, ['tenant.reader'])
  const client = await join(url, removed)
  await client.subscribe('boards.cards')
  const { data } = expectStatus(200, await ada.get('/v1/identity/members'))
  const member = data.find(({ userId }) => userId === removed.userId)
  await ada.delete(`/v1/identity/members/${member?.id}`)
  t.is((await client.closed).code, 4403)
  const bob = await people.person()
  const second = await join(url, bob)
  await bob.post('/v1/auth/logout')
  t.is((await second.closed).code, 4403)
})

test('ends subscriptions whose topic denies access now', async t => {
  const { url, ada, kernel, publish } = t.context
  const client = await join(url, ada)
  await client.subscribe('boards.cards', { board: 'closing' })
  await client.subscribe('boards.cards', { board: 'staying' }, { subscription: 'other' })
  boardState.closed.add('closing')
  kernel.kernel.ports.topics.reauthorize({ topic: 'boards.cards', tenantId: ada.tenantId, key: 'closing' })
  t.like(await client.next('unsubscribed'), { data: { subscription: 's', reason: 'not_found' } })
  publish({ title: 'unseen' }, { key: 'closing' })
  publish({ title: 'seen' }, { key: 'staying' })
  t.deepEqual((await client.titles(1)).titles, ['seen'])
  client.cut()
})

test.serial('authorizes again if rights change during the authorization', async t => {
  const { url, ada, kernel } = t.context
  const client = await join(url, ada)
  let calls = 0
  boardState.onAuthorize = async () => {
    if (++calls > 1) return
    boardState.closed.add('race')
    kernel.kernel.ports.topics.reauthorize({ topic: 'boards.cards', tenantId: ada.tenantId })
  }
  t.is((await client.subscribe('boards.cards', { board: 'race' })).data.code, 'not_found')
  boardState.onAuthorize = undefined
  t.is(calls, 2)
  client.cut()
})

test.serial('an authorization that ends after a later one grants no rights that ended meanwhile', async t => {
  const { url, ada, kernel, publish } = t.context
  const key = 'late'
  const client = await join(url, ada)
  await client.subscribe('boards.cards', { board: key })
  const answers: (() => void)[] = []
  boardState.onAuthorize = () => new Promise(resolve => answers.push(resolve))
  const reauthorize = () =>
    kernel.kernel.ports.topics.reauthorize({ topic: 'boards.cards', tenantId: ada.tenantId, key })
  reauthorize()
  await waitFor(() => answers.length === 1)
  boardState.restricted.add(key)
  reauthorize()
  await waitFor(() => answers.length === 2)
  boardState.onAuthorize = undefined
  for (const answer of answers.reverse()) {
    answer()
    await new Promise(resolve => setImmediate(resolve))
  }
  publish({ title: 'unseen', restricted: true }, { key })
  publish({ title: 'seen' }, { key })
  t.deepEqual((await client.titles(1)).titles, ['seen'])
  client.cut()
})

test('a subscription that moves to another channel continues there after the gap', async t => {
  const { url, ada, kernel, publish } = t.context
  const first = await join(url, ada)
  await first.subscribe('boards.cards', { board: 'old' })
  publish({ title: '1' }, { key: 'old' })
  const { position } = await first.titles(1)
  first.cut()
  const second = await join(url, ada)
  t.true((await second.subscribe('boards.cards', { board: 'old' }, { after: position })).data.resumed)
  await second.subscribe('boards.cards', { board: 'new' }, { subscription: 'new' })
  publish({ title: 'before the gap' }, { key: 'new' })
  t.deepEqual((await second.titles(1)).titles, ['before the gap'])
  boardState.moved.set('old', 'new')
  kernel.kernel.ports.topics.reauthorize({ topic: 'boards.cards', tenantId: ada.tenantId, key: 'old' })
  const gap = await second.next('gap')
  second.cut()
  const third = await join(url, ada)
  const after = String(gap.data.position)
  t.true((await third.subscribe('boards.cards', { board: 'old' }, { after })).data.resumed)
  publish({ title: 'after the gap' }, { key: 'new' })
  t.deepEqual((await third.titles(1)).titles, ['after the gap'])
  third.cut()
})

test('a message that waits for its view is not sent after a gap', async t => {
  const { url, ada, publish } = t.context
  const key = 'overtaken'
  const client = await join(url, ada)
  await client.subscribe('boards.cards', { board: key })
  publish({ title: 'slow', slow: true }, { key })
  publish({ title: 'waiting' }, { key })
  publish({ title: 'x'.repeat(200_000) }, { key })
  await client.next('gap')
  publish({ title: 'new', slow: true }, { key })
  t.deepEqual((await client.titles(1)).titles, ['new'])
  client.cut()
})

test('resumes after a disconnect without losing or repeating a message', async t => {
  const { url, ada, publish } = t.context
  const key = 'resume'
  const first = await join(url, ada)
  await first.subscribe('boards.cards', { board: key })
  for (const title of ['1', '2']) publish({ title }, { key })
  const { position } = await first.titles(2)
  first.cut()
  for (const title of ['3', '4']) publish({ title }, { key })
  const second = await join(url, ada)
  const subscribed = await second.subscribe('boards.cards', { board: key }, { after: position })
  t.true(subscribed.data.resumed)
  publish({ title: '5' }, { key })
  const resumed = await second.titles(3)
  t.deepEqual(resumed.titles, ['3', '4', '5'])
  second.cut()
  const third = await join(url, ada)
  t.true((await third.subscribe('boards.cards', { board: key }, { after: resumed.position })).data.resumed)
  publish({ title: '6' }, { key })
  t.deepEqual((await third.titles(1)).titles, ['6'])
  third.cut()
})

test('reports a gap if too many messages were missed', async t => {
  const { url, ada, publish } = t.context
  const key = 'overrun'
  const first = await join(url, ada)
  await first.subscribe('boards.cards', { board: key })
  publish({ title: '1' }, { key })
  const { position } = await first.titles(1)
  first.cut()
  for (let count = 0; count < 501; count++) publish({ title: String(count) }, { key })
  const second = await join(url, ada)
  await second.subscribe('boards.cards', { board: 'other' }, { subscription: 'flush' })
  await waitFor(async () => {
    const { data } = await second.subscribe('boards.cards', { board: key }, { after: position })
    await second.request('unsubscribe', { subscription: 's' })
    return data.resumed === false
  })
  second.cut()
  t.pass()
})

test('a client that reads slowly receives a gap, and then newer messages', async t => {
  const { url, ada, publish } = t.context
  const key = 'slow'
  const client = await join(url, ada)
  await client.subscribe('boards.cards', { board: key })
  client.ws.pause()
  const count = 400
  for (let n = 0; n < count; n++) {
    publish({ title: 'x'.repeat(60_000) }, { key })
    await new Promise(resolve => setImmediate(resolve))
  }
  client.ws.resume()
  t.is((await client.next('gap')).data.position, null)
  t.regex(String((await client.next('gap')).data.position), /~/)
  t.true(client.waiting.filter(({ type }) => type === 'message').length < count)
  await waitFor(() => {
    publish({ title: 'new' }, { key })
    return client.waiting.some(({ data }) => (data.message as { title?: string })?.title === 'new')
  })
  client.cut()
})

test('accepts a cookie, and ignores it for an anonymous client', async t => {
  const { url, ada } = t.context
  const client = await dial(url, { headers: { cookie: ada.cookie, origin: 'http://localhost:8080' } })
  t.is((await client.request('hello', { tenantId: ada.tenantId })).data.userId, ada.userId)
  client.cut()
  const anonymous = await dial(url, { headers: { cookie: ada.cookie, origin: 'http://localhost:8080' } })
  t.is((await anonymous.request('hello', { anonymous: true })).data.userId, null)
  anonymous.cut()
  const foreign = await dial(url, { headers: { cookie: ada.cookie, origin: 'https://other.test' } })
  t.is((await foreign.request('hello', {})).data.userId, null)
  foreign.cut()
})
