import anyTest, { type TestFn } from 'ava'
import { expectStatus } from '../../../fixtures/people.ts'
import { at, createFixture, type Fixture, type Message, say, talk } from '../fixtures.ts'
import { type Frame, join } from './client.ts'

interface Context {
  fixture: Fixture
  url: string
}
const test = anyTest as TestFn<Context>

test.before(async t => {
  const fixture = await createFixture()
  t.context = { fixture, url: fixture.kernel.url }
})
test.after.always(t => t.context.fixture?.stop())

const seqsOf = (frames: readonly Frame[], id: string) =>
  frames.filter(({ type, conversationId }) => type === 'message.created' && conversationId === id).map(({ seq }) => seq)
const upTo = (last: number, first = 1) => Array.from({ length: last - first + 1 }, (_, index) => first + index)

test('replays 500 missed messages once and in order, then the unread counts', async t => {
  const { fixture, url } = t.context
  const { ada, bob } = await fixture.pair()
  const { id } = await talk(ada, [bob])
  const before = await join(url, bob)
  await say(ada, id, 'Seen')
  await before.next('message.created')
  before.cut()
  for (let n = 0; n < 500; n += 50) await Promise.all(Array.from({ length: 50 }, (_, i) => say(ada, id, `${n + i}`)))
  const back = await join(url, bob, { lastSeqs: { [id]: 1 } })
  t.deepEqual(seqsOf(back.waiting, id), upTo(501, 2))
  const totals = back.unread.data as { total: number; conversations: { conversationId: string; unread: number }[] }
  const mine = totals.conversations.find(({ conversationId }) => conversationId === id)
  t.deepEqual(mine, { conversationId: id, lastReadSeq: 0, lastSeq: 501, unread: 501 })
  await say(ada, id, 'Live')
  t.is((await back.next('message.created')).seq, 2)
  await new Promise(resolve => setTimeout(resolve, 50))
  t.deepEqual(seqsOf(back.waiting, id), upTo(502, 3))
  back.cut()
})

test('delivers messages posted during a replay once and in order', async t => {
  const { fixture, url } = t.context
  const { ada, bob } = await fixture.pair()
  const { id } = await talk(ada, [bob])
  for (let n = 0; n < 300; n += 30) await Promise.all(Array.from({ length: 30 }, () => say(ada, id, 'old')))
  let posting = true
  const poster = (async () => {
    let posted = 0
    for (; posting; posted++) await say(bob, id, 'new')
    return posted
  })()
  const clients = await Promise.all(upTo(5).map(() => join(url, bob, { lastSeqs: { [id]: 0 } })))
  posting = false
  const last = 300 + (await poster)
  const end = await say(ada, id, 'End')
  for (const client of clients) {
    while (client.waiting.findLast(({ type }) => type === 'message.created')?.seq !== end.seq)
      await new Promise(resolve => setTimeout(resolve, 10))
    t.deepEqual(seqsOf(client.waiting, id), upTo(last + 1))
    client.cut()
  }
})

test('replays edits, deletions and the conversation state with lastVersions', async t => {
  const { fixture, url } = t.context
  const { ada, bob } = await fixture.pair()
  const { id } = await talk(ada, [bob])
  const [one, two, three] = [await say(ada, id, '1'), await say(ada, id, '2'), await say(ada, id, '3')]
  expectStatus(200, await ada.patch(at(id, `/messages/${one.id}`), { body: 'Seen already' }))
  const client = await join(url, bob)
  client.cut()
  const version = 5
  expectStatus(200, await ada.patch(at(id, `/messages/${two.id}`), { body: 'Changed' }))
  expectStatus(204, await ada.delete(at(id, `/messages/${three.id}`)))
  await say(ada, id, '4')
  expectStatus(200, await ada.patch(at(id), { subject: 'New' }))
  const back = await join(url, bob, { lastSeqs: { [id]: 3 }, lastVersions: { [id]: version } })
  t.deepEqual(
    back.waiting.map(({ type, seq, data }) => [type, seq, data.body ?? data.subject ?? null]),
    [
      ['message.created', 4, '4'],
      ['message.updated', 2, 'Changed'],
      ['message.deleted', 3, null],
      ['conversation.updated', 4, 'New'],
    ],
  )
  const again = await join(url, bob, { lastSeqs: { [id]: 4 }, lastVersions: { [id]: version + 4 } })
  t.deepEqual(again.waiting, [])
  const without = await join(url, bob, { lastSeqs: { [id]: 4 } })
  t.deepEqual(
    without.waiting.map(({ type }) => type),
    ['conversation.updated'],
  )
  for (const socket of [back, again, without]) socket.cut()
})

test('does not replay a conversation after removal from it', async t => {
  const { fixture, url } = t.context
  const ada = await fixture.person()
  const cleo = await fixture.colleague(ada)
  const { id } = await talk(ada, [cleo])
  await say(ada, id, 'Before')
  expectStatus(204, await ada.delete(at(id, `/participants/${cleo.userId}`)))
  await say(ada, id, 'Secret')
  const back = await join(url, cleo, { lastSeqs: { [id]: 0, cnv_00000000000000000000000000: 0 } })
  t.deepEqual(back.waiting, [])
  back.cut()
})

test('accepts a hello with numbers above the newest message', async t => {
  const { fixture, url } = t.context
  const ada = await fixture.person()
  const { id } = await talk(ada, [])
  const back = await join(url, ada, { lastSeqs: { [id]: 2 ** 31 - 1 }, lastVersions: { [id]: 2 ** 31 - 1 } })
  const posted: Message = await say(ada, id, 'New')
  t.is((await back.next('message.created')).seq, posted.seq)
  back.cut()
})
