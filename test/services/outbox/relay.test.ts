import test from 'ava'
import { currentContext, withContext } from '../../../kernel/base/context.ts'
import { common } from '../../../kernel/base/problem.ts'
import { HOUR } from '../../../kernel/base/units.ts'
import type { AnyEvent } from '../../../services/outbox/deliveries.ts'
import type { OpenDatabase } from '../../../services/postgres/open.ts'
import { waitFor } from '../../fixtures/wait.ts'
import { createOutboxFixture, effect, handleBatch, type OutboxFixture, openTestDatabase } from './fixtures.ts'

let fixture: OutboxFixture
test.beforeEach(async () => {
  fixture = await createOutboxFixture()
})
test.afterEach.always(() => fixture.end())

const deliveries = () =>
  fixture.asOwner<{ handler: string; state: string; attempts: number; last_error: string | null }>(
    'select handler, state, attempts, last_error from larder_deliveries order by handler',
  )
/** Every retry is due within an hour. */
async function attempts(atLeast: number): Promise<void> {
  await waitFor(async () => {
    if ((await deliveries()).some(delivery => delivery.attempts >= atLeast)) return true
    fixture.clock.forward(HOUR)
    return false
  })
}

test.serial('delivers the complete event to each handler once and keeps its effect', async t => {
  const seen: unknown[] = []
  await fixture.relay({
    'a:made': async event => {
      seen.push(event)
      await fixture.effect('a:made', event)
    },
    'b:made': event => fixture.effect('b:made', event),
    'c:lost': event => fixture.effect('c:lost', event),
  })
  const [id] = await fixture.publish(1)
  await fixture.settled()
  t.deepEqual(await fixture.effects(), [`a:made ${id}`, `b:made ${id}`])
  const { deliveries: records, ...event } = (await fixture.inspector.get(id as string, null)) ?? t.fail()
  t.deepEqual(seen, [{ ...event, depth: 0 }])
  t.deepEqual(
    records.map(({ handler, state, attempts }) => ({ handler, state, attempts })),
    [
      { handler: 'a:made', state: 'done', attempts: 1 },
      { handler: 'b:made', state: 'done', attempts: 1 },
    ],
  )
})

test.serial('an event published by a handler records its cause and the request id', async t => {
  await fixture.relay({
    'a:made': async event => {
      t.is(currentContext().causationId, event.id)
      await fixture.events.publish('test.thing.lost', { tenantId: event.tenantId, payload: { n: 2 } })
    },
  })
  const [id] = await fixture.publish(1)
  await fixture.settled()
  const { data } = await fixture.inspector.list({ tenantId: null, type: 'test.thing.lost', limit: 10 })
  t.deepEqual(
    data.map(({ causationId, actor }) => [causationId, actor.kind]),
    [[id, 'system']],
  )
})

test.serial('a batch handler gets the events of a transaction in one call, in their order', async t => {
  const calls: string[][] = []
  const ids = await fixture.publish(5)
  await fixture.relay(
    {
      'a:batch': handleBatch(async events => {
        calls.push(events.map(({ id }) => id))
        for (const event of events) await fixture.effect('a:batch', event)
      }),
    },
    { concurrency: 1 },
  )
  await fixture.settled()
  t.deepEqual(calls, [ids])
  t.deepEqual(
    await fixture.effects(),
    ids.map(id => `a:batch ${id}`),
  )
})

