import test from 'ava'
import type { ClaimedDelivery } from '../../../../modules/webhooks/domain/delivery.ts'
import {
  type Attempt,
  CLAIM_ROWS_PER_HOST,
  createDeliveryQueue,
  type DeliveryQueue,
  LEASE_MS,
} from '../../../../modules/webhooks/services/delivery-queue.ts'
import { createEndpoint, type DeliveryBody, deliveriesOf, details } from '../fixtures.ts'
import { clock, enqueueTo, senderFixture } from '../sender-fixtures.ts'

const fixture = senderFixture(test)

const enqueue = (urls: readonly string[]) => enqueueTo(fixture.kernel, fixture.ada.tenantId, urls)
const many = (count: number, url: string) => Array.from({ length: count }, () => url)
const queueOf = (processId: string) => {
  const { systemDatabase, events } = fixture.kernel.kernel.ports
  return createDeliveryQueue({ systemDatabase, clock, events }, processId)
}
const claimBy = async (queue: DeliveryQueue, held: readonly ClaimedDelivery[] = []) =>
  (await queue.claim({ held: held.map(({ id }) => id) })).deliveries
const attemptOf = (delivery: ClaimedDelivery, status: number): Attempt => ({
  delivery,
  at: clock.now(),
  duration: 1,
  outcome: { status, error: null, answer: '' },
  result: status === 204 ? { status: 'delivered' } : { status: 'dead', reason: 'exhausted' },
})

test.serial('deliveries of a killed process become available when the lease of their host expires', async t => {
  await enqueue(many(3, 'http://127.0.0.1:9/'))
  const [killed, successor] = [queueOf('snd_killed'), queueOf('snd_successor')]
  t.is((await claimBy(killed)).length, 3)
  t.deepEqual(await claimBy(successor), [])
  clock.forward(LEASE_MS)
  t.is((await claimBy(successor)).length, 3)
})

test.serial('a late result of a presumably dead process has no effect', async t => {
  await enqueue(many(1, 'http://127.0.0.1:9/'))
  const [late, successor] = [queueOf('snd_late'), queueOf('snd_successor')]
  const [delivery] = (await claimBy(late)) as [ClaimedDelivery]
  clock.forward(LEASE_MS)
  await claimBy(successor)
  await late.record([attemptOf(delivery, 500)])
  const [record] = await deliveriesOf(fixture.ada)
  t.like(record, { status: 'pending', attempt_count: 0 })
})

test.serial('of two results of one attempt, the first is stored', async t => {
  await enqueue(many(1, 'http://127.0.0.1:9/'))
  const queue = queueOf('snd_twice')
  const [delivery] = (await claimBy(queue)) as [ClaimedDelivery]
  await queue.record([attemptOf(delivery, 204)])
  await queue.record([attemptOf(delivery, 500)])
  const [record] = await deliveriesOf(fixture.ada)
  t.like(record, { status: 'delivered', attempt_count: 1 })
})

test.serial('a running process keeps its hosts by renewing their leases', async t => {
  await enqueue(many(2, 'http://127.0.0.1:9/'))
  const [holder, other] = [queueOf('snd_a'), queueOf('snd_b')]
  await claimBy(holder)
  clock.forward(LEASE_MS - 1000)
  t.deepEqual(await holder.renew(['127.0.0.1:9']), ['127.0.0.1:9'])
  clock.forward(LEASE_MS - 1000)
  t.deepEqual(await claimBy(other), [])
  await holder.release()
  t.is((await claimBy(other)).length, 2)
})

test.serial('a renewal does not return hosts that another process has claimed', async t => {
  await enqueue(['http://127.0.0.1:9/', 'http://127.0.0.1:10/'])
  const [paused, other] = [queueOf('snd_paused'), queueOf('snd_other')]
  await claimBy(paused)
  clock.forward(LEASE_MS)
  t.is((await other.claim({ hosts: ['127.0.0.1:10'] })).deliveries.length, 1)
  t.deepEqual(await paused.renew(['127.0.0.1:9', '127.0.0.1:10']), ['127.0.0.1:10'])
})

test.serial('a claim omits the deliveries that the process holds', async t => {
  await enqueue(many(2, 'http://127.0.0.1:9/'))
  const queue = queueOf('snd_holds')
  const held = await claimBy(queue)
  await enqueue(many(1, 'http://127.0.0.1:9/'))
  const claimed = await claimBy(queue, held)
  t.is(claimed.length, 1)
  t.false(held.some(({ id }) => id === claimed[0]?.id))
})

test.serial('a claim releases idle hosts and claims their new deliveries', async t => {
  await enqueue(['http://127.0.0.1:9/', 'http://127.0.0.1:10/'])
  const [queue, other] = [queueOf('snd_idle'), queueOf('snd_other')]
  const held = await claimBy(queue)
  await queue.record(held.map(delivery => attemptOf(delivery, 204)))
  await enqueue(many(1, 'http://127.0.0.1:9/'))
  const { deliveries } = await queue.claim({ idleHosts: ['127.0.0.1:9', '127.0.0.1:10'] })
  t.deepEqual(
    deliveries.map(({ host }) => host),
    ['127.0.0.1:9'],
  )
  await enqueue(['http://127.0.0.1:9/', 'http://127.0.0.1:10/'])
  t.deepEqual(
    (await claimBy(other)).map(({ host }) => host),
    ['127.0.0.1:10'],
  )
})

