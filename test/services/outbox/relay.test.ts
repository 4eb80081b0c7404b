import test from 'ava'
import { currentContext } from '../../../kernel/base/context.ts'
import { common } from '../../../kernel/base/problem.ts'
import { HOUR } from '../../../kernel/base/units.ts'
import type { AnyEvent } from '../../../services/outbox/deliveries.ts'
import type { OpenDatabase } from '../../../services/postgres/open.ts'
import { waitFor } from '../../fixtures/wait.ts'
import { createStage, effect, openStage, type Stage } from './fixtures.ts'

let stage: Stage
test.beforeEach(async () => {
  stage = await createStage()
})
test.afterEach.always(() => stage.end())

const deliveries = () =>
  stage.asOwner<{ handler: string; state: string; attempts: number; last_error: string | null }>(
    'select handler, state, attempts, last_error from larder_deliveries order by handler',
  )
/** A retry is due an hour later at the latest. */
async function attempts(atLeast: number): Promise<void> {
  await waitFor(async () => {
    if ((await deliveries()).some(delivery => delivery.attempts >= atLeast)) return true
    stage.clock.forward(HOUR)
    return false
  })
}

test.serial('delivers the complete event to each handler once and keeps its effect', async t => {
  const seen: unknown[] = []
  await stage.relay({
    'a:made': async event => {
      seen.push(event)
      await stage.effect('a:made', event)
    },
    'b:made': event => stage.effect('b:made', event),
    'c:lost': event => stage.effect('c:lost', event),
  })
  const [id] = await stage.publish(1)
  await stage.settled()
  t.deepEqual(await stage.effects(), [`a:made ${id}`, `b:made ${id}`])
  const { deliveries: records, ...event } = (await stage.inspector.get(id as string, null)) ?? t.fail()
  t.deepEqual(seen, [event])
  t.deepEqual(
    records.map(({ handler, state, attempts }) => ({ handler, state, attempts })),
    [
      { handler: 'a:made', state: 'done', attempts: 1 },
      { handler: 'b:made', state: 'done', attempts: 1 },
    ],
  )
})

test.serial('an event published by a handler records its cause and the request id', async t => {
  await stage.relay({
    'a:made': async event => {
      t.is(currentContext().causationId, event.id)
      await stage.events.publish('test.thing.lost', { tenantId: event.tenantId, payload: { n: 2 } })
    },
  })
  const [id] = await stage.publish(1)
  await stage.settled()
  const { data } = await stage.inspector.list({ tenantId: null, type: 'test.thing.lost', limit: 10 })
  t.deepEqual(
    data.map(({ causationId, actor }) => [causationId, actor.kind]),
    [[id, 'system']],
  )
})

test.serial('rolls back only the effect of the failed handler and retries it when it is due', async t => {
  let well = false
  await stage.relay({
    'bad:made': async event => {
      await stage.effect('bad:made', event)
      if (!well && event.payload && (event.payload as { n: number }).n === 3) throw new Error('not today')
    },
    'good:made': event => stage.effect('good:made', event),
  })
  const ids = await stage.publish(20)
  await waitFor(async () => (await deliveries()).length === 40)
  const failed = `bad:made ${ids[3]}`
  const all = ids.flatMap(id => [`bad:made ${id}`, `good:made ${id}`]).sort()
  t.deepEqual(
    await stage.effects(),
    all.filter(line => line !== failed),
  )
  t.deepEqual(
    (await deliveries()).filter(({ state }) => state !== 'done'),
    [{ handler: 'bad:made', state: 'pending', attempts: 1, last_error: 'not today' }],
  )
  well = true
  await attempts(2)
  await stage.settled()
  t.deepEqual(await stage.effects(), all)
})

test.serial('marks a poison event dead after ten attempts without delaying others', async t => {
  await stage.relay({
    'bad:made': async event => {
      if ((event.payload as { n: number }).n === 0) throw new Error('poison')
      await stage.effect('bad:made', event)
    },
  })
  const [poison, ...others] = await stage.publish(30)
  await waitFor(async () => (await stage.effects()).length === others.length)
  await attempts(10)
  const { data } = await stage.inspector.dead({ tenantId: 'ten_a', limit: 10 })
  t.deepEqual(
    data.map(({ eventId, attempts, lastError, nextAttemptAt }) => ({ eventId, attempts, lastError, nextAttemptAt })),
    [{ eventId: poison, attempts: 10, lastError: 'poison', nextAttemptAt: null }],
  )
  await stage.settled()
})

test.serial('counts a hanging handler as failed and rejects its late writes', async t => {
  let free = () => {}
  const gate = new Promise<void>(resolve => {
    free = resolve
  })
  const late: unknown[] = []
  await stage.relay(
    {
      'a-hangs:made': async event => {
        await stage.effect('a-hangs:made', event)
        await gate
        await stage.effect('a-hangs:made', event).catch(error => late.push(error))
      },
      'b-well:made': event => stage.effect('b-well:made', event),
    },
    { handlerTimeoutMs: 100, concurrency: 1 },
  )
  const [id] = await stage.publish(1)
  await waitFor(async () => (await deliveries()).length === 2)
  t.deepEqual(
    (await deliveries()).map(({ handler, state, attempts }) => [handler, state, attempts]),
    [
      ['a-hangs:made', 'pending', 1],
      ['b-well:made', 'done', 1],
    ],
  )
  free()
  // Of the batch as a whole, and of the attempt that stood for itself.
  await waitFor(() => late.length === 2)
  t.deepEqual(await stage.effects(), [`b-well:made ${id}`])
})