test.serial('only the failing event of a batch handler is retried, alone', async t => {
  let isBroken = true
  const calls: number[][] = []
  const ids = await fixture.publish(5)
  await fixture.relay(
    {
      'a:batch': handleBatch(async events => {
        for (const event of events) await fixture.effect('a:batch', event)
        const numbers = events.map(({ payload }) => (payload as { n: number }).n)
        if (isBroken && numbers.includes(3)) throw new Error('not today')
        calls.push(numbers)
      }),
    },
    { concurrency: 1 },
  )
  await waitFor(async () => (await fixture.queueState()).waiting === 0)
  t.deepEqual(calls, [[0], [1], [2], [4]])
  t.deepEqual(
    await fixture.effects(),
    ids.filter((_, n) => n !== 3).map(id => `a:batch ${id}`),
  )
  isBroken = false
  fixture.clock.forward(10_000)
  await fixture.settled()
  t.deepEqual(calls.at(-1), [3])
  t.is((await fixture.effects()).length, 5)
})

test.serial('a batch handler has a cause only if it gets one event', async t => {
  const causes: unknown[] = []
  const ids = await fixture.publish(3)
  await fixture.relay(
    { 'a:batch': handleBatch(async () => void causes.push(currentContext().causationId)) },
    { concurrency: 1, batchSize: 2 },
  )
  await fixture.settled()
  t.deepEqual(causes, [undefined, ids[2]])
})

test.serial('batches grow while all their handlers take arrays', async t => {
  const sizes: number[] = []
  await fixture.publish(20)
  await fixture.relay(
    { 'a:batch': handleBatch(async events => void sizes.push(events.length)) },
    { concurrency: 1, batchSize: 2 },
  )
  await fixture.settled()
  t.deepEqual(sizes, [2, 4, 8, 6])
})

test.serial('batches do not grow with handlers that take single events', async t => {
  const sizes: number[] = []
  await fixture.publish(9)
  await fixture.relay(
    {
      'a:batch': handleBatch(async events => void sizes.push(events.length)),
      'a:made': event => fixture.effect('a:made', event),
    },
    { concurrency: 1, batchSize: 2 },
  )
  await fixture.settled()
  t.true(Math.max(...sizes) <= 2, `${sizes}`)
})

test.serial('rolls back only the effect of the failed handler and retries it when it is due', async t => {
  let well = false
  await fixture.relay({
    'bad:made': async event => {
      await fixture.effect('bad:made', event)
      if (!well && event.payload && (event.payload as { n: number }).n === 3) throw new Error('not today')
    },
    'good:made': event => fixture.effect('good:made', event),
  })
  const ids = await fixture.publish(20)
  await waitFor(async () => (await deliveries()).length === 40)
  const failed = `bad:made ${ids[3]}`
  const all = ids.flatMap(id => [`bad:made ${id}`, `good:made ${id}`]).sort()
  t.deepEqual(
    await fixture.effects(),
    all.filter(line => line !== failed),
  )
  t.deepEqual(
    (await deliveries()).filter(({ state }) => state !== 'done'),
    [{ handler: 'bad:made', state: 'pending', attempts: 1, last_error: 'not today' }],
  )
  well = true
  await attempts(2)
  await fixture.settled()
  t.deepEqual(await fixture.effects(), all)
})

test.serial('a retry is due by the clock of the database, not by that of the process', async t => {
  await fixture.relay(
    { 'a:made': () => Promise.reject(new Error('not yet')) },
    { clock: { now: () => Date.now() + HOUR, isSystem: true } },
  )
  await fixture.publish(1)
  await waitFor(async () => (await deliveries()).length > 0)
  const [row] = await fixture.asOwner<{ soon: boolean }>(
    `select next_attempt_at between now() and now() + interval '1 minute' as soon from larder_deliveries`,
  )
  t.true(row?.soon)
})

test.serial('marks a poison event dead after ten attempts without delaying others', async t => {
  await fixture.relay({
    'bad:made': async event => {
      if ((event.payload as { n: number }).n === 0) throw new Error('poison')
      await fixture.effect('bad:made', event)
    },
  })
  const [poison, ...others] = await fixture.publish(30)
  await waitFor(async () => (await fixture.effects()).length === others.length)
  await attempts(10)
  const { data } = await fixture.inspector.dead({ tenantId: 'ten_a', limit: 10 })
  t.deepEqual(
    data.map(({ eventId, attempts, lastError, nextAttemptAt }) => ({ eventId, attempts, lastError, nextAttemptAt })),
    [{ eventId: poison, attempts: 10, lastError: 'poison', nextAttemptAt: null }],
  )
  await fixture.settled()
})

