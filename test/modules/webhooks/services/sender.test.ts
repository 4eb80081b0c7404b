import type { ServerResponse } from 'node:http'
import test from 'ava'
import { HOUR } from '../../../../kernel/base/units.ts'
import { CLAIM_ROWS_PER_HOST, createDeliveryQueue } from '../../../../modules/webhooks/services/delivery-queue.ts'
import { createDeliveries } from '../../../../modules/webhooks/services/delivery-service.ts'
import { MAX_HELD_PER_TENANT } from '../../../../modules/webhooks/services/sender.ts'
import { waitFor } from '../../../fixtures/wait.ts'
import { createEndpoint, deliveriesOf } from '../fixtures.ts'
import { type Receiver, startReceiver } from '../receiver.ts'
import { clock, enqueueTo, senderFixture, senderOf } from '../sender-fixtures.ts'

const fixture = senderFixture(test)

const startSender = () => senderOf(fixture.kernel)
const enqueue = (urls: readonly string[]) => enqueueTo(fixture.kernel, fixture.ada.tenantId, urls)
const many = (count: number, url: string) => Array.from({ length: count }, () => url)
const delivered = (count: number) =>
  waitFor(
    () => deliveriesOf(fixture.ada, 'filter[status]=delivered'),
    all => all.length === count,
  )
const idsOf = (received: readonly { headers: Record<string, unknown> }[]) =>
  received.map(({ headers }) => headers['webhook-id'])

test.serial('sends each delivery once, with at most 4 concurrent requests per host over few connections', async t => {
  const receiver = await startReceiver((_, response) => {
    setTimeout(() => response.writeHead(204).end(), 10)
  })
  const sender = startSender()
  await enqueue(many(3 * CLAIM_ROWS_PER_HOST, receiver.url))
  for (let at = 0; at < 5; at++) sender.wake()
  await delivered(3 * CLAIM_ROWS_PER_HOST)
  t.is(new Set(idsOf(receiver.received)).size, receiver.received.length)
  t.is(receiver.most(), 4)
  t.true(receiver.connections() <= 8)
  await sender.stop()
  await receiver.close()
})

test.serial('a process that only answers requests leaves a test delivery to the workers', async t => {
  const receiver = await startReceiver()
  const endpoint = await createEndpoint(fixture.ada, receiver.url, ['identity.*'])
  t.is((await fixture.ada.post(`/v1/webhooks/endpoints/${endpoint.id}/test`)).status, 202)
  // Many times what a claim and a request take.
  for (let n = 0; n < 50; n++) {
    const [delivery] = await deliveriesOf(fixture.ada)
    t.like(delivery, { status: 'pending', attempt_count: 0 })
  }
  t.is(receiver.received.length, 0)
  await receiver.close()
})

test.serial('an unresponsive host with a long queue does not delay other hosts', async t => {
  const [dead, alive] = [await startReceiver(() => undefined), await startReceiver()]
  const sender = startSender()
  await enqueue(many(200, dead.url))
  sender.wake()
  await dead.came(2)
  await enqueue(many(50, alive.url))
  sender.wake()
  await alive.came(50)
  t.is(dead.received.length, 2)
  await dead.close()
  await sender.stop()
  await alive.close()
})

test.serial('a sender at its limit of held deliveries continues once there is room', async t => {
  let hanging: (() => void)[] | undefined = []
  const answer = (_: unknown, response: ServerResponse) => {
    const end = () => void response.writeHead(204).end()
    if (hanging) hanging.push(end)
    else end()
  }
  const hosts = Math.ceil(MAX_HELD_PER_TENANT / CLAIM_ROWS_PER_HOST)
  const receivers = await Promise.all(Array.from({ length: hosts }, () => startReceiver(answer)))
  const [first] = receivers as [Receiver]
  const sender = startSender()
  await enqueue([
    ...receivers.flatMap(({ url }) => many(CLAIM_ROWS_PER_HOST, url)),
    ...many(CLAIM_ROWS_PER_HOST, first.url),
  ])
  sender.wake()
  await Promise.all(receivers.map(receiver => receiver.came(2)))
  sender.wake()
  for (const end of hanging.splice(0)) end()
  hanging = undefined
  await first.came(2 * CLAIM_ROWS_PER_HOST)
  t.true(receivers.slice(1).every(({ received }) => received.length <= CLAIM_ROWS_PER_HOST))
  await sender.stop()
  await Promise.all(receivers.map(receiver => receiver.close()))
})

