import test from 'ava'
import { expectStatus } from '../../../fixtures/people.ts'
import { waitFor } from '../../../fixtures/wait.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import { at, MESSENGER, type Message, messagingRecipe, pairOf, say, talk } from '../fixtures.ts'
import { type Follower, type Frame, follow } from './client.ts'

const { kernel, people } = withPeople(test, { recipe: messagingRecipe() })

const seqsOf = (frames: readonly Frame[], id: string) =>
  frames.filter(({ type, conversationId }) => type === 'message.created' && conversationId === id).map(({ seq }) => seq)
const upTo = (last: number, first = 1) => Array.from({ length: last - first + 1 }, (_, index) => first + index)

test('replays 500 missed messages once and in order', async t => {
  const { ada, bob } = await pairOf(people)
  const { id } = await talk(ada, [bob])
  const before = await follow(kernel.url, bob, id)
  await say(ada, id, 'Seen')
  const { position } = await before.next('message.created')
  before.cut()
  for (let n = 0; n < 500; n += 50) await Promise.all(Array.from({ length: 50 }, (_, i) => say(ada, id, `${n + i}`)))
  const back = await follow(kernel.url, bob, id, String(position))
  t.true(back.answer.data.resumed)
  await say(ada, id, 'Live')
  await waitFor(() => seqsOf(back.waiting, id).at(-1) === 502)
  t.deepEqual(seqsOf(back.waiting, id), upTo(502, 2))
  back.cut()
})

test('delivers messages posted during a replay once and in order', async t => {
  const { ada, bob } = await pairOf(people)
  const { id } = await talk(ada, [bob])
  for (let n = 0; n < 300; n += 30) await Promise.all(Array.from({ length: 30 }, () => say(ada, id, 'old')))
  let posting = true
  const poster = (async () => {
    let posted = 0
    for (; posting; posted++) await say(bob, id, 'new')
    return posted
  })()
  const clients = await Promise.all(upTo(5).map(() => follow(kernel.url, bob, id, '0.1')))
  posting = false
  const last = 300 + (await poster)
  const end = await say(ada, id, 'End')
  for (const client of clients) {
    await waitFor(() => seqsOf(client.waiting, id).at(-1) === end.seq)
    t.deepEqual(seqsOf(client.waiting, id), upTo(last + 1))
    client.cut()
  }
})

test('replays edits, deletions and the state of the conversation', async t => {
  const { ada, bob } = await pairOf(people)
  const { id } = await talk(ada, [bob])
  const [one, two, three] = [await say(ada, id, '1'), await say(ada, id, '2'), await say(ada, id, '3')]
  expectStatus(200, await ada.patch(at(id, `/messages/${one.id}`), { body: 'Seen already' }))
  expectStatus(200, await ada.patch(at(id, `/messages/${two.id}`), { body: 'Changed' }))
  expectStatus(204, await ada.delete(at(id, `/messages/${three.id}`)))
  await say(ada, id, '4')
  expectStatus(200, await ada.patch(at(id), { subject: 'New' }))
  const back = await follow(kernel.url, bob, id, '3.5')
  const last = await back.next('conversation.updated')
  t.is(last.data.subject, 'New')
  t.deepEqual(
    back.waiting.map(({ type, seq, data }) => [type, seq, data.body]),
    [
      ['message.created', 4, '4'],
      ['message.updated', 2, 'Changed'],
      ['message.deleted', 3, null],
    ],
  )
  const again = await follow(kernel.url, bob, id, String(last.position))
  await say(ada, id, '5')
  t.is((await again.next('message.created')).seq, 5)
  t.deepEqual(again.waiting, [])
  for (const client of [back, again]) client.cut()
})

test('does not replay a conversation after removal from it', async t => {
  const ada = await people.person()
  const cleo = await people.colleague(ada, MESSENGER)
  const { id } = await talk(ada, [cleo])
  await say(ada, id, 'Before')
  expectStatus(204, await ada.delete(at(id, `/participants/${cleo.userId}`)))
  await say(ada, id, 'Secret')
  const back = await follow(kernel.url, cleo, id, '0.0')
  t.is(back.answer.data.code, 'not_found')
  t.deepEqual(back.waiting, [])
  back.cut()
})

test('resumes from numbers above the newest message', async t => {
  const ada = await people.person()
  const { id } = await talk(ada, [])
  const back = await follow(kernel.url, ada, id, `${2 ** 31 - 1}.${2 ** 31 - 1}`)
  const posted: Message = await say(ada, id, 'New')
  t.is((await back.next('message.created')).seq, posted.seq)
  back.cut()
})

test('delivers messages posted while a client resumes from numbers above the newest message', async t => {
  const { ada, bob } = await pairOf(people)
  const { id } = await talk(ada, [bob])
  let posting = true
  const poster = (async () => {
    while (posting) await say(bob, id, 'new')
  })()
  const clients: Follower[] = []
  for (let n = 0; n < 20; n++) clients.push(await follow(kernel.url, ada, id, `${2 ** 31 - 1}.${2 ** 31 - 1}`))
  posting = false
  await poster
  const end = await say(ada, id, 'End')
  for (const client of clients) {
    const [seq = '', version = ''] = String(client.answer.data.position).split('.')
    t.true(Number(version) < end.version)
    await waitFor(() => seqsOf(client.waiting, id).at(-1) === end.seq)
    t.deepEqual(seqsOf(client.waiting, id), upTo(end.seq, Number(seq) + 1))
    client.cut()
  }
})

test.serial('closes a slow consumer, which receives everything when it reconnects', async t => {
  const ada = await people.person()
  const { id } = await talk(ada, [])
  const slow = await follow(kernel.url, ada, id)
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
  const received = seqsOf(slow.waiting, id)
  t.deepEqual(received, upTo(received.length))
  const { position } = slow.waiting.findLast(({ type }) => type === 'message.created') ?? {}
  const back = await follow(kernel.url, ada, id, String(position ?? slow.answer.data.position))
  await waitFor(() => seqsOf(back.waiting, id).at(-1) === 400)
  t.deepEqual([...received, ...seqsOf(back.waiting, id)], upTo(400))
  back.cut()
})
