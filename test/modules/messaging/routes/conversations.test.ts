import anyTest, { type TestFn } from 'ava'
import type { Person } from '../../../../testing/index.ts'
import { codeOf, forgedCursor, type Listed, type Mate, mustBe, problem } from '../../people.ts'
import { at, CONVERSATIONS, type Conversation, errorsOf, type Stage, say, stage, talk } from '../stage.ts'

interface Participant {
  userId: string
  name: string | null
  lastReadSeq: number
}
interface Context {
  house: Stage
  ada: Person
  bob: Mate
  eve: Person
}
const test = anyTest as TestFn<Context>
const NOBODY = 'usr_00000000000000000000000000'

test.before(async t => {
  const house = await stage({ messaging: { maxParticipants: 3 } })
  const ada = await house.person('Ada')
  t.context = { house, ada, bob: await house.colleague(ada, undefined, 'Bob'), eve: await house.person('Eve') }
})
test.after.always(t => t.context.house?.stop())

test('a conversation is begun with members, and its beginner is in it', async t => {
  const { ada, bob } = t.context
  const { status, headers, body } = await ada.post<Conversation>(CONVERSATIONS, {
    subject: 'Plans',
    participantIds: [bob.userId, bob.userId],
  })
  t.is(status, 201)
  t.is(headers.get('location'), at(body.id))
  t.like(body, { subject: 'Plans', status: 'open', snoozedUntil: null, lastSeq: 0, unread: 0 })
  t.deepEqual([...body.participantIds].sort(), [ada.userId, bob.userId].sort())
  t.deepEqual((await bob.get<Conversation>(at(body.id))).body, body)
  t.is((await ada.post<Conversation>(CONVERSATIONS, { participantIds: [] })).status, 201)
})

test('bad bodies are refused field by field, and strangers are named', async t => {
  const { ada, bob, eve, house } = t.context
  const post = (body: unknown) => ada.post(CONVERSATIONS, body)
  t.is(errorsOf(await post({})), '422 /participantIds required')
  t.regex(errorsOf(await post({ participantIds: 'x' })), /^422 \/participantIds wrong_type/)
  t.regex(errorsOf(await post({ participantIds: ['bob'] })), /^422 \/participantIds\/0 wrong_format/)
  t.regex(errorsOf(await post({ participantIds: [], status: 'open' })), /^422 \/status/)
  t.regex(errorsOf(await post({ participantIds: [], subject: 1 })), /^422 \/subject/)
  t.regex(errorsOf(await post({ participantIds: [], subject: ' ' })), /^422 \/subject/)
  t.is(errorsOf(await post({ participantIds: [bob.userId, eve.userId] })), '422 /participantIds/1 not_a_member')
  t.is(errorsOf(await post({ participantIds: [NOBODY] })), '422 /participantIds/0 not_a_member')
  const many = await Promise.all([1, 2, 3].map(() => house.colleague(ada)))
  t.is(codeOf(await post({ participantIds: many.map(({ userId }) => userId) })), '409 too_many_participants')
  t.is((await post('{')).status, 400)
})

test('nobody but its participants knows of a conversation, by whatever route', async t => {
  const { ada, bob, eve, house } = t.context
  const { id } = await talk(ada, [bob])
  const message = await say(ada, id, 'Hello')
  const outsider = await house.colleague(ada)
  const foreign = house.kernel.as(eve.token, eve.tenantId)
  for (const who of [outsider, foreign])
    for (const [method, path, body] of [
      ['GET', at(id)],
      ['PATCH', at(id), { status: 'resolved' }],
      ['GET', at(id, '/participants')],
      ['POST', at(id, '/participants'), { userId: who === outsider ? outsider.userId : eve.userId }],
      ['DELETE', at(id, `/participants/${ada.userId}`)],
      ['GET', at(id, '/messages')],
      ['POST', at(id, '/messages'), { body: 'Hi' }],
      ['GET', at(id, `/messages/${message.id}`)],
      ['PATCH', at(id, `/messages/${message.id}`), { body: 'Hi' }],
      ['DELETE', at(id, `/messages/${message.id}`)],
      ['PUT', at(id, '/read'), { seq: 1 }],
    ] as const)
      t.is(codeOf(await who.call(method, path, body)), '404 not_found', `${method} ${path}`)
  t.is(codeOf(await house.kernel.as(eve.token, ada.tenantId).get(at(id))), '403 not_a_member')
  t.is(codeOf(await ada.get(at('cnv_00000000000000000000000000'))), '404 not_found')
  t.deepEqual(mustBe(200, await outsider.get<Listed<Conversation>>(CONVERSATIONS)).data, [])
  t.is(mustBe(200, await bob.get<Conversation>(at(id))).lastSeq, 1)
})

