import test from 'ava'
import { HOUR } from '../../../../kernel/base/index.ts'
import { type Client, startTestKernel } from '../../../../testing/index.ts'
import type { InboxConversation } from '../../../fixtures/api-types.ts'
import { codeOf, expectStatus, forgedCursor, type Listed, problem } from '../../../fixtures/people.ts'
import { join } from '../../../fixtures/topics.ts'
import { waitFor } from '../../../fixtures/wait.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import { at, CONVERSATIONS, type Conversation, errorsOf, say, talk } from '../fixtures.ts'

const INBOX = '/v1/messaging/inbox'
const NOBODY = 'usr_00000000000000000000000000'
const ROLES = {
  'team.support': { name: 'Support', permissions: ['support.*'] },
  'team.viewer': { name: 'Viewer', permissions: ['support.inbox.read'] },
}
const recipe = (support: 'workspace' | false) => ({
  roles: Object.fromEntries(Object.entries(ROLES).map(([key, role]) => [key.replace('team', 'tenant'), role])),
  locales: { default: 'en', available: ['en', 'de'] },
  modules: { identity: {}, comms: { transport: 'mailbox' }, messaging: { support } },
})

const messenger = ['tenant.messenger']
const support = ['tenant.support']
const { kernel, clock, people, ada, eve, mia, sam, tom, viewer } = withPeople(
  test,
  { recipe: recipe('workspace'), clock: true, alone: true },
  {
    ada: { name: 'Ada' },
    eve: { name: 'Eve' },
    mia: { name: 'Mia', roles: messenger },
    sam: { name: 'Sam', roles: support },
    tom: { name: 'Tom', roles: support },
    viewer: { name: 'Vic', roles: ['tenant.viewer'] },
  },
)

const ask = async (who: Client, body = 'Help', more: object = {}) => {
  const conversation = await talk(who, [], { kind: 'support', ...more })
  await say(who, conversation.id, body)
  return conversation
}
const list = async (who: Client, query = '') =>
  expectStatus(200, await who.get<Listed<InboxConversation>>(`${INBOX}${query}`)).data
const idsOf = async (who: Client, query = '') => (await list(who, query)).map(({ id }) => id)
const get = async (who: Client, id: string) => expectStatus(200, await who.get(`${INBOX}/${id}`))
const patch = (who: Client, id: string, body: unknown) => who.patch(`${INBOX}/${id}`, body)
const answer = (who: Client, id: string, body: string, more: object = {}) =>
  who.post(`${INBOX}/${id}/messages`, { body, ...more })

test.serial('shows support conversations of all members, and no private ones, not even to owners', async t => {
  const asked = await ask(mia, 'I need help', { subject: 'Invoice' })
  const secret = await talk(mia, [await people.colleague(ada, ['tenant.messenger'])], { subject: 'Private' })
  await say(mia, secret.id, 'a secret')
  for (const who of [sam, ada]) {
    const rows = await list(who)
    t.true(rows.some(({ id }) => id === asked.id))
    t.true(rows.every(({ kind, id }) => kind === 'support' && id !== secret.id))
    t.deepEqual(await idsOf(who, '?q=secret'), [])
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['GET', '/messages', undefined],
      ['PATCH', '', { status: 'resolved' }],
      ['POST', '/messages', { body: 'x' }],
    ] as const)
      t.is(codeOf(await who.call(method, `${INBOX}/${secret.id}${path}`, body)), '404 not_found', method)
  }
  t.is(codeOf(await ada.get(at(secret.id))), '404 not_found')
  t.is(codeOf(await sam.get(at(secret.id))), '403 forbidden')
  t.like(await get(sam, asked.id), {
    kind: 'support',
    subject: 'Invoice',
    status: 'open',
    assigneeId: null,
    assignee: null,
    waiting: true,
    requester: { userId: mia.userId, name: 'Mia', email: mia.email },
    lastMessage: { senderId: mia.userId, text: 'I need help' },
  })
})

test.serial('requires a permission that messaging.* does not include, and hides other workspaces', async t => {
  const { id } = await ask(mia)
  const routes = [
    ['GET', INBOX, undefined, 'support.inbox.read'],
    ['GET', `${INBOX}/assignees`, undefined, 'support.inbox.read'],
    ['GET', `${INBOX}/${id}`, undefined, 'support.inbox.read'],
    ['GET', `${INBOX}/${id}/messages`, undefined, 'support.inbox.read'],
    ['PATCH', `${INBOX}/${id}`, { status: 'resolved' }, 'support.inbox.update'],
    ['POST', `${INBOX}/${id}/messages`, { body: 'x' }, 'support.inbox.update'],
  ] as const
  for (const [method, path, body, permission] of routes) {
    const refused = await mia.call(method, path, body)
    t.is(codeOf(refused), '403 forbidden', path)
    t.is(problem(refused).requiredPermission, permission)
    const viewed = await viewer.call(method, path, body)
    t.is(viewed.status, permission === 'support.inbox.read' ? 200 : 403, path)
    if (path.includes(id)) t.is(codeOf(await eve.call(method, path, body)), '404 not_found', path)
  }
  t.deepEqual(await list(eve), [])
  t.is((await get(sam, id)).status, 'open')
  t.deepEqual(await idsOf(ada), await idsOf(sam))
})