test.serial('counts a hanging handler as failed and rejects its late writes', async t => {
  let free = () => {}
  const gate = new Promise<void>(resolve => {
    free = resolve
  })
  const late: unknown[] = []
  await fixture.relay(
    {
      'a-hangs:made': async event => {
        await fixture.effect('a-hangs:made', event)
        await gate
        await fixture.effect('a-hangs:made', event).catch(error => late.push(error))
      },
      'b-well:made': event => fixture.effect('b-well:made', event),
    },
    { handlerTimeoutMs: 100, concurrency: 1 },
  )
  const [id] = await fixture.publish(1)
  await waitFor(async () => (await deliveries()).length === 2)
  t.deepEqual(
    (await deliveries()).map(({ handler, state, attempts }) => [handler, state, attempts]),
    [
      ['a-hangs:made', 'pending', 1],
      ['b-well:made', 'done', 1],
    ],
  )
  free()
  // From the whole batch and from the separate attempt.
  await waitFor(() => late.length === 2)
  t.deepEqual(await fixture.effects(), [`b-well:made ${id}`])
})

test.serial('a handler that hangs in its own transaction blocks no other and is rolled back', async t => {
  const fixture = await createOutboxFixture()
  t.teardown(() => fixture.end())
  const { database } = fixture.db
  const late: unknown[] = []
  let free = () => {}
  const hung = new Promise<void>(resolve => {
    free = resolve
  })
  await fixture.relay(
    {
      'a-nested:made': event =>
        database.tenant(event.tenantId).transaction(async () => {
          await fixture.effect('a-nested:made', event)
          await hung
          await fixture.effect('a-nested:made', event).catch(error => late.push(error))
        }),
      'b-well:made': event => fixture.effect('b-well:made', event),
    },
    { handlerTimeoutMs: 100, concurrency: 1 },
  )
  const [first] = await fixture.publish(1)
  await waitFor(async () => (await fixture.effects()).length === 1)
  const [second] = await fixture.publish(1)
  await waitFor(async () => (await fixture.effects()).length === 2)
  free()
  await waitFor(() => late.length >= 1)
  t.deepEqual((await fixture.effects()).toSorted(), [`b-well:made ${first}`, `b-well:made ${second}`].toSorted())
})

test.serial('a handler that fails with unavailable fails alone and blocks no other', async t => {
  const { systemDatabase } = fixture.db
  await fixture.relay({
    'a-says:made': async () => {
      throw common.unavailable({ seconds: 1 })
    },
    'b-slow:made': async () => {
      await systemDatabase.acrossTenants('test').all([["set local statement_timeout = '20ms'"], ['select pg_sleep(5)']])
    },
    'c-well:made': event => fixture.effect('c-well:made', event),
  })
  await fixture.publish(3)
  await waitFor(async () => (await deliveries()).length === 9)
  t.deepEqual(
    [...new Set((await deliveries()).map(({ handler, state }) => `${handler} ${state}`))],
    ['a-says:made pending', 'b-slow:made pending', 'c-well:made done'],
  )
})

test.serial('a handler that always loses its connection fails alone and blocks no other', async t => {
  const { systemDatabase } = fixture.db
  await fixture.relay({
    'a-cut:made': async event => {
      if ((event.payload as { n: number }).n === 1)
        await systemDatabase.acrossTenants('test').query('select pg_terminate_backend(pg_backend_pid())')
    },
    'b-well:made': event => fixture.effect('b-well:made', event),
  })
  const ids = await fixture.publish(3)
  await waitFor(async () => (await deliveries()).length === 6)
  t.deepEqual(
    (await deliveries()).filter(({ state }) => state !== 'done').map(({ handler }) => handler),
    ['a-cut:made'],
  )
  t.deepEqual(await fixture.effects(), ids.map(id => `b-well:made ${id}`).sort())
})