test.serial('an unresponsive URL does not block other URLs of its host', async t => {
  const receiver = await startReceiver((request, response) => {
    if (request.path === '/fine') response.writeHead(204).end()
  })
  const sender = startSender()
  await enqueue(many(40, `${receiver.url}/hangs`))
  sender.wake()
  await receiver.came(2)
  await enqueue(many(10, `${receiver.url}/fine`))
  sender.wake()
  await receiver.came(12)
  const paths = receiver.received.slice(2).map(({ path }) => path)
  t.deepEqual(paths, many(10, '/fine'))
  await receiver.close()
  await sender.stop()
})

test.serial('many deliveries of one workspace do not delay another workspace on the same host', async t => {
  const bob = await fixture.kernel.register(`bob-${Date.now()}@example.test`)
  const receiver = await startReceiver((_, response) => {
    setTimeout(() => response.writeHead(204).end(), 20)
  })
  const sender = startSender()
  await enqueue(Array.from({ length: 700 }, (_, at) => `${receiver.url}/many/${at}`))
  await enqueueTo(fixture.kernel, bob.tenantId, [`${receiver.url}/one`])
  sender.wake()
  const nudge = setInterval(() => sender.wake(), 20)
  await waitFor(() => receiver.received.some(({ path }) => path === '/one'))
  clearInterval(nudge)
  t.true(receiver.received.length < 350, `${receiver.received.length}`)
  await sender.stop()
  await receiver.close()
})

test.serial('unresponsive hosts of one workspace do not delay other workspaces', async t => {
  const bob = await fixture.kernel.register(`bob-${Date.now()}@example.test`)
  const [hanging, alive] = [await startReceiver(() => undefined), await startReceiver()]
  const { systemDatabase } = fixture.kernel.kernel.ports
  await enqueue([hanging.url])
  // The sender groups by `host`, whatever the URL.
  const everyTenant = systemDatabase.acrossTenants('the test copies deliveries')
  await everyTenant.query(
    `insert into webhooks_deliveries (tenant_id, id, event_id, type, session_id, sequence, url, host, address, payload,
       occurred_at, created_at, updated_at, status, next_attempt_at)
     select tenant_id, 'msg_copy_' || n, 'evt_copy_' || n, type, session_id, sequence, url, 'host-' || (n / 8), 'host-' || n,
       payload, occurred_at, created_at, updated_at, 'pending', next_attempt_at
     from webhooks_deliveries cross join generate_series(1, 6000) n`,
  )
  const sender = startSender()
  sender.wake()
  await hanging.came(100)
  await enqueueTo(fixture.kernel, bob.tenantId, [alive.url])
  sender.wake()
  await alive.came(1)
  // Eight deliveries each.
  const { rows } = await everyTenant.query<{ n: number }>('select count(*)::int as n from webhooks_host_leases')
  t.true((rows[0]?.n ?? 0) < 250, `${rows[0]?.n}`)
  await hanging.close()
  await sender.stop()
  await alive.close()
})

test.serial('two senders share the work without duplicates and within the limit per host', async t => {
  const receivers = await Promise.all(
    [1, 2, 3].map(() =>
      startReceiver((_, response) => {
        setTimeout(() => response.writeHead(204).end(), 5)
      }),
    ),
  )
  const senders = [startSender(), startSender()]
  await enqueue(receivers.flatMap(({ url }) => many(40, url)))
  const nudge = setInterval(() => {
    for (const sender of senders) sender.wake()
  }, 5)
  await delivered(120)
  clearInterval(nudge)
  for (const receiver of receivers) {
    t.is(receiver.received.length, 40)
    t.is(new Set(idsOf(receiver.received)).size, 40)
    t.true(receiver.most() <= 4)
  }
  await Promise.all(senders.map(sender => sender.stop()))
  await Promise.all(receivers.map(receiver => receiver.close()))
})

