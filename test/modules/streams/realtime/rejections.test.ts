import { randomBytes } from 'node:crypto'
import test from 'ava'
import { withPeople } from '../../../fixtures/with-people.ts'
import { create, streamsRecipe } from '../fixtures.ts'
import { candidate, dial, join, offer } from './client.ts'

const { kernel, ada } = withPeople(test, { recipe: streamsRecipe() }, { ada: 'owner' })

/** A frame of exactly this many bytes. */
function frameOf(bytes: number): string {
  const text = (sdp: string) => JSON.stringify({ type: 'description', id: 'whole', data: offer('c', sdp) })
  return text('x'.repeat(bytes - text('').length))
}

test('relays a frame of exactly 128 KiB and closes with 4413 above', async t => {
  const { join_token: token } = await create(ada)
  const publisher = await join(kernel.url, { token, role: 'publisher' })
  const [fits, over] = [await join(kernel.url, { token }), await join(kernel.url, { token })]
  const frame = frameOf(131_072)
  t.is(Buffer.byteLength(frame), 131_072)
  fits.send(frame)
  t.is((await fits.next('ack')).id, 'whole')
  t.deepEqual((await publisher.next('description')).data, JSON.parse(frame).data)
  over.send(frameOf(131_073))
  t.is((await over.closed).code, 4413)
  t.is(fits.ws.readyState, fits.ws.OPEN)
})

test('rejects codes, ids, API keys, dashboard tokens and tokens of other streams', async t => {
  const { code, id, join_token } = await create(ada)
  const guesses = [code, code.toLowerCase(), id, ada.apiKey, ada.token, join_token.toUpperCase(), `${join_token}x`]
  for (const token of guesses) {
    const client = await dial(kernel.url)
    client.send({ type: 'hello', data: { token } })
    t.deepEqual((await client.next('error')).data, {
      code: 'invalid_token',
      message: 'The token is invalid.',
      retryable: false,
    })
    t.is((await client.closed).code, 4401)
  }
})

test('does not relay frames across sessions', async t => {
  const [mine, theirs] = [await create(ada), await create(ada)]
  const publisher = await join(kernel.url, { token: mine.join_token, role: 'publisher' })
  const victim = await join(kernel.url, { token: mine.join_token })
  const outsider = await join(kernel.url, { token: theirs.join_token, role: 'publisher' })
  for (const [at, { me }] of [publisher, victim].entries()) {
    const frame = { to: me.peer_id, from: publisher.me.peer_id }
    outsider.send({ ...frame, type: 'description', id: `a${at}`, data: offer() })
    t.like(await outsider.next('error'), { id: `a${at}`, data: { code: 'unknown_peer' } })
    outsider.send({ ...frame, type: 'renegotiate', id: `b${at}`, data: {} })
    t.like(await outsider.next('error'), { id: `b${at}`, data: { code: 'unknown_peer' } })
  }
  publisher.send({ type: 'candidate', data: candidate(1) })
  await victim.next('candidate')
  t.deepEqual(victim.waiting, [])
})

test('closes on an invalid hello with one error', async t => {
  const { join_token: token } = await create(ada)
  for (const data of [{ token, role: 'admin' }, { token: 7 }, { token: 'x'.repeat(513) }, { token, last_seq: -1 }]) {
    const client = await dial(kernel.url)
    client.send({ type: 'hello', id: 'h', data })
    t.like(await client.next('error'), { id: 'h', data: { code: 'bad_data', retryable: false } })
    t.is((await client.closed).code, 4400, JSON.stringify(data).slice(0, 60))
  }
})

test('invalid UTF-8 closes only its own socket', async t => {
  const { join_token: token } = await create(ada)
  const publisher = await join(kernel.url, { token, role: 'publisher' })
  const [rude, calm] = [await join(kernel.url, { token }), await join(kernel.url, { token })]
  rude.ws.send(Buffer.concat([Buffer.from('{"type":"'), Buffer.from([0xc3, 0x28, 0xff]), randomBytes(64)]), {
    binary: false,
  })
  t.is((await rude.closed).code, 4400)
  calm.send({ type: 'candidate', data: candidate(1) })
  t.is((await publisher.next('candidate')).from, calm.me.peer_id)
})

test('rejects a second hello and a second publisher', async t => {
  const { join_token: token } = await create(ada)
  const publisher = await join(kernel.url, { token, role: 'publisher' })
  publisher.send({ type: 'hello', id: 'again', data: { token } })
  t.like(await publisher.next('error'), { id: 'again', data: { code: 'already_joined' } })
  const second = await dial(kernel.url)
  second.send({ type: 'hello', id: 'two', data: { token, role: 'publisher' } })
  t.like(await second.next('error'), { id: 'two', data: { code: 'publisher_taken', retryable: true } })
  t.is((await second.closed).code, 4423)
  t.is(publisher.ws.readyState, publisher.ws.OPEN)
})