test.serial('filters by status, assignee and words, and pages in the order of activity', async t => {
  const owner = await people.person('Olga')
  const [sam, mia] = [
    await people.colleague(owner, ['tenant.support'], 'Sam'),
    await people.colleague(owner, ['tenant.messenger'], 'Mia Berg'),
  ]
  const first = await ask(mia, 'The printer is on fire', { subject: 'Printer' })
  const second = await ask(owner, 'How do I pay?')
  const third = await ask(mia, 'Thanks')
  expectStatus(200, await patch(sam, first.id, { assigneeId: sam.userId }))
  expectStatus(200, await patch(sam, second.id, { assigneeId: owner.userId, status: 'resolved' }))
  t.deepEqual(await idsOf(sam), [third.id, second.id, first.id])
  t.deepEqual(await idsOf(sam, '?filter[status]=open'), [third.id, first.id])
  t.deepEqual(await idsOf(sam, '?filter[status]=resolved'), [second.id])
  t.deepEqual(await idsOf(sam, '?filter[assignee]=me'), [first.id])
  t.deepEqual(await idsOf(sam, '?filter[assignee]=none'), [third.id])
  t.deepEqual(await idsOf(sam, `?filter[assignee]=${owner.userId}`), [second.id])
  t.deepEqual(await idsOf(sam, '?q=PRINTER'), [first.id])
  t.deepEqual(await idsOf(sam, '?q=on%20fire'), [first.id])
  t.deepEqual(await idsOf(sam, '?q=berg'), [third.id, first.id])
  t.deepEqual(await idsOf(sam, '?q=100%25'), [])
  t.deepEqual(await idsOf(sam, '?q=pr%C3%AFnter'), [first.id])
  await say(mia, first.id, 'It still burns')
  const page = await sam.get(`${INBOX}?limit=2`)
  t.deepEqual(
    page.body.data.map(({ id }) => id),
    [first.id, third.id],
  )
  t.deepEqual(await idsOf(sam, `?limit=2&cursor=${page.body.nextCursor}`), [second.id])
})

test.serial('rejects invalid queries and bodies', async t => {
  const { id } = await ask(mia)
  for (const query of ['filter[status]=closed', 'filter[assignee]=you', 'q=', 'limit=x'])
    t.is((await sam.get(`${INBOX}?${query}`)).status, 422, query)
  t.is((await sam.get(`${INBOX}?color=red`)).status, 400)
  for (const values of [
    ['yesterday', id],
    [1, 2],
    ['2026-02-31T00:00:00.000000Z', id],
  ])
    t.is(codeOf(await sam.get(`${INBOX}?cursor=${forgedCursor('get /messaging/inbox', values)}`)), '400 invalid_cursor')
  t.regex(errorsOf(await patch(sam, id, { assigneeId: 'sam' })), /^422 \/assigneeId wrong_format/)
  t.regex(errorsOf(await patch(sam, id, { status: 'closed' })), /^422 \/status/)
  t.regex(errorsOf(await patch(sam, id, { color: 'red' })), /^422 \/color/)
  t.is(errorsOf(await patch(sam, id, { status: 'snoozed' })), '422 /snoozedUntil required')
  for (const userId of [NOBODY, eve.userId, mia.userId])
    t.is(errorsOf(await patch(sam, id, { assigneeId: userId })), '422 /assigneeId not_allowed')
  t.is(errorsOf(await answer(sam, id, ' ')), '422 /body too_short')
  t.is(codeOf(await patch(sam, 'cnv_00000000000000000000000000', { status: 'resolved' })), '404 not_found')
  t.regex(errorsOf(await mia.post(CONVERSATIONS, { participantIds: [], kind: 'public' })), /^422 \/kind/)
  t.regex(errorsOf(await mia.patch(at(id), { assigneeId: mia.userId })), /^422 \/assigneeId/)
})

