import test from 'ava'
import { expectStatus } from '../../../fixtures/people.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import { at, MESSENGER, messagingRecipe, pairOf, say, talk } from '../fixtures.ts'
import { join } from './client.ts'

const { kernel, people } = withPeople(test, { recipe: messagingRecipe(), env: { REALTIME_SOCKETS_PER_PERSON: '300' } })

test('delivers messages, edits, deletions, read states and typing after hello', async t => {
  const { ada, bob } = await pairOf(people)
  const { id } = await talk(ada, [bob])
  const [a, b] = [await join(kernel.url, ada), await join(kernel.url, bob)]
  const message = await say(ada, id, 'Hello')
  const { data, ...received } = await b.next('message.created')
  t.deepEqual(received, { type: 'message.created', conversationId: id, seq: 1, version: 2, position: null })
  t.deepEqual(data, message as never)
  await a.next('message.created')
  expectStatus(200, await ada.patch(at(id, `/messages/${message.id}`), { body: 'Hello, Bob' }))
  t.like((await b.next('message.updated')).data, { body: 'Hello, Bob', seq: 1, version: 3 })
  expectStatus(200, await bob.put(at(id, '/read'), { seq: 1 }))
  t.deepEqual(await a.next('read'), {
    type: 'read',
    conversationId: id,
    seq: 1,
    position: null,
    data: { userId: bob.userId, lastReadSeq: 1 },
  })
  b.typing(id)
  t.deepEqual((await a.next('typing')).data, { userId: bob.userId })
  expectStatus(204, await ada.delete(at(id, `/messages/${message.id}`)))
  t.like(await b.next('message.deleted'), { seq: 1, version: 4, data: { body: null } })
  expectStatus(200, await bob.patch(at(id), { status: 'resolved' }))
  t.like(await a.next('conversation.updated'), { version: 5, seq: 1, data: { status: 'resolved', lastSeq: 1 } })
  t.false(b.waiting.some(({ type }) => type === 'typing'))
})

test('sends typing of a client to the others, at most every second', async t => {
  const { ada, bob } = await pairOf(people)
  const { id } = await talk(ada, [bob])
  const [a, b] = [await join(kernel.url, ada), await join(kernel.url, bob)]
  for (let count = 0; count < 3; count++) b.typing(id)
  await say(bob, id, 'Hello')
  await a.next('message.created')
  t.is(a.waiting.filter(({ type }) => type === 'typing').length, 1)
  b.typing('cnv_00000000000000000000000000')
  t.is((await b.next('error')).data.code, 'not_found')
  b.typing('__proto__')
  t.is((await b.next('error')).data.code, 'validation_failed')
})

test('delivers nothing to users who are not participants', async t => {
  const { ada, bob } = await pairOf(people)
  const [cleo, eve] = [await people.colleague(ada, MESSENGER), await people.person()]
  const { id } = await talk(ada, [bob])
  const theirs = await talk(eve, [])
  const [c, e] = [await join(kernel.url, cleo), await join(kernel.url, eve)]
  await say(ada, id, 'For Bob alone')
  e.typing(id)
  t.is((await e.next('error')).data.code, 'not_found')
  await say(eve, theirs.id, 'Mine')
  await say(cleo, (await talk(cleo, [])).id, 'Mine')
  for (const client of [c, e]) {
    t.is((await client.next('message.created')).data.body, 'Mine')
    t.false(client.waiting.some(({ conversationId }) => conversationId === id))
  }
})

test('starts and stops delivery when participants are added and removed', async t => {
  const { ada, bob } = await pairOf(people)
  const cleo = await people.colleague(ada, MESSENGER)
  const { id } = await talk(ada, [bob])
  await say(ada, id, 'Before')
  const [b, c] = [await join(kernel.url, bob), await join(kernel.url, cleo)]
  expectStatus(201, await ada.post(at(id, '/participants'), { userId: cleo.userId }))
  const { data } = await c.next('conversation.updated')
  t.true((data.participantIds as string[]).includes(cleo.userId))
  await say(ada, id, 'After')
  t.is((await c.next('message.created')).seq, 2)
  expectStatus(204, await ada.delete(at(id, `/participants/${cleo.userId}`)))
  t.is((await c.next('conversation.left')).conversationId, id)
  await say(ada, id, 'Later')
  const mine = await talk(cleo, [])
  await say(cleo, mine.id, 'Mine')
  t.is((await c.next('message.created')).conversationId, mine.id)
  for (const seq of [2, 3]) t.is((await b.next('message.created')).seq, seq)
})

test('logout and loss of membership close the socket', async t => {
  const ada = await people.person()
  const cleo = await people.colleague(ada, MESSENGER)
  const dora = await people.colleague(ada, MESSENGER)
  const [c, d] = [await join(kernel.url, cleo), await join(kernel.url, dora)]
  expectStatus(204, await kernel.as(cleo.token).post('/v1/auth/logout'))
  t.is((await c.closed).code, 4403)
  const { body } = await ada.get('/v1/identity/members?limit=200')
  expectStatus(
    204,
    await ada.delete(`/v1/identity/members/${body.data.find(({ userId }) => userId === dora.userId)?.id}`),
  )
  t.is((await d.closed).code, 4403)
})

test('delivers one message to 200 sockets', async t => {
  const { ada, bob } = await pairOf(people)
  const { id } = await talk(ada, [bob])
  const sockets = []
  for (let n = 0; n < 200; n++) sockets.push(await join(kernel.url, bob))
  await say(ada, id, 'To all')
  for (const client of sockets) t.is((await client.next('message.created')).seq, 1)
  for (const client of sockets) client.cut()
})
