import test from 'ava'
import { ACTIONS, mistakesOf, runAction, runAndFail } from '../../fixtures/actions.ts'
import type { Listed, People } from '../../fixtures/people.ts'
import { problemOf } from '../../fixtures/problem-of.ts'
import { withPeople } from '../../fixtures/with-people.ts'

const { kernel, people } = withPeople(test, ACTIONS)

type Reader = Pick<Awaited<ReturnType<People['colleague']>>, 'get'>
interface Conversation {
  readonly id: string
  readonly subject: string | null
  readonly unread: number
}
const conversationsOf = async (reader: Reader) =>
  (await reader.get<Listed<Conversation>>('/v1/messaging/conversations')).body.data
const messagesIn = async (reader: Reader, id: string) =>
  (await reader.get<Listed<{ body: string; senderId: string }>>(`/v1/messaging/conversations/${id}/messages`)).body.data
const MESSENGER = 'tenant.messenger'

test('notifies each member with a role, and nobody else', async t => {
  const ada = await people.person()
  const bob = await people.colleague(ada, [MESSENGER])
  const eve = await people.colleague(ada, ['tenant.agent', MESSENGER])
  const output = await runAction(kernel.kernel, 'messaging.notify', { role: 'tenant.agent', text: 'A new ticket' }, ada)
  t.deepEqual(output, { recipients: 1 })
  const [notices] = await conversationsOf(eve)
  t.like(notices, { unread: 1 })
  t.like((await messagesIn(eve, notices?.id ?? ''))[0], { body: 'A new ticket', senderId: 'system' })
  t.deepEqual(await conversationsOf(bob), [])
})

test('further notices of a member are in the same conversation', async t => {
  const ada = await people.person()
  const bob = await people.colleague(ada, [MESSENGER])
  const to = { email: bob.email, userId: bob.userId, name: null, locale: null, isForeign: false }
  for (const text of ['One', 'Two']) await runAction(kernel.kernel, 'messaging.notify', { to, text }, ada)
  const conversations = await conversationsOf(bob)
  t.deepEqual(
    conversations.map(({ unread }) => unread),
    [2],
  )
})

test('two runs at once begin one conversation', async t => {
  const ada = await people.person()
  const bob = await people.colleague(ada, [MESSENGER])
  const input = { role: MESSENGER, text: 'Hello' }
  await Promise.all([1, 2, 3, 4].map(() => runAction(kernel.kernel, 'messaging.notify', input, ada)))
  const conversations = await conversationsOf(bob)
  t.deepEqual(
    conversations.map(({ unread }) => unread),
    [4],
  )
})

test('a step that fails notifies nobody', async t => {
  const ada = await people.person()
  const bob = await people.colleague(ada, [MESSENGER])
  await runAndFail(kernel.kernel, 'messaging.notify', { role: MESSENGER, text: 'Hello' }, ada)
  t.deepEqual(await conversationsOf(bob), [])
})

test('a role that nobody has is no error', async t => {
  const ada = await people.person()
  const input = { role: 'tenant.agent', text: 'Hello' }
  t.deepEqual(await runAction(kernel.kernel, 'messaging.notify', input, ada), { recipients: 0 })
})

test('notifies no person of another workspace', async t => {
  const ada = await people.person()
  const bob = await people.person()
  const to = { email: bob.email, userId: bob.userId, name: null, locale: null, isForeign: false }
  const sent = runAction(kernel.kernel, 'messaging.notify', { to, text: 'Hello' }, ada)
  t.is((await problemOf(t, sent)).code, 'recipient_not_a_member')
})

test('posts to a conversation in the name of the product', async t => {
  const ada = await people.person()
  const bob = await people.colleague(ada, [MESSENGER])
  const begun = await bob.post<Conversation>('/v1/messaging/conversations', { participantIds: [ada.userId] })
  const { id } = begun.body
  await runAction(kernel.kernel, 'messaging.post', { conversation: id, text: 'Closed' }, ada)
  t.like((await messagesIn(bob, id))[0], { body: 'Closed', senderId: 'system' })
  const [seen] = await conversationsOf(bob)
  t.is(seen?.unread, 1)
})

test('posts to no conversation of another workspace', async t => {
  const ada = await people.person()
  const bob = await people.person()
  const begun = await ada.post<Conversation>('/v1/messaging/conversations', { participantIds: [] })
  const posted = runAction(kernel.kernel, 'messaging.post', { conversation: begun.body.id, text: 'Hello' }, bob)
  t.is((await problemOf(t, posted)).code, 'not_found')
})

test('the page of the notices names the product as their sender', async t => {
  const ada = await people.person()
  await runAction(kernel.kernel, 'messaging.notify', { role: 'tenant.owner', text: 'Welcome' }, ada)
  const [notices] = await conversationsOf(ada)
  const page = await kernel.get<string>(`/messages/${notices?.id}`, { headers: { cookie: ada.cookie } })
  t.is(page.status, 200)
  t.true(page.body.includes('Welcome'))
  t.false(page.body.includes('Former member'))
})

test('the check finds unknown roles, and a step without an audience', t => {
  const check = (input: object) => mistakesOf(kernel.kernel, 'messaging.notify', { text: 'Hello', ...input })
  t.deepEqual(check({ role: 'tenant.agnet' }), [
    'unknown_role role: Unknown role "tenant.agnet". Did you mean "tenant.agent"?',
  ])
  t.deepEqual(check({}), ['invalid_audience : The step names nobody. Write either role or to'])
  t.deepEqual(check({ role: 'tenant.owner', to: '$row.owner' }), [
    'invalid_audience : The step names a role and a member. Write either role or to',
  ])
  t.deepEqual(check({ to: '$row.owner' }), [])
})