test.serial('answers reach the member, who sees the sender by name and no other participants', async t => {
  const { id } = await ask(mia)
  const posted = expectStatus(201, await answer(sam, id, 'Sure', { clientMessageId: 'a' }))
  t.like(posted, { seq: 2, senderId: sam.userId, body: 'Sure' })
  t.like(expectStatus(200, await answer(sam, id, 'Sure', { clientMessageId: 'a' })), { id: posted.id })
  t.is(codeOf(await answer(sam, id, 'Other', { clientMessageId: 'a' })), '409 client_message_id_taken')
  t.like((await mia.get<Conversation>(at(id))).body, { unread: 1, lastSeq: 2, participantIds: [mia.userId] })
  t.like(await get(sam, id), { waiting: false })
  t.deepEqual((await get(sam, id)).people?.map(({ name }) => name).sort(), ['Mia', 'Sam'])
  t.is(codeOf(await say2(sam, id)), '403 forbidden')
})
const say2 = (who: Client, id: string) => who.post(at(id, '/messages'), { body: 'x' })

test.serial('a message of the member reopens a resolved conversation, and an answer does not', async t => {
  const { id } = await ask(mia)
  expectStatus(200, await patch(sam, id, { status: 'resolved' }))
  expectStatus(201, await answer(sam, id, 'Anything else?'))
  t.is((await get(sam, id)).status, 'resolved')
  await say(mia, id, 'Yes')
  t.is((await get(sam, id)).status, 'open')
  expectStatus(200, await patch(sam, id, { status: 'resolved' }))
  await Promise.all([1, 2, 3].map(n => say(mia, id, `Hello ${n}`)))
  t.is((await get(sam, id)).status, 'open')
  const until = new Date(clock.now() + HOUR).toISOString()
  t.like(expectStatus(200, await patch(sam, id, { status: 'snoozed', snoozedUntil: until })), { snoozedUntil: until })
  await say(mia, id, 'Still there?')
  t.like(await get(sam, id), { status: 'open', snoozedUntil: null })
  expectStatus(200, await patch(sam, id, { status: 'snoozed', snoozedUntil: until }))
  clock.forward(HOUR)
  await waitFor(async () => (await get(sam, id)).status === 'open')
  t.is((await get(sam, id)).version, (await mia.get<Conversation>(at(id))).body.version)
})

test.serial('assigns to members with the permission, publishes events, and forgets former members', async t => {
  const names = expectStatus(200, await sam.get(`${INBOX}/assignees`)).data
  t.deepEqual(
    names.map(({ name }) => name),
    ['Ada', 'Sam', 'Tom'],
  )
  const { id } = await ask(mia)
  const assigned = expectStatus(200, await patch(sam, id, { assigneeId: sam.userId }))
  t.like(assigned, { assigneeId: sam.userId, assignee: { name: 'Sam' } })
  t.is(expectStatus(200, await patch(sam, id, { assigneeId: sam.userId })).version, assigned.version)
  const [one, two] = await Promise.all([
    patch(sam, id, { assigneeId: tom.userId }),
    patch(tom, id, { assigneeId: null }),
  ])
  t.deepEqual([one.status, two.status], [200, 200])
  t.is((await get(sam, id)).version, assigned.version + 2)
  expectStatus(200, await patch(sam, id, { assigneeId: tom.userId }))
  const custom = await people.colleague(ada, ['tenant.support'], 'Una')
  expectStatus(200, await patch(sam, id, { assigneeId: custom.userId }))
  const members = await ada.get('/v1/identity/members?q=Una')
  t.is((await ada.delete(`/v1/identity/members/${members.body.data[0]?.id}`)).status, 204)
  await kernel.settled()
  t.like(await get(sam, id), { assigneeId: null, status: 'open' })
})

test.serial('subscribers of the inbox hear of changes without content, and others may not subscribe', async t => {
  const client = await join(kernel.url, sam)
  t.is((await client.subscribe('messaging.inbox', {})).type, 'subscribed')
  const refused = await join(kernel.url, mia)
  t.like(await refused.subscribe('messaging.inbox', {}), { type: 'error', data: { code: 'forbidden' } })
  const secret = await talk(mia, [])
  await say(mia, secret.id, 'a secret')
  const { id } = await ask(mia)
  for (const version of [1, 2]) {
    const { data } = await client.next('message')
    t.deepEqual(data.message, { conversationId: id, seq: version - 1, version })
  }
  expectStatus(200, await patch(sam, id, { assigneeId: sam.userId }))
  t.like((await client.next('message')).data, { message: { conversationId: id, seq: 1, version: 3 } })
  client.cut()
  refused.cut()
})

test.serial('rejects support conversations unless the recipe has them', async t => {
  const other = await startTestKernel({ recipe: recipe(false) })
  t.teardown(() => other.stop())
  const ada = await other.register('ada@example.test')
  const body = { participantIds: [], kind: 'support' }
  t.is(errorsOf(await ada.post(CONVERSATIONS, body)), '422 /kind not_allowed')
})
