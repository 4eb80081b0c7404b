import test from 'ava'
import type { ListedConversation, Participant } from '../../../fixtures/api-types.ts'
import { codeOf, expectStatus, forgedCursor, type Listed, problem } from '../../../fixtures/people.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import { at, CONVERSATIONS, type Conversation, errorsOf, messagingRecipe, say, talk } from '../fixtures.ts'

const NOBODY = 'usr_00000000000000000000000000'

const { kernel, people, ada, bob, eve } = withPeople(
  test,
  { recipe: messagingRecipe({ maxParticipants: 3 }), clock: true },
  { ada: { name: 'Ada' }, bob: { name: 'Bob', roles: ['tenant.messenger'] }, eve: { name: 'Eve' } },
)

test('creates a conversation with members and the caller', async t => {
  const { status, headers, body } = await ada.post(CONVERSATIONS, {
    subject: 'Plans',
    participantIds: [bob.userId, bob.userId],
  })
  t.is(status, 201)
  t.is(headers.get('location'), at(body.id))
  t.like(body, { subject: 'Plans', status: 'open', snoozedUntil: null, lastSeq: 0, unread: 0 })
  t.deepEqual([...body.participantIds].sort(), [ada.userId, bob.userId].sort())
  t.deepEqual((await bob.get<Conversation>(at(body.id))).body, body)
  t.is((await ada.post(CONVERSATIONS, { participantIds: [] })).status, 201)
})

test('reports invalid fields and users who are not members', async t => {
  const post = (body: unknown) => ada.post(CONVERSATIONS, body)
  t.is(errorsOf(await post({})), '422 /participantIds required')
  t.regex(errorsOf(await post({ participantIds: 'x' })), /^422 \/participantIds wrong_type/)
  t.regex(errorsOf(await post({ participantIds: ['bob'] })), /^422 \/participantIds\/0 wrong_format/)
  t.regex(errorsOf(await post({ participantIds: [], status: 'open' })), /^422 \/status/)
  t.regex(errorsOf(await post({ participantIds: [], subject: 1 })), /^422 \/subject/)
  t.regex(errorsOf(await post({ participantIds: [], subject: ' ' })), /^422 \/subject/)
  t.is(errorsOf(await post({ participantIds: [bob.userId, eve.userId] })), '422 /participantIds/1 not_a_member')
  t.is(errorsOf(await post({ participantIds: [NOBODY] })), '422 /participantIds/0 not_a_member')
  const many = await Promise.all([1, 2, 3].map(() => people.colleague(ada, ['tenant.messenger'])))
  t.is(codeOf(await post({ participantIds: many.map(({ userId }) => userId) })), '409 too_many_participants')
  t.is((await post('{')).status, 400)
})

test('conversations are visible only to participants on every route', async t => {
  const { id } = await talk(ada, [bob])
  const message = await say(ada, id, 'Hello')
  const outsider = await people.colleague(ada, ['tenant.messenger'])
  const foreign = kernel.as(eve.token, eve.tenantId)
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
  t.is(codeOf(await kernel.as(eve.token, ada.tenantId).get(at(id))), '403 not_a_member')
  t.is(codeOf(await ada.get(at('cnv_00000000000000000000000000'))), '404 not_found')
  t.deepEqual(expectStatus(200, await outsider.get(CONVERSATIONS)).data, [])
  t.is(expectStatus(200, await bob.get<Conversation>(at(id))).lastSeq, 1)
})

test('the list has the beginning of the newest message of each conversation, for participants alone', async t => {
  const owner = await people.person('Owner')
  const friend = await people.colleague(owner, ['tenant.messenger'])
  const other = await people.colleague(owner, ['tenant.messenger'])
  const silent = await talk(owner, [friend])
  const gone = await talk(owner, [friend])
  const erased = await say(owner, gone.id, 'A mistake')
  expectStatus(204, await owner.delete(at(gone.id, `/messages/${erased.id}`)))
  const long = await talk(owner, [friend])
  await say(owner, long.id, 'First')
  await say(friend, long.id, 'x'.repeat(300))
  const secret = await talk(owner, [other])
  await say(other, secret.id, 'Not for the friend')
  const { data } = expectStatus(200, await friend.get<Listed<ListedConversation>>(CONVERSATIONS))
  t.deepEqual(
    new Map(data.map(({ id, lastMessage }) => [id, lastMessage])),
    new Map([
      [long.id, { senderId: friend.userId, text: 'x'.repeat(200) }],
      [gone.id, { senderId: owner.userId, text: null }],
      [silent.id, null],
    ]),
  )
})

