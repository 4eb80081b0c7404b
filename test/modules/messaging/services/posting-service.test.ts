import { fileURLToPath } from 'node:url'
import test from 'ava'
import { expectStatus, type Listed } from '../../../fixtures/people.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import { at, type Conversation, errorsOf, MESSENGER, type Message, pairOf, say, talk } from '../fixtures.ts'
import { join } from '../realtime/client.ts'

const { kernel, people } = withPeople(test, {
  folder: fileURLToPath(new URL('..', import.meta.url)),
  recipe: { modules: { identity: {}, comms: {}, messaging: {}, files: { use: './files' } } },
})

test('attachments are ready files, copied at posting and removed with the message', async t => {
  const { ada, bob } = await pairOf(people)
  const { id } = await talk(ada, [bob])
  const socket = await join(kernel.url, bob)
  const attachments = [
    { id: 'med_b', fileName: 'med_b.png', mimeType: 'image/png', size: 7 },
    { id: 'med_a', fileName: 'med_a.png', mimeType: 'image/png', size: 7 },
  ]
  const message = await say(ada, id, '', { attachments: ['med_b', 'med_a'], clientMessageId: 'c' })
  t.deepEqual(message.attachments, attachments)
  t.deepEqual((await socket.next('message.created')).data.attachments, attachments)
  const again = { body: '', attachments: ['med_b', 'med_a'], clientMessageId: 'c' }
  t.is(expectStatus(200, await ada.post<Message>(at(id, '/messages'), again)).id, message.id)
  t.is((await ada.post(at(id, '/messages'), { ...again, attachments: ['med_a', 'med_b'] })).status, 409)
  const refused = await ada.post(at(id, '/messages'), { body: 'x', attachments: ['med_a', 'med_x'] })
  t.is(errorsOf(refused), '422 /attachments/1 unknown_media')
  expectStatus(200, await ada.patch(at(id, `/messages/${message.id}`), { body: '' }))
  expectStatus(204, await ada.delete(at(id, `/messages/${message.id}`)))
  const { data } = expectStatus(200, await bob.get<Listed<Message>>(at(id, '/messages')))
  t.deepEqual(data[0]?.attachments, [])
  socket.cut()
})

test('concurrent posts succeed despite repeats and users who are not participants', async t => {
  const { ada, bob } = await pairOf(people)
  const outsider = await people.colleague(ada, MESSENGER)
  const ids = [(await talk(ada, [bob])).id, (await talk(ada, [bob])).id, (await talk(ada, [bob])).id]
  const answers = await Promise.all(
    Array.from({ length: 60 }, async (_, n) => {
      const who = n % 10 === 9 ? outsider : n % 2 ? ada : bob
      const clientMessageId = n % 10 === 4 ? 'again' : `c-${n}`
      const sent = { body: clientMessageId, clientMessageId }
      return { n, ...(await who.post<Message>(at(ids[n % 3] as string, '/messages'), sent)) }
    }),
  )
  for (const { n, status } of answers) t.true(n % 10 === 9 ? status === 404 : status === 201 || status === 200, `${n}`)
  for (const id of ids) {
    const { data } = expectStatus(200, await ada.get<Listed<Message>>(at(id, '/messages?sort=seq')))
    const posted = answers.filter(({ status, body }) => status === 201 && body.conversationId === id)
    t.deepEqual(
      data.map(({ seq }) => seq),
      posted.map((_, index) => index + 1),
    )
    t.deepEqual(data.map(message => message.id).sort(), posted.map(({ body }) => body.id).sort())
    t.is(new Set(data.map(({ version }) => version)).size, data.length)
    for (const who of [ada, bob]) {
      const mine = data.filter(({ senderId }) => senderId === who.userId).map(({ seq }) => seq)
      t.is(expectStatus(200, await who.get<Conversation>(at(id))).lastReadSeq, Math.max(...mine))
    }
  }
})

test('concurrent messages to a snoozed conversation report the reopening once', async t => {
  const { ada, bob } = await pairOf(people)
  const { id } = await talk(ada, [bob])
  const snoozedUntil = new Date(Date.now() + 3_600_000).toISOString()
  expectStatus(200, await ada.patch(at(id), { status: 'snoozed', snoozedUntil }))
  const socket = await join(kernel.url, bob)
  await Promise.all(Array.from({ length: 8 }, (_, n) => say(ada, id, `${n}`)))
  t.like((await socket.next('conversation.updated')).data, { status: 'open', snoozedUntil: null })
  for (let seq = 1; seq <= 8; seq++) t.is((await socket.next('message.created')).seq, seq)
  t.false(socket.waiting.some(({ type }) => type === 'conversation.updated'))
  socket.cut()
})
