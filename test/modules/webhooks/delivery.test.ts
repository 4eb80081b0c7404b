import test from 'ava'
import { Webhook } from 'standardwebhooks'
import type { Person } from '../../../testing/index.ts'
import { waitFor } from '../../fixtures/wait.ts'
import { withPeople } from '../../fixtures/with-people.ts'
import { createHooked, deliveriesOf, details, settled, webhooksRecipe } from './fixtures.ts'
import { startReceiver } from './receiver.ts'
import { verifies } from './verify.ts'

const { kernel, clock, ada } = withPeople(test, { recipe: webhooksRecipe(), clock: true }, { ada: 'owner' })

/** Advances the clock and sends due webhooks without waiting for the next job run. */
async function forward(ms: number): Promise<void> {
  clock.forward(ms)
  await kernel.kernel.ports.jobs.enqueue('webhooks.send', {})
}
const secretOf = async (person: Person) => (await person.get('/v1/webhooks/secret')).body.secret

test.serial('sends the specified body with a valid Standard Webhooks signature', async t => {
  const receiver = await startReceiver()
  const secret = await secretOf(ada)
  t.regex(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  const session = await createHooked(ada, `${receiver.url}/hook?a=b`, {
    customer: 'c',
    purpose: 'p',
    metadata: { ticket: 7 },
    stream_profile: 'crisp',
  })
  await receiver.came(1)
  const [first] = receiver.received
  const body = JSON.parse(first?.body ?? '') as Record<string, unknown>
  t.true(first && verifies(secret, first))
  t.deepEqual(new Webhook(secret).verify(first?.body ?? '', first?.headers as Record<string, string>), body)
  t.like(first, { method: 'POST', path: '/hook?a=b' })
  t.is(first?.headers['content-type'], 'application/json')
  t.regex(String(first?.headers['webhook-id']), /^msg_/)
  const { id, code, sent_at, occurred_at, ...fields } = body
  t.deepEqual(fields, {
    type: 'session.created',
    session_id: session.id,
    status: 'created',
    mode: 'screenshare',
    stream_profile: 'crisp',
    audio_enabled: true,
    customer: 'c',
    purpose: 'p',
    metadata: { ticket: 7 },
    sequence: 1,
    end_reason: null,
  })
  t.is(id, String(first?.headers['webhook-id']))
  t.regex(String(code), /^\w{3}-\w{3}-\w{3}$/)
  t.is(String(sent_at), String(first?.headers['webhook-timestamp']))
  t.true(Math.abs(Number(sent_at) - clock.now() / 1000) < 60)
  t.true(Date.parse(String(occurred_at)) <= clock.now())
  await receiver.close()
})

test.serial('sends subscribed transitions in sequence', async t => {
  const receiver = await startReceiver()
  const all = await createHooked(ada, `${receiver.url}/all`)
  const some = await createHooked(ada, `${receiver.url}/some`, { webhook_events: ['session.ended'] })
  for (const { id } of [all, some])
    for (const action of ['accept', 'end']) await ada.post(`/v1/sessions/${id}/${action}`)
  await receiver.came(4)
  await kernel.settled()
  const receivedAt = (path: string) =>
    receiver.received
      .filter(one => one.path === path)
      .map(one => JSON.parse(one.body) as Record<string, unknown>)
      .sort((a, b) => Number(a.sequence) - Number(b.sequence))
      .map(({ type, status, sequence, end_reason }) => [type, status, sequence, end_reason])
  t.deepEqual(receivedAt('/all'), [
    ['session.created', 'created', 1, null],
    ['session.accepted', 'accepted', 2, null],
    ['session.ended', 'ended', 3, 'owner'],
  ])
  t.deepEqual(receivedAt('/some'), [['session.ended', 'ended', 3, 'owner']])
  await receiver.close()
})

test.serial('sends session.expired without a request', async t => {
  const receiver = await startReceiver()
  await createHooked(ada, receiver.url, { ttl_seconds: 60, webhook_events: ['session.expired'] })
  clock.forward(60_000)
  const [first] = await receiver.came(1)
  t.like(JSON.parse(first?.body ?? ''), { type: 'session.expired', status: 'expired', sequence: 2 })
  await receiver.close()
})

test.serial('retries a failing receiver with the same id and a new signature', async t => {
  let failing = 2
  const receiver = await startReceiver((_, response) => void response.writeHead(failing-- > 0 ? 500 : 200).end('so'))
  const secret = await secretOf(ada)
  const session = await createHooked(ada, receiver.url)
  const first = await waitFor(
    () => settled(ada, session, 'pending'),
    ({ attempt_count }) => attempt_count === 1,
  )
  const wait = Date.parse(first.next_attempt_at ?? '') - clock.now()
  t.true(wait > 3000 && wait <= 6000, `${wait}`)
  await forward(6000)
  const second = await waitFor(
    () => settled(ada, session, 'pending'),
    ({ attempt_count }) => attempt_count === 2,
  )
  t.true(Date.parse(second.next_attempt_at ?? '') - clock.now() > 230_000)
  await forward(360_000)
  const done = await settled(ada, session, 'delivered')
  t.like(done, { attempt_count: 3, response_status: 200, reason: null, next_attempt_at: null, error: null })
  const ids = new Set(receiver.received.map(({ headers }) => headers['webhook-id']))
  t.deepEqual([...ids], [done.id])
  const stamps = new Set(receiver.received.map(({ headers }) => headers['webhook-timestamp']))
  t.is(stamps.size, 3)
  t.true(receiver.received.every(one => verifies(secret, one)))
  const { attempts, payload } = await details(ada, done.id)
  t.deepEqual(
    attempts.map(({ number, status, answer }) => [number, status, answer]),
    [
      [1, 500, 'so'],
      [2, 500, 'so'],
      [3, 200, 'so'],
    ],
  )
  t.is(payload.session_id, session.id)
  t.deepEqual(payload, JSON.parse(receiver.received.at(-1)?.body ?? ''))
  await receiver.close()
})

test.serial('a delivery is dead after 8 failures and can be retried', async t => {
  let status = 500
  const receiver = await startReceiver((_, response) => void response.writeHead(status).end())
  const session = await createHooked(ada, receiver.url, { webhook_events: ['session.created'] })
  for (let attempt = 1; attempt <= 8; attempt++) {
    // Waits for the stored result: advancing past the lease of an attempt in flight would send it twice.
    await waitFor(
      () => deliveriesOf(ada, `filter[session_id]=${session.id}`),
      ([first]) => first?.attempt_count === attempt,
    )
    await forward(12.1 * 3_600_000)
  }
  t.is(receiver.received.length, 8)
  const dead = await settled(ada, session, 'dead')
  t.like(dead, { reason: 'exhausted', attempt_count: 8, response_status: 500, next_attempt_at: null })
  t.deepEqual(
    (await deliveriesOf(ada, `filter[status]=dead&filter[session_id]=${session.id}`)).map(({ id }) => id),
    [dead.id],
  )
  status = 204
  const again = await ada.post(`/v1/webhooks/deliveries/${dead.id}/retry`)
  await forward(0)
  t.is(again.status, 202)
  t.is(again.body.status, 'pending')
  t.like(await settled(ada, session, 'delivered'), { attempt_count: 9, reason: null })
  t.is(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 1)
  await receiver.close()
})

test.serial('retries a delivered webhook under the same id', async t => {
  const receiver = await startReceiver()
  const session = await createHooked(ada, receiver.url)
  const done = await settled(ada, session, 'delivered')
  await ada.post(`/v1/webhooks/deliveries/${done.id}/retry`)
  await forward(0)
  await receiver.came(2)
  t.is(receiver.received[1]?.headers['webhook-id'], done.id)
  await receiver.close()
})

test.serial('410 stops later webhooks of the session, but not of other sessions', async t => {
  const receiver = await startReceiver((_, response) => void response.writeHead(410).end())
  const session = await createHooked(ada, receiver.url)
  t.like(await settled(ada, session, 'dead'), { reason: 'gone', attempt_count: 1, response_status: 410 })
  await ada.post(`/v1/sessions/${session.id}/end`)
  const [later] = await waitFor(
    () => deliveriesOf(ada, `filter[session_id]=${session.id}`),
    all => all.length === 2,
  )
  t.like(later, { type: 'session.ended', status: 'dead', reason: 'gone', attempt_count: 0 })
  t.is(receiver.received.length, 1)
  await createHooked(ada, receiver.url)
  await receiver.came(2)
  await receiver.close()
})

test.serial('honors Retry-After of 429 and 503 and treats redirects as failures', async t => {
  const receiver = await startReceiver((request, response) => {
    if (request.path === '/moved') response.writeHead(307, { location: `${receiver.url}/there` }).end()
    else response.writeHead(request.path === '/busy' ? 429 : 503, { 'retry-after': '3600' }).end()
  })
  for (const [path, status, least] of [
    ['/busy', 429, 3_590_000],
    ['/away', 503, 3_590_000],
    ['/moved', 307, 0],
  ] as const) {
    const session = await createHooked(ada, receiver.url + path)
    const seen = await waitFor(
      () => settled(ada, session, 'pending'),
      ({ attempt_count }) => attempt_count === 1,
    )
    const wait = Date.parse(seen.next_attempt_at ?? '') - clock.now()
    t.is(seen.response_status, status)
    t.true(wait >= least && wait <= least + 10_000, `${path} ${wait}`)
  }
  t.false(receiver.received.some(({ path }) => path === '/there'))
  await receiver.close()
})