test.serial('dispatches an event without handlers', async t => {
  await fixture.relay({ 'c:lost': event => fixture.effect('c:lost', event) })
  await fixture.publish(3)
  await fixture.settled()
  t.deepEqual(await deliveries(), [])
})

test.serial('two relays work concurrently without repeating a delivery', async t => {
  const other = await openTestDatabase(fixture.ownerUrl, 'other')
  t.teardown(() => other.close())
  const started = new Set<string>()
  const together = (db: OpenDatabase, name: string) => async (event: AnyEvent) => {
    started.add(name)
    // Continues once both relays are handling an event.
    await waitFor(() => started.size === 2)
    await effect(db, 'a:made', event)
  }
  await fixture.relay({ 'a:made': together(fixture.db, 'one') }, { concurrency: 1, batchSize: 5 })
  const second = await fixture.relay({ 'a:made': together(other, 'two') }, { db: other, concurrency: 1, batchSize: 5 })
  const ids = await fixture.publish(60)
  await fixture.settled()
  await second.stop()
  t.deepEqual(await fixture.effects(), ids.map(id => `a:made ${id}`).sort())
})

test.serial('lost connections lose no event and repeat no effect', async t => {
  await fixture.relay({ 'a:made': event => fixture.effect('a:made', event) }, { batchSize: 10 })
  const ids: string[] = []
  for (let round = 0; round < 5; round++) {
    ids.push(...(await fixture.publish(100)))
    // Waits for their end, so that the next events aren't published over a connection that is about to end.
    await fixture.asOwner(
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity
       where usename like 'larder_app%' and datname = current_database()`,
    )
    await waitFor(async () =>
      fixture.db.ready().then(
        () => true,
        () => false,
      ),
    )
  }
  // Some deliveries are retried.
  await waitFor(async () => {
    const { waiting, pending } = await fixture.queueState()
    fixture.clock.forward(HOUR)
    return waiting + pending === 0
  })
  t.deepEqual(await fixture.effects(), ids.map(id => `a:made ${id}`).sort())
})

test.serial('a stopping relay completes deliveries in progress and starts no others', async t => {
  let begun = 0
  let go = () => {}
  const gate = new Promise<void>(resolve => {
    go = resolve
  })
  const relay = await fixture.relay(
    {
      'a:made': async event => {
        begun++
        await gate
        await fixture.effect('a:made', event)
      },
    },
    { concurrency: 1 },
  )
  await fixture.publish(3)
  await waitFor(() => begun === 1)
  const stopped = relay.stop()
  go()
  await stopped
  t.is((await fixture.effects()).length, 1)
  t.is(begun, 1)
})

test.serial(
  'in a product of people, handlers run for the customer of each event, also those that take arrays',
  async t => {
    const seen: string[] = []
    const note = (handler: string, count: number) => seen.push(`${handler} ${count} ${currentContext().share}`)
    await fixture.relay(
      {
        'a:made': async () => void note('a', 1),
        'b:made:batch': handleBatch(async events => void note('b', events.length)),
      },
      { byPerson: true },
    )
    const made = (share: string | undefined) => withContext({ share }, () => fixture.publish(2))
    await fixture.db.systemTransaction('a test publishes events', async () => {
      for (const share of ['mem_a', 'mem_b', undefined]) await made(share)
    })
    await fixture.settled()
    t.deepEqual(seen.toSorted(), [
      ...['mem_a', 'mem_a', 'mem_b', 'mem_b', 'undefined', 'undefined'].map(share => `a 1 ${share}`),
      ...['mem_a', 'mem_b', 'undefined'].map(share => `b 2 ${share}`),
    ])
  },
)