/** Runs `work` while another transaction holds a lock on the delivery. */
async function whileLocked<T>(id: string, work: () => Promise<T>): Promise<T> {
  let locked = () => {}
  let release = () => {}
  const isLocked = new Promise<void>(resolve => {
    locked = resolve
  })
  const isReleased = new Promise<void>(resolve => {
    release = resolve
  })
  const { systemDatabase } = fixture.kernel.kernel.ports
  const holder = systemDatabase.acrossTenants('a test locks a delivery').transaction(async unit => {
    await unit.query('select 1 from webhooks_deliveries where id = $1 for update', [id])
    locked()
    await isReleased
  })
  await isLocked
  try {
    return await work()
  } finally {
    release()
    await holder
  }
}

test.serial('renews leases without waiting for a delivery that is being recorded', async t => {
  await enqueue(many(3, 'http://127.0.0.1:9/a'))
  const queue = queueOf('snd_renews')
  const [first] = (await claimBy(queue)) as [ClaimedDelivery]
  t.deepEqual(await whileLocked(first.id, () => queue.renew(['127.0.0.1:9'])), ['127.0.0.1:9'])
})

test.serial('claims due deliveries without waiting for one that is locked', async t => {
  await enqueue(many(3, 'http://127.0.0.1:9/a'))
  const [first] = await deliveriesOf(fixture.ada)
  t.is((await whileLocked(first?.id as string, () => claimBy(queueOf('snd_claims')))).length, 3)
})

test.serial('URLs of one host take turns in a claim', async t => {
  await enqueue([...many(60, 'http://127.0.0.1:9/a'), 'http://127.0.0.1:9/b', 'http://127.0.0.1:10/c'])
  const claimed = await claimBy(queueOf('snd_fair'))
  t.is(claimed.filter(({ host }) => host === '127.0.0.1:9').length, CLAIM_ROWS_PER_HOST)
  t.true(claimed.some(({ url }) => url.endsWith('/b')))
  t.true(claimed.some(({ url }) => url.endsWith('/c')))
})

test.serial('due deliveries move to the changed URL of their endpoint with the next claim', async t => {
  const { ada, kernel } = fixture
  const { id } = await createEndpoint(ada, 'https://old.example.com/hook', ['identity.*'])
  await enqueue(many(2, 'http://127.0.0.1:9/'))
  await kernel.kernel.ports.systemDatabase.acrossTenants('a test queues deliveries for an endpoint').query(
    `update webhooks_deliveries set endpoint_id = $1, url = 'https://old.example.com/hook', host = 'old.example.com:443',
         address = 'old.example.com:443/hook'`,
    [id],
  )
  const { status } = await ada.patch(`/v1/webhooks/endpoints/${id}`, { url: 'https://new.example.com/hook' })
  t.is(status, 200)
  const queue = queueOf('snd_moves')
  t.like(await queue.claim(), { deliveries: [], moved: 2 })
  t.deepEqual(
    (await claimBy(queue)).map(({ url, host }) => [url, host]),
    many(2, 'https://new.example.com/hook').map(url => [url, 'new.example.com:443']),
  )
})

test.serial('a delivery keeps its latest 100 attempts', async t => {
  await enqueue(['http://127.0.0.1:9/'])
  const [{ id }] = (await deliveriesOf(fixture.ada)) as [DeliveryBody]
  const queue = queueOf('snd_logs')
  const { systemDatabase } = fixture.kernel.kernel.ports
  await systemDatabase.acrossTenants('a test adds attempts').query(
    `update webhooks_deliveries set attempts = 100, attempt_log = (select jsonb_agg(jsonb_build_object('number', n, 'at',
         '2026-01-01T00:00:00.000Z', 'duration_ms', 1, 'status', 500, 'error', null, 'answer', '') order by n)
         from generate_series(1, 100) n)`,
  )
  const [delivery] = (await claimBy(queue)) as [ClaimedDelivery]
  await queue.record([attemptOf(delivery, 204)])
  const { attempts, attempt_count } = await details(fixture.ada, id)
  t.is(attempt_count, 101)
  t.deepEqual(
    attempts.map(({ number }) => number),
    Array.from({ length: 100 }, (_, index) => index + 2),
  )
  t.like(attempts.at(-1), { status: 204, duration_ms: 1 })
})

test.serial('a pause does not wait for a delivery that is being recorded', async t => {
  const { ada, kernel } = fixture
  const { id } = await createEndpoint(ada, 'https://example.com/hook', ['identity.*'])
  await enqueue(many(2, 'http://127.0.0.1:9/'))
  await kernel.kernel.ports.systemDatabase
    .acrossTenants('a test queues deliveries for an endpoint')
    .query('update webhooks_deliveries set endpoint_id = $1', [id])
  const [locked] = (await deliveriesOf(ada)) as [DeliveryBody]
  const { status } = await whileLocked(locked.id, () => ada.post(`/v1/webhooks/endpoints/${id}/pause`))
  t.is(status, 200)
  t.deepEqual(
    (await deliveriesOf(ada, 'filter[status]=pending')).map(({ id }) => id),
    [locked.id],
  )
})