test.serial('an idle sender leaves its hosts to other senders', async t => {
  const receiver = await startReceiver()
  const [first, second] = [startSender(), startSender()]
  await enqueue(many(3, receiver.url))
  first.wake()
  await delivered(3)
  const { systemDatabase } = fixture.kernel.kernel.ports
  await waitFor(async () => {
    const { rows } = await systemDatabase
      .acrossTenants('a test reads leases')
      .query<{ n: number }>('select count(*)::int as n from webhooks_host_leases')
    return rows[0]?.n === 0
  })
  await enqueue(many(3, receiver.url))
  second.wake()
  await delivered(6)
  await Promise.all([first.stop(), second.stop()])
  await receiver.close()
  t.is(receiver.received.length, 6)
})

test.serial('retries and leases end by the clock of the database, not by that of the process', async t => {
  const receiver = await startReceiver((_, response) => void response.writeHead(500).end())
  const ahead = { now: () => Date.now() + HOUR, isSystem: true }
  await enqueueTo(fixture.kernel, fixture.ada.tenantId, [receiver.url], ahead)
  const { systemDatabase, events } = fixture.kernel.kernel.ports
  const queue = createDeliveryQueue({ systemDatabase, events, clock: ahead }, 'snd_ahead')
  t.is((await queue.claim()).deliveries.length, 1)
  const { rows } = await systemDatabase
    .acrossTenants('a test reads leases')
    .query<{ soon: boolean }>(`select expires_at < now() + interval '1 minute' as soon from webhooks_host_leases`)
  t.deepEqual(rows, [{ soon: true }])
  await queue.release()
  const sender = senderOf(fixture.kernel, { clock: ahead })
  sender.wake()
  const [failed] = await waitFor(
    () => deliveriesOf(fixture.ada),
    ([first]) => first?.attempt_count === 1,
  )
  t.true(Date.parse(failed?.next_attempt_at ?? '') < Date.now() + HOUR / 2)
  await sender.stop()
  await receiver.close()
})

test.serial('a stop completes requests in flight and releases the rest without an attempt', async t => {
  let answer = () => {}
  const receiver = await startReceiver((_, response) => {
    const before = answer
    answer = () => {
      before()
      response.writeHead(204).end()
    }
  })
  const sender = startSender()
  await enqueue(many(10, receiver.url))
  sender.wake()
  await receiver.came(2)
  const stopped = sender.stop()
  answer()
  await stopped
  const all = await deliveriesOf(fixture.ada)
  t.is(all.filter(({ status }) => status === 'delivered').length, 2)
  t.is(all.filter(({ status, attempt_count }) => status === 'pending' && attempt_count === 0).length, 8)
  const { systemDatabase, events } = fixture.kernel.kernel.ports
  const next = await createDeliveryQueue({ systemDatabase, clock, events }, 'snd_next').claim()
  t.is(next.deliveries.length, 8)
  await receiver.close()
})

test.serial('a delivery to a disallowed address is dead at once and opens no connection', async t => {
  const sender = startSender()
  await enqueue(['http://10.0.0.1/', 'http://[::ffff:127.0.0.1]/', 'http://u:p@127.0.0.1/'])
  sender.wake()
  const dead = await waitFor(
    () => deliveriesOf(fixture.ada, 'filter[status]=dead'),
    all => all.length === 3,
  )
  t.true(dead.every(({ reason, attempt_count }) => reason === 'refused' && attempt_count === 1))
  await sender.stop()
})

test.serial('the sweep deletes finished deliveries after 30 days and keeps pending ones', async t => {
  const receiver = await startReceiver((request, response) => {
    response.writeHead(request.path === '/fine' ? 204 : request.path === '/gone' ? 410 : 500).end()
  })
  const sender = startSender()
  await enqueue(['fine', 'gone', 'waits'].map(path => `${receiver.url}/${path}`))
  sender.wake()
  await waitFor(
    () => deliveriesOf(fixture.ada),
    all => all.every(({ attempt_count }) => attempt_count === 1),
  )
  await sender.stop()
  const { database, systemDatabase } = fixture.kernel.kernel.ports
  // An API key, because a login would expire.
  const keyed = fixture.kernel.as(fixture.ada.apiKey)
  const sweep = () => createDeliveries({ database, systemDatabase, clock }).sweep(new AbortController().signal)
  clock.forward(30 * 86_400_000 - 60_000)
  await sweep()
  t.is((await deliveriesOf(keyed)).length, 3)
  clock.forward(60_000)
  await sweep()
  t.deepEqual(
    (await deliveriesOf(keyed)).map(({ url }) => url),
    [`${receiver.url}/waits`],
  )
  await receiver.close()
})