test('each route requires its permission', async t => {
  const reader = await people.colleague(ada, ['tenant.reader'])
  const member = await people.colleague(ada, ['tenant.member'])
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

test('lists own conversations by activity with pages and status filter', async t => {
  const dan = await people.colleague(ada, ['tenant.messenger'])
  const ids: string[] = []
  for (let n = 0; n < 5; n++) ids.unshift((await talk(dan, [])).id)
  await say(dan, ids[4] as string, 'Up')
  const order = [ids[4], ...ids.slice(0, 4)]
  const all = expectStatus(200, await dan.get(CONVERSATIONS))
  t.deepEqual(
    all.data.map(({ id }) => id),
    order as string[],
  )
  const seen: string[] = []
  for (let path: string | null = `${CONVERSATIONS}?limit=2`; path; ) {
    const page: Listed<Conversation> = expectStatus(200, await dan.get<Listed<Conversation>>(path))
    seen.push(...page.data.map(({ id }) => id))
    path = page.nextCursor && `${CONVERSATIONS}?limit=2&cursor=${page.nextCursor}`
  }
  t.deepEqual(seen, order as string[])
  expectStatus(200, await dan.patch(at(ids[0] as string), { status: 'resolved' }))
  const resolved = expectStatus(200, await dan.get(`${CONVERSATIONS}?filter[status]=resolved`))
  t.deepEqual(
    resolved.data.map(({ id }) => id),
    [ids[0] as string],
  )
  const valid = '2026-01-02T03:04:05.678901Z'
  const forged = [
    ['2026-02-31T00:00:00.000000Z', 'x'],
    ['0000-01-01T00:00:00.000000Z', 'x'],
    [valid, 2],
    [1, 'x'],
    ['x', 'x'],
    [null, null],
    [valid],
  ]
  for (const values of forged) {
    const cursor = forgedCursor('get /messaging/conversations', values)
    t.is(codeOf(await dan.get(`${CONVERSATIONS}?cursor=${cursor}`)), '400 invalid_cursor', JSON.stringify(values))
  }
  t.is((await dan.get(`${CONVERSATIONS}?filter[status]=gone`)).status, 422)
  t.is((await dan.get(`${CONVERSATIONS}?filter[mood]=gone`)).status, 400)
  t.is((await dan.get(`${CONVERSATIONS}?limit=0`)).status, 422)
})

test('pages through conversations that differ only in microseconds', async t => {
  const dan = await people.colleague(ada, ['tenant.messenger'])
  const ids: string[] = []
  for (let n = 0; n < 5; n++) ids.push((await talk(dan, [])).id)
  const { database } = kernel.kernel.ports
  for (const [n, id] of ids.entries())
    await database
      .tenant(ada.tenantId)
      .query('update messaging_conversations set active_at = $2::timestamptz where id = $1', [
        id,
        `2026-01-02T03:04:05.67800${n}Z`,
      ])
  const seen: string[] = []
  for (let path: string | null = `${CONVERSATIONS}?limit=2`; path; ) {
    const page: Listed<Conversation> = expectStatus(200, await dan.get<Listed<Conversation>>(path))
    seen.push(...page.data.map(({ id }) => id))
    path = page.nextCursor && `${CONVERSATIONS}?limit=2&cursor=${page.nextCursor}`
  }
  t.deepEqual(seen, ids.reverse())
})

test('updates subject and status for all; a repeated patch has no effect', async t => {
  const { id, version } = await talk(ada, [bob], { subject: 'Plans' })
  const resolved = expectStatus(200, await bob.patch<Conversation>(at(id), { status: 'resolved', subject: null }))
  t.like(resolved, { status: 'resolved', subject: null, version: version + 1 })
  t.is(expectStatus(200, await bob.patch<Conversation>(at(id), { status: 'resolved' })).version, version + 1)
  t.is(expectStatus(200, await ada.get<Conversation>(at(id))).status, 'resolved')
  t.is(errorsOf(await ada.patch(at(id), { status: 'snoozed' })), '422 /snoozedUntil required')
  t.regex(errorsOf(await ada.patch(at(id), { status: 'gone' })), /^422 \/status/)
  t.regex(errorsOf(await ada.patch(at(id), { status: 'snoozed', snoozedUntil: 'soon' })), /^422 \/snoozedUntil/)
  t.regex(errorsOf(await ada.patch(at(id), { lastSeq: 9 })), /^422 \/lastSeq/)
  await say(ada, id, 'Still resolved')
  t.is(expectStatus(200, await ada.get<Conversation>(at(id))).status, 'resolved')
})

test('a new message reopens a snoozed conversation', async t => {
  const { id } = await talk(ada, [bob])
  const snoozedUntil = new Date(Date.now() + 3_600_000).toISOString()
  t.like(expectStatus(200, await ada.patch<Conversation>(at(id), { status: 'snoozed', snoozedUntil })), {
    status: 'snoozed',
    snoozedUntil,
  })
  await say(bob, id, 'Wake up')
  t.like(expectStatus(200, await ada.get<Conversation>(at(id))), { status: 'open', snoozedUntil: null })
})

test('adds and removes participants; earlier messages count as read', async t => {
  const cleo = await people.colleague(ada, ['tenant.messenger'], 'Cleo')
  const { id } = await talk(ada, [bob])
  await say(ada, id, 'One')
  const path = at(id, '/participants')
  const added = await bob.post<Participant>(path, { userId: cleo.userId })
  t.is(added.status, 201)
  t.like(added.body, { userId: cleo.userId, name: 'Cleo', lastReadSeq: 1 })
  t.is((await bob.post(path, { userId: cleo.userId })).status, 200)
  t.is(expectStatus(200, await cleo.get<Conversation>(at(id))).unread, 0)
  t.deepEqual(
    expectStatus(200, await cleo.get<Listed<Participant>>(path))
      .data.map(({ name }) => name)
      .sort(),
    ['Ada', 'Bob', 'Cleo'],
  )
  t.is(
    codeOf(await ada.post(path, { userId: (await people.colleague(ada, ['tenant.messenger'])).userId })),
    '409 too_many_participants',
  )
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

test('exactly one of two concurrent leaves succeeds', async t => {
  const { id } = await talk(ada, [bob])
  const answers = await Promise.all([ada, bob].map(who => who.delete(at(id, `/participants/${who.userId}`))))
  t.deepEqual(answers.map(({ status }) => status).sort(), [204, 409])
})

test('leaving the tenant removes the user from its conversations', async t => {
  const dora = await people.colleague(ada, ['tenant.messenger'])
  const { id } = await talk(ada, [bob, dora])
  const members = expectStatus(200, await ada.get('/v1/identity/members?limit=200'))
  const memberId = members.data.find(({ userId }) => userId === dora.userId)?.id
  t.is((await ada.delete(`/v1/identity/members/${memberId}`)).status, 204)
  await kernel.settled()
  t.false(expectStatus(200, await ada.get<Conversation>(at(id))).participantIds.includes(dora.userId))
})

test('an API key acts as its creator within its permissions', async t => {
  const { id } = await talk(ada, [])
  const made = await ada.post<{ key: string }>('/v1/identity/api-keys', {
    name: 'Bot',
    permissions: ['messaging.message.create'],
  })
  const key = kernel.as(expectStatus(201, made).key)
  t.is((await say(key, id, 'From a machine')).senderId, ada.userId)
  t.is(problem(await key.get(at(id))).requiredPermission, 'messaging.conversation.read')
})
