import test from 'ava'
import { codeOf, expectStatus, forgedCursor, type Listed } from '../../../fixtures/people.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import {
  at,
  type Conversation,
  errorsOf,
  MESSENGER,
  type Message,
  messagingRecipe,
  type ReadState,
  say,
  talk,
  UNREAD,
} from '../fixtures.ts'

const { people, ada, bob } = withPeople(test, { recipe: messagingRecipe() }, { ada: { name: 'Ada' }, bob: MESSENGER })

test('numbers messages from 1 and marks them as read for the sender', async t => {
  const { id } = await talk(ada, [bob])
  const first = await ada.post<Message>(at(id, '/messages'), { body: 'One' })
  t.is(first.status, 201)
  const location = first.headers.get('location') ?? ''
  t.is(location, at(id, `/messages/${first.body.id}`))
  t.deepEqual(expectStatus(200, await bob.get<Message>(location)), first.body)
  t.like(first.body, { seq: 1, senderId: ada.userId, body: 'One', attachments: [], clientMessageId: null })
  t.is((await say(bob, id, 'Two')).seq, 2)
  t.like(expectStatus(200, await ada.get<Conversation>(at(id))), { lastSeq: 2, lastReadSeq: 1, unread: 1 })
  t.like(expectStatus(200, await bob.get<Conversation>(at(id))), { lastSeq: 2, lastReadSeq: 2, unread: 0 })
})

test('reports invalid fields', async t => {
  const { id } = await talk(ada, [])
  const post = (body: unknown) => ada.post(at(id, '/messages'), body)
  t.is(errorsOf(await post({})), '422 /body required')
  t.is(errorsOf(await post({ body: ' \n' })), '422 /body too_short')
  t.regex(errorsOf(await post({ body: 1 })), /^422 \/body wrong_type/)
  t.regex(errorsOf(await post({ body: 'x'.repeat(10_001) })), /^422 \/body too_long/)
  t.regex(errorsOf(await post({ body: 'x', seq: 7 })), /^422 \/seq/)
  t.regex(errorsOf(await post({ body: 'x', senderId: 'usr_1' })), /^422 \/senderId/)
  // Only the product adds buttons.
  t.regex(errorsOf(await post({ body: 'x', buttons: [] })), /^422 \/buttons/)
  t.regex(errorsOf(await post({ body: 'x', clientMessageId: '' })), /^422 \/clientMessageId/)
  t.regex(errorsOf(await post({ body: 'x', attachments: 'med_1' })), /^422 \/attachments/)
  t.is(errorsOf(await post({ body: 'x', attachments: ['med_1'] })), '422 /attachments not_allowed')
  t.is((await post({ body: '\u0000' })).status, 422)
  t.is(expectStatus(200, await ada.get<Conversation>(at(id))).lastSeq, 0)
})

test('a repeated clientMessageId returns the existing message, even if edited or deleted', async t => {
  const { id } = await talk(ada, [bob])
  const sent = { body: 'Once', clientMessageId: 'c-1' }
  const first = expectStatus(201, await ada.post<Message>(at(id, '/messages'), sent))
  t.deepEqual(expectStatus(200, await ada.post<Message>(at(id, '/messages'), sent)), first)
  t.is(codeOf(await ada.post(at(id, '/messages'), { ...sent, body: 'Other' })), '409 client_message_id_taken')
  t.is(expectStatus(201, await bob.post<Message>(at(id, '/messages'), { ...sent, body: 'Other' })).seq, 2)
  expectStatus(200, await ada.patch(at(id, `/messages/${first.id}`), { body: 'Changed' }))
  t.like(expectStatus(200, await ada.post<Message>(at(id, '/messages'), sent)), { id: first.id, body: 'Changed' })
  expectStatus(204, await ada.delete(at(id, `/messages/${first.id}`)))
  t.like(expectStatus(200, await ada.post<Message>(at(id, '/messages'), sent)), { id: first.id, body: null })
  const elsewhere = await talk(ada, [])
  t.is(expectStatus(201, await ada.post<Message>(at(elsewhere.id, '/messages'), { ...sent, body: 'Other' })).seq, 1)
  t.is(expectStatus(200, await ada.get<Conversation>(at(id))).lastSeq, 2)
})