test.serial('a handler that hangs in its own transaction blocks no other and is rolled back', async t => {
  const stage = await createStage()
  t.teardown(() => stage.end())
  const { database } = stage.db
  const late: unknown[] = []
  let free = () => {}
  const hung = new Promise<void>(resolve => {
    free = resolve
  })
  await stage.relay(
    {
      'a-nested:made': event =>
        database.tenant(event.tenantId).transaction(async () => {
          await stage.effect('a-nested:made', event)
          await hung
          await stage.effect('a-nested:made', event).catch(error => late.push(error))
        }),
      'b-well:made': event => stage.effect('b-well:made', event),
    },
    { handlerTimeoutMs: 100, concurrency: 1 },
  )
  const [first] = await stage.publish(1)
  await waitFor(async () => (await stage.effects()).length === 1)
  const [second] = await stage.publish(1)
  await waitFor(async () => (await stage.effects()).length === 2)
  free()
  await waitFor(() => late.length >= 1)
  t.deepEqual((await stage.effects()).toSorted(), [`b-well:made ${first}`, `b-well:made ${second}`].toSorted())
})

test.serial('a handler that fails with unavailable fails alone and blocks no other', async t => {
  const { systemDatabase } = stage.db
  await stage.relay({
    'a-says:made': async () => {
      throw common.unavailable({ seconds: 1 })
    },
    'b-slow:made': async () => {
      await systemDatabase
        .acrossTenants('test')
        .batch([["set local statement_timeout = '20ms'"], ['select pg_sleep(5)']])
    },
    'c-well:made': event => stage.effect('c-well:made', event),
  })
  await stage.publish(3)
  await waitFor(async () => (await deliveries()).length === 9)
  t.deepEqual(
    [...new Set((await deliveries()).map(({ handler, state }) => `${handler} ${state}`))],
    ['a-says:made pending', 'b-slow:made pending', 'c-well:made done'],
  )
})

test.serial('a handler that always loses its connection fails alone and blocks no other', async t => {
  const { systemDatabase } = stage.db
  await stage.relay({
    'a-cut:made': async event => {
      if ((event.payload as { n: number }).n === 1)
        await systemDatabase.acrossTenants('test').query('select pg_terminate_backend(pg_backend_pid())')
    },
    'b-well:made': event => stage.effect('b-well:made', event),
  })
  const ids = await stage.publish(3)
  await waitFor(async () => (await deliveries()).length === 6)
  t.deepEqual(
    (await deliveries()).filter(({ state }) => state !== 'done').map(({ handler }) => handler),
    ['a-cut:made'],
  )
  t.deepEqual(await stage.effects(), ids.map(id => `b-well:made ${id}`).sort())
})

test.serial('dispatches an event without handlers', async t => {
  await stage.relay({ 'c:lost': event => stage.effect('c:lost', event) })
  await stage.publish(3)
  await stage.settled()
  t.deepEqual(await deliveries(), [])
})

test.serial('two relays work concurrently without repeating a delivery', async t => {
  const other = await openStage(stage.ownerUrl, 'other')
  t.teardown(() => other.close())
  const started = new Set<string>()
  const together = (db: OpenDatabase, name: string) => async (event: AnyEvent) => {
    started.add(name)
    // Goes on only once both have an event in their hands.
    await waitFor(() => started.size === 2)
    await effect(db, 'a:made', event)
  }
  await stage.relay({ 'a:made': together(stage.db, 'one') }, { concurrency: 1, batchSize: 5 })
  const second = await stage.relay({ 'a:made': together(other, 'two') }, { db: other, concurrency: 1, batchSize: 5 })
  const ids = await stage.publish(60)
  await stage.settled()
  await second.stop()
  t.deepEqual(await stage.effects(), ids.map(id => `a:made ${id}`).sort())
})

test.serial('lost connections lose no event and repeat no effect', async t => {
  await stage.relay({ 'a:made': event => stage.effect('a:made', event) }, { batchSize: 10 })
  const ids: string[] = []
  for (let round = 0; round < 5; round++) {
    ids.push(...(await stage.publish(100)))
    await stage.asOwner(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where usename = 'larder_app' and datname = current_database()`,
    )
    await waitFor(async () =>
      stage.db.ready().then(
        () => true,
        () => false,
      ),
    )
  }
  await stage.settled()
  t.deepEqual(await stage.effects(), ids.map(id => `a:made ${id}`).sort())
})

test.serial('stopping finishes what is under way and begins nothing', async t => {
  let begun = 0
  let go = () => {}
  const gate = new Promise<void>(resolve => {
    go = resolve
  })
  const relay = await stage.relay(
    {
      'a:made': async event => {
        begun++
        await gate
        await stage.effect('a:made', event)
      },
    },
    { concurrency: 1 },
  )
  await stage.publish(3)
  await waitFor(() => begun === 1)
  const stopped = relay.stop()
  go()
  await stopped
  t.is((await stage.effects()).length, 1)
  t.is(begun, 1)
})
