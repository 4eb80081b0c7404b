import test from 'ava'
import { newId } from '../../../kernel/base/ids.ts'
import { DAY, HOUR } from '../../../kernel/base/units.ts'
import { queueState } from '../../../services/outbox/inspect.ts'
import { sweepJob } from '../../../services/outbox/sweep.ts'
import { waitFor } from '../../fixtures/wait.ts'
import { createOutboxFixture, type OutboxFixture } from './fixtures.ts'

let fixture: OutboxFixture
let broken = true
test.beforeEach(async () => {
  fixture = await createOutboxFixture()
  broken = true
})
test.afterEach.always(() => fixture.end())

const handlers = () => ({
  'bad:made': async (event: Parameters<OutboxFixture['effect']>[1]) => {
    if (broken) throw new Error('broken')
    await fixture.effect('bad:made', event)
  },
  'good:made': (event: Parameters<OutboxFixture['effect']>[1]) => fixture.effect('good:made', event),
})

/** One event of ten_a whose delivery to `bad:made` is dead. */
async function dead(): Promise<string> {
  await fixture.relay(handlers())
  const [id] = await fixture.publish(1, 'ten_a')
  const failed = () => fixture.asOwner(`update larder_deliveries set attempts = 9 where state = 'pending' returning id`)
  await waitFor(async () => (await failed()).length === 1)
  fixture.clock.forward(HOUR)
  await waitFor(async () => (await fixture.inspector.dead({ tenantId: null, limit: 1 })).data.length === 1)
  return id as string
}

test.serial('an admin of the tenant or of all tenants can retry a dead delivery', async t => {
  const id = await dead()
  const [delivery] = (await fixture.inspector.dead({ tenantId: 'ten_a', limit: 10 })).data
  t.is((await fixture.inspector.dead({ tenantId: 'ten_b', limit: 10 })).data.length, 0)
  t.is(await fixture.inspector.retry(delivery?.id as string, 'ten_b'), null)
  t.is(await fixture.inspector.retry('dlv_unknown', null), null)
  broken = false
  const retried = await fixture.inspector.retry(delivery?.id as string, 'ten_a')
  t.like(retried, { state: 'pending', attempts: 0, handler: 'bad:made' })
  await fixture.settled()
  t.deepEqual(await fixture.effects(), [`bad:made ${id}`, `good:made ${id}`])
  t.is(await fixture.inspector.retry(delivery?.id as string, null), null)
})

test.serial('a replay repeats unfinished deliveries, a forced replay all of them', async t => {
  const id = await dead()
  broken = false
  t.is(await fixture.inspector.replay(id, { tenantId: 'ten_b' }), null)
  t.is(await fixture.inspector.replay('evt_unknown', { tenantId: null }), null)
  t.is(await fixture.inspector.replay(id, { tenantId: 'ten_a' }), 1)
  await fixture.settled()
  t.is(await fixture.inspector.replay(id, { tenantId: null }), 0)
  t.is(await fixture.inspector.replay(id, { tenantId: null, force: true }), 2)
  await fixture.settled()
  t.deepEqual(await fixture.effects(), [`bad:made ${id}`, `bad:made ${id}`, `good:made ${id}`, `good:made ${id}`])
})

test.serial('lists events of one or all tenants in pages, newest first', async t => {
  const mine = await fixture.publish(5, 'ten_a')
  await fixture.publish(2, 'ten_b')
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const page = await fixture.inspector.list({ tenantId: 'ten_a', limit: 2, cursor })
    seen.push(...page.data.map(({ id }) => id))
    cursor = page.nextCursor ?? undefined
  } while (cursor)
  t.deepEqual(seen, [...mine].sort().reverse())
  t.is((await fixture.inspector.list({ tenantId: null, limit: 50 })).data.length, 7)
  t.is((await fixture.inspector.list({ tenantId: null, type: 'test.thing.lost', limit: 50 })).data.length, 0)
  t.is(await fixture.inspector.get(mine[0] as string, 'ten_b'), null)
  await t.throwsAsync(fixture.inspector.list({ tenantId: null, limit: 2, cursor: 'forged' }), { message: /cursor/ })
})

test.serial('the queue state counts waiting, failed and dead entries', async t => {
  await fixture.publish(3)
  fixture.clock.forward(2 * HOUR)
  const { oldestSeconds, ...counts } = await queueState(fixture.db.systemDatabase, fixture.clock)
  t.deepEqual(counts, { waiting: 3, pending: 0, dead: 0 })
  t.is(Math.floor((oldestSeconds ?? 0) / 3600), 2)
})

test.serial('the queue state counts jobs that become due while it is read', async t => {
  const at = new Date(fixture.clock.now() + HOUR).toISOString()
  await fixture.asOwner(
    `insert into larder_jobs (id, name, data, context, created_at, run_at) values ('job_a', 'test', '{}', '{}', now(), $1)`,
    [at],
  )
  const read = () => queueState(fixture.db.systemDatabase, fixture.clock)
  t.is((await read()).waiting, 0)
  const reading = read()
  fixture.clock.forward(2 * HOUR)
  t.is((await reading).waiting, 1)
})

test.serial('the sweep deletes completed events after 14 days and keeps pending ones', async t => {
  await fixture.relay(handlers())
  const [failing] = await fixture.publish(1)
  broken = true
  await waitFor(async () => (await fixture.effects()).length === 1)
  const relay = await fixture.relay({})
  await relay.stop()
  const [waiting] = await fixture.asOwner<{ state: string }>(
    `select state from larder_deliveries where state = 'pending'`,
  )
  t.truthy(waiting)
  await fixture.asOwner(
    `insert into larder_events (id, tenant_id, type, version, occurred_at, actor, payload, dispatched_at)
     values ($1, 'ten_a', 'test.thing.made', 1, now(), '{}', '{}', now())`,
    [newId('evt')],
  )
  const job = sweepJob(fixture.db.systemDatabase, { now: () => fixture.clock.now() + 15 * DAY })
  const context = { signal: new AbortController().signal, attempt: 1, jobId: 'job_1', tenantId: null }
  await job.run({} as never, context)
  t.deepEqual(await fixture.asOwner('select id from larder_events'), [{ id: failing }])
})

test.serial('the sweep keeps the last runs of recurring jobs', async t => {
  await fixture.asOwner(
    `insert into larder_jobs (id, name, data, context, key, state, run_at, created_at, finished_at)
     select 'job_' || key, 'test.job', '{}', '{}', key, 'done', now(), now(), now() - interval '15 days'
     from unnest(array['@every', 'other']) as key`,
  )
  const context = { signal: new AbortController().signal, attempt: 1, jobId: 'job_1', tenantId: null }
  await sweepJob(fixture.db.systemDatabase, fixture.clock).run({} as never, context)
  t.deepEqual(await fixture.asOwner('select id from larder_jobs'), [{ id: 'job_@every' }])
})