test('each route needs its permission', async t => {
  const { ada, house } = t.context
  const reader = await house.colleague(ada, ['tenant.reader'])
  const member = await house.colleague(ada, ['tenant.member'])
  const { id } = await talk(ada, [reader, member])
  t.is((await reader.get(at(id))).status, 200)
  t.is((await reader.put(at(id, '/read'), { seq: 0 })).status, 200)
  const needs = async (permission: string, method: string, path: string, body?: unknown) => {
    const answer = await reader.call(method, path, body)
    t.is(`${answer.status} ${problem(answer).requiredPermission}`, `403 ${permission}`)
  }
  await needs('messaging.conversation.create', 'POST', CONVERSATIONS, { participantIds: [] })
  await needs('messaging.conversation.update', 'PATCH', at(id), {})
  await needs('messaging.conversation.update', 'POST', at(id, '/participants'), {})
  await needs('messaging.conversation.update', 'DELETE', at(id, '/participants/x'))
  await needs('messaging.message.create', 'POST', at(id, '/messages'), {})
  await needs('messaging.message.update', 'PATCH', at(id, '/messages/x'), {})
  await needs('messaging.message.delete', 'DELETE', at(id, '/messages/x'))
  t.is(problem(await member.get(at(id))).requiredPermission, 'messaging.conversation.read')
})

test('the list is one’s own, the liveliest first, by pages and by status', async t => {
  const { ada, house } = t.context
  const dan = await house.colleague(ada)
  const ids: string[] = []
  for (let n = 0; n < 5; n++) ids.unshift((await talk(dan, [])).id)
  await say(dan, ids[4] as string, 'Up')
  const order = [ids[4], ...ids.slice(0, 4)]
  const all = mustBe(200, await dan.get<Listed<Conversation>>(CONVERSATIONS))
  t.deepEqual(
    all.data.map(({ id }) => id),
    order as string[],
  )
  const seen: string[] = []
  for (let path: string | null = `${CONVERSATIONS}?limit=2`; path; ) {
    const page: Listed<Conversation> = mustBe(200, await dan.get<Listed<Conversation>>(path))
    seen.push(...page.data.map(({ id }) => id))
    path = page.nextCursor && `${CONVERSATIONS}?limit=2&cursor=${page.nextCursor}`
  }
  t.deepEqual(seen, order as string[])
  mustBe(200, await dan.patch(at(ids[0] as string), { status: 'resolved' }))
  const resolved = mustBe(200, await dan.get<Listed<Conversation>>(`${CONVERSATIONS}?filter[status]=resolved`))
  t.deepEqual(
    resolved.data.map(({ id }) => id),
    [ids[0] as string],
  )
  const forged = [[1e300, 'x'], [-1, 'x'], [1, 2], ['x', 'x'], [null, null], [1]]
  for (const values of forged) {
    const cursor = forgedCursor('get /messaging/conversations', values)
    t.is(codeOf(await dan.get(`${CONVERSATIONS}?cursor=${cursor}`)), '400 invalid_cursor', JSON.stringify(values))
  }
  t.is((await dan.get(`${CONVERSATIONS}?filter[status]=gone`)).status, 422)
  t.is((await dan.get(`${CONVERSATIONS}?filter[mood]=gone`)).status, 400)
  t.is((await dan.get(`${CONVERSATIONS}?limit=0`)).status, 422)
})

test('subject and status change for everybody; the same again changes nothing', async t => {
  const { ada, bob } = t.context
  const { id, version } = await talk(ada, [bob], { subject: 'Plans' })
  const resolved = mustBe(200, await bob.patch<Conversation>(at(id), { status: 'resolved', subject: null }))
  t.like(resolved, { status: 'resolved', subject: null, version: version + 1 })
  t.is(mustBe(200, await bob.patch<Conversation>(at(id), { status: 'resolved' })).version, version + 1)
  t.is(mustBe(200, await ada.get<Conversation>(at(id))).status, 'resolved')
  t.is(errorsOf(await ada.patch(at(id), { status: 'snoozed' })), '422 /snoozedUntil required')
  t.regex(errorsOf(await ada.patch(at(id), { status: 'gone' })), /^422 \/status/)
  t.regex(errorsOf(await ada.patch(at(id), { status: 'snoozed', snoozedUntil: 'soon' })), /^422 \/snoozedUntil/)
  t.regex(errorsOf(await ada.patch(at(id), { lastSeq: 9 })), /^422 \/lastSeq/)
  await say(ada, id, 'Still resolved')
  t.is(mustBe(200, await ada.get<Conversation>(at(id))).status, 'resolved')
})