test('20 concurrent posts with one clientMessageId store one message', async t => {
  const { id } = await talk(ada, [])
  const sent = { body: 'Once', clientMessageId: 'c-2' }
  const answers = await Promise.all(Array.from({ length: 20 }, () => ada.post<Message>(at(id, '/messages'), sent)))
  t.deepEqual(answers.map(({ status }) => status).sort(), [...Array(19).fill(200), 201])
  t.is(new Set(answers.map(({ body }) => body.id)).size, 1)
  t.is((await say(ada, id, 'Next')).seq, 2)
})

test('an Idempotency-Key replays the response', async t => {
  const { id } = await talk(ada, [])
  const headers = { 'idempotency-key': 'k-1' }
  const first = await ada.post<Message>(at(id, '/messages'), { body: 'Once' }, { headers })
  const again = await ada.post<Message>(at(id, '/messages'), { body: 'Once' }, { headers })
  t.is(again.headers.get('idempotent-replayed'), 'true')
  t.deepEqual(again.body, first.body)
  t.is(
    codeOf(await ada.post(at('cnv_00000000000000000000000000', '/messages'), { body: 'x' }, { headers })),
    '404 not_found',
  )
  t.is((await say(ada, id, 'Next')).seq, 2)
})

test('lists messages in both orders, after a number and by pages', async t => {
  const { id } = await talk(ada, [])
  for (let n = 1; n <= 7; n++) await say(ada, id, `${n}`)
  const seqs = async (query: string) =>
    expectStatus(200, await ada.get<Listed<Message>>(at(id, `/messages${query}`))).data.map(({ seq }) => seq)
  t.deepEqual(await seqs(''), [7, 6, 5, 4, 3, 2, 1])
  t.deepEqual(await seqs('?sort=seq'), [1, 2, 3, 4, 5, 6, 7])
  t.deepEqual(await seqs('?sort=seq&after=5'), [6, 7])
  t.deepEqual(await seqs('?after=5'), [7, 6])
  for (const sort of ['seq', '-seq']) {
    const all: number[] = []
    for (let path: string | null = at(id, `/messages?limit=3&sort=${sort}`); path; ) {
      const page: Listed<Message> = expectStatus(200, await ada.get<Listed<Message>>(path))
      all.push(...page.data.map(({ seq }) => seq))
      path = page.nextCursor && at(id, `/messages?limit=3&sort=${sort}&cursor=${page.nextCursor}`)
    }
    t.deepEqual(all, sort === 'seq' ? [1, 2, 3, 4, 5, 6, 7] : [7, 6, 5, 4, 3, 2, 1])
  }
  for (const bad of ['?after=-1', '?after=x', '?after=99999999999'])
    t.is((await ada.get(at(id, `/messages${bad}`))).status, 422, bad)
  for (const bad of ['?sort=body', '?q=1']) t.is((await ada.get(at(id, `/messages${bad}`))).status, 400, bad)
  for (const value of ['x', 1.5, -1, 2 ** 31]) {
    const cursor = forgedCursor('get /messaging/conversations/:id/messages', [value])
    t.is(codeOf(await ada.get(at(id, `/messages?cursor=${cursor}`))), '400 invalid_cursor')
  }
})

