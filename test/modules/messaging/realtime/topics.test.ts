import test from 'ava'
import { startTestKernel, type TestKernel } from '../../../../testing/index.ts'
import { expectStatus } from '../../../fixtures/people.ts'
import { join, type TopicClient } from '../../../fixtures/topics.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import { at, MESSENGER, type Message, messagingRecipe, say, talk } from '../fixtures.ts'

let two: TestKernel
const { kernel, people, ada, bob, carol } = withPeople(
  test,
  { recipe: messagingRecipe() },
  { ada: 'owner', bob: MESSENGER, carol: MESSENGER },
  async () => {
    two = await startTestKernel({ recipe: messagingRecipe(), database: kernel.databaseUrl, role: 'web' })
  },
)
test.after.always(() => two?.stop())

const CONVERSATION = 'messaging.conversation'

interface Change {
  readonly type: string
  readonly conversationId: string
  readonly data: { readonly body?: string; readonly userId?: string; readonly total?: number }
}
async function next(client: TopicClient): Promise<Change & { position: string | null }> {
  const { data } = await client.next('message')
  return { ...(data.message as Change), position: data.position as string | null }
}
async function bodies(client: TopicClient, count: number) {
  const changes = []
  while (changes.length < count) changes.push(await next(client))
  return changes
}

test('delivers the messages of one conversation in both processes, with positions', async t => {
  const { id: conversationId } = await talk(ada, [bob])
  const other = await talk(ada, [bob])
  const here = await join(kernel.url, ada)
  const there = await join(two.url, bob)
  for (const client of [here, there])
    t.like(await client.subscribe(CONVERSATION, { conversationId }), { data: { resumed: false, position: '0.1' } })
  await say(ada, other.id, 'elsewhere')
  await say(ada, conversationId, 'hello')
  for (const client of [here, there])
    t.like(await next(client), { type: 'message.created', conversationId, data: { body: 'hello' }, position: '1.2' })
  here.cut()
  there.cut()
})

test('resumes in another process without losing or repeating a change', async t => {
  const { id: conversationId } = await talk(ada, [bob])
  const first = await join(kernel.url, bob)
  await first.subscribe(CONVERSATION, { conversationId })
  await say(ada, conversationId, 'one')
  const { position } = await next(first)
  first.cut()
  const posted = await say(ada, conversationId, 'two')
  await say(ada, conversationId, 'three')
  const edited = await ada.patch<Message>(at(conversationId, `/messages/${posted.id}`), { body: 'two!' })
  t.is(edited.status, 200)
  const second = await join(two.url, bob)
  t.true((await second.subscribe(CONVERSATION, { conversationId }, { after: String(position) })).data.resumed)
  const changes = await bodies(second, 2)
  t.deepEqual(
    changes.map(({ data }) => data.body),
    ['two!', 'three'],
  )
  second.cut()
  const third = await join(two.url, bob)
  await third.subscribe(CONVERSATION, { conversationId }, { after: String(changes[1]?.position) })
  await say(ada, conversationId, 'four')
  t.is((await next(third)).data.body, 'four')
  third.cut()
})

test('non-participants, strangers and removed participants have no access', async t => {
  const { id: conversationId } = await talk(ada, [bob])
  const outsider = await join(kernel.url, carol)
  t.is((await outsider.subscribe(CONVERSATION, { conversationId })).data.code, 'not_found')
  t.is((await outsider.subscribe(CONVERSATION, { conversationId: 'x' })).data.code, 'validation_failed')
  const stranger = await join(kernel.url, await people.person())
  t.is((await stranger.subscribe(CONVERSATION, { conversationId })).data.code, 'not_found')
  const client = await join(kernel.url, bob)
  await client.subscribe(CONVERSATION, { conversationId })
  expectStatus(204, await ada.delete(at(conversationId, `/participants/${bob.userId}`)))
  t.is((await next(client)).type, 'conversation.left')
  t.like(await client.next('unsubscribed'), { data: { reason: 'left' } })
  for (const each of [outsider, stranger, client]) each.cut()
})

test('sends typing to the other participants', async t => {
  const { id: conversationId } = await talk(ada, [bob])
  const here = await join(kernel.url, ada)
  const there = await join(two.url, bob)
  for (const client of [here, there]) await client.subscribe(CONVERSATION, { conversationId })
  t.is((await here.request('send', { subscription: 's', input: { type: 'typing' } })).type, 'accepted')
  t.like(await next(there), { type: 'typing', data: { userId: ada.userId }, position: null })
  t.is((await here.request('send', { subscription: 's', input: { type: 'shout' } })).data.code, 'validation_failed')
  here.cut()
  there.cut()
})

test('delivers changes of all conversations, including new ones', async t => {
  const client = await join(two.url, carol)
  await client.subscribe('messaging.conversations', {})
  t.is((await next(client)).type, 'unread')
  const { id } = await talk(ada, [carol])
  t.like(await next(client), { type: 'conversation.updated', conversationId: id })
  await say(ada, id, 'welcome')
  t.like(await next(client), { type: 'message.created', data: { body: 'welcome' }, position: null })
  await client.request('unsubscribe', { subscription: 's' })
  await say(ada, id, 'unseen')
  await client.subscribe('messaging.conversations', {})
  t.like(await next(client), { type: 'unread', data: { total: 2 } })
  client.cut()
})