test('a new message opens what is snoozed', async t => {
  const { ada, bob } = t.context
  const { id } = await talk(ada, [bob])
  const snoozedUntil = new Date(Date.now() + 3_600_000).toISOString()
  t.like(mustBe(200, await ada.patch<Conversation>(at(id), { status: 'snoozed', snoozedUntil })), {
    status: 'snoozed',
    snoozedUntil,
  })
  await say(bob, id, 'Wake up')
  t.like(mustBe(200, await ada.get<Conversation>(at(id))), { status: 'open', snoozedUntil: null })
})

test('participants come and go; what was said before they came counts as read', async t => {
  const { ada, bob, eve, house } = t.context
  const cleo = await house.colleague(ada, undefined, 'Cleo')
  const { id } = await talk(ada, [bob])
  await say(ada, id, 'One')
  const path = at(id, '/participants')
  const added = await bob.post<Participant>(path, { userId: cleo.userId })
  t.is(added.status, 201)
  t.like(added.body, { userId: cleo.userId, name: 'Cleo', lastReadSeq: 1 })
  t.is((await bob.post(path, { userId: cleo.userId })).status, 200)
  t.is(mustBe(200, await cleo.get<Conversation>(at(id))).unread, 0)
  t.deepEqual(
    mustBe(200, await cleo.get<Listed<Participant>>(path))
      .data.map(({ name }) => name)
      .sort(),
    ['Ada', 'Bob', 'Cleo'],
  )
  t.is(codeOf(await ada.post(path, { userId: (await house.colleague(ada)).userId })), '409 too_many_participants')
  t.is(errorsOf(await ada.post(path, { userId: eve.userId })), '422 /userId not_a_member')
  t.is(errorsOf(await ada.post(path, {})), '422 /userId required')
  t.regex(errorsOf(await ada.post(path, { userId: 7 })), /^422 \/userId/)
  t.is((await ada.delete(`${path}/${cleo.userId}`)).status, 204)
  const again = await ada.delete<{ detail: string }>(`${path}/${cleo.userId}`)
  t.is(again.body.detail, 'No participant has this ID.')
  t.is(codeOf(await cleo.get(at(id))), '404 not_found')
  t.is((await bob.delete(`${path}/${bob.userId}`)).status, 204)
  t.is(codeOf(await ada.delete(`${path}/${ada.userId}`)), '409 last_participant')
})

test('of two who leave at once one stays', async t => {
  const { ada, bob } = t.context
  const { id } = await talk(ada, [bob])
  const answers = await Promise.all([ada, bob].map(who => who.delete(at(id, `/participants/${who.userId}`))))
  t.deepEqual(answers.map(({ status }) => status).sort(), [204, 409])
})

test('who leaves the tenant takes part in nothing there any more', async t => {
  const { ada, bob, house } = t.context
  const dora = await house.colleague(ada)
  const { id } = await talk(ada, [bob, dora])
  const members = mustBe(200, await ada.get<Listed<{ id: string; userId: string }>>('/v1/identity/members?limit=200'))
  const memberId = members.data.find(({ userId }) => userId === dora.userId)?.id
  t.is((await ada.delete(`/v1/identity/members/${memberId}`)).status, 204)
  await house.kernel.settled()
  t.false(mustBe(200, await ada.get<Conversation>(at(id))).participantIds.includes(dora.userId))
})

test('an API key acts as its creator, within its permissions', async t => {
  const { ada, house } = t.context
  const { id } = await talk(ada, [])
  const made = await ada.post<{ key: string }>('/v1/identity/api-keys', {
    name: 'Bot',
    permissions: ['messaging.message.create'],
  })
  const key = house.kernel.as(mustBe(201, made).key)
  t.is((await say(key, id, 'From a machine')).senderId, ada.userId)
  t.is(problem(await key.get(at(id))).requiredPermission, 'messaging.conversation.read')
})