test('only the sender can edit a message until it is deleted', async t => {
  const { id } = await talk(ada, [bob])
  const message = await say(ada, id, 'One')
  const path = at(id, `/messages/${message.id}`)
  const changed = expectStatus(200, await ada.patch<Message>(path, { body: 'Two' }))
  t.like(changed, { id: message.id, seq: 1, body: 'Two' })
  t.truthy(changed.editedAt)
  t.is(expectStatus(200, await ada.patch<Message>(path, { body: 'Two' })).version, changed.version)
  t.is(codeOf(await bob.patch(path, { body: 'Mine' })), '403 not_the_sender')
  t.is(codeOf(await bob.delete(path)), '403 not_the_sender')
  t.is(errorsOf(await ada.patch(path, { body: '' })), '422 /body too_short')
  t.is(errorsOf(await ada.patch(path, {})), '422 /body required')
  t.regex(errorsOf(await ada.patch(path, { body: 'x', attachments: [] })), /^422 \/attachments/)
  t.is((await ada.delete(path)).status, 204)
  t.is((await ada.delete(path)).status, 204)
  t.is(codeOf(await ada.patch(path, { body: 'Three' })), '409 message_deleted')
  const { data } = expectStatus(200, await bob.get<Listed<Message>>(at(id, '/messages')))
  t.like(data[0], { seq: 1, body: null, attachments: [] })
  t.truthy(data[0]?.deletedAt)
  const other = await talk(ada, [])
  t.is(codeOf(await ada.patch(at(other.id, `/messages/${message.id}`), { body: 'x' })), '404 not_found')
  t.is(codeOf(await ada.get(at(other.id, `/messages/${message.id}`))), '404 not_found')
  t.deepEqual(expectStatus(200, await bob.get<Message>(path)), data[0])
})

test('the read position moves forward, and back only with unread', async t => {
  const { id } = await talk(ada, [bob])
  for (let n = 1; n <= 5; n++) await say(ada, id, `${n}`)
  const read = async (body: object) => expectStatus(200, await bob.put<ReadState>(at(id, '/read'), body))
  t.deepEqual(await read({ seq: 3 }), { conversationId: id, lastReadSeq: 3, lastSeq: 5, unread: 2 })
  t.like(await read({ seq: 1 }), { lastReadSeq: 3, unread: 2 })
  t.like(await read({ seq: 1, unread: true }), { lastReadSeq: 1, unread: 4 })
  t.like(await read({ seq: 4, unread: true }), { lastReadSeq: 1, unread: 4 })
  t.like(await read({ seq: 5 }), { lastReadSeq: 5, unread: 0 })
  t.like(await read({ seq: 0, unread: true }), { lastReadSeq: 0, unread: 5 })
  t.is(errorsOf(await bob.put(at(id, '/read'), { seq: 6 })), '422 /seq out_of_range')
  for (const body of [{}, { seq: -1 }, { seq: '1' }, { seq: 1.5 }, { seq: 1, unread: 'no' }, { seq: 1, userId: 'x' }])
    t.is((await bob.put(at(id, '/read'), body)).status, 422, JSON.stringify(body))
})

test('unread totals count messages of others by conversation, excluding deleted ones', async t => {
  const cleo = await people.colleague(ada, MESSENGER)
  const [one, two, quiet] = [await talk(ada, [cleo]), await talk(ada, [cleo]), await talk(ada, [cleo])]
  t.deepEqual(expectStatus(200, await cleo.get(UNREAD)), { total: 0, conversations: [] })
  const gone = await say(ada, one.id, 'Gone')
  await say(ada, one.id, 'There')
  await say(cleo, two.id, 'Mine')
  await say(ada, two.id, 'Yours')
  expectStatus(204, await ada.delete(at(one.id, `/messages/${gone.id}`)))
  t.deepEqual(expectStatus(200, await cleo.get(UNREAD)), {
    total: 2,
    conversations: [
      { conversationId: two.id, lastReadSeq: 1, lastSeq: 2, unread: 1 },
      { conversationId: one.id, lastReadSeq: 0, lastSeq: 2, unread: 1 },
    ],
  })
  t.is(expectStatus(200, await cleo.get<Conversation>(at(quiet.id))).unread, 0)
  t.is((await cleo.get(`${UNREAD}?tenant=x`)).status, 400)
})
