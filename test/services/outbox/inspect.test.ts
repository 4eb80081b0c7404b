import test from 'ava'
import { DAY, HOUR } from '../../../kernel/base/units.ts'
import { queueState } from '../../../services/outbox/inspect.ts'
import { sweepJob } from '../../../services/outbox/sweep.ts'
import { waitFor } from '../../fixtures/wait.ts'
import { createStage, type Stage } from './fixtures.ts'

let stage: Stage
let broken = true
test.beforeEach(async () => {
  stage = await createStage()
  broken = true
})
test.afterEach.always(() => stage.end())

const handlers = () => ({
  'bad:made': async (event: Parameters<Stage['effect']>[1]) => {
    if (broken) throw new Error('broken')
    await stage.effect('bad:made', event)
  },
  'good:made': (event: Parameters<Stage['effect']>[1]) => stage.effect('good:made', event),
})

/** One event of ten_a whose handler `bad:made` is dead. */
async function dead(): Promise<string> {
  await stage.relay(handlers())
  const [id] = await stage.publish(1, 'ten_a')
  const failed = () => stage.asOwner(`update larder_deliveries set attempts = 9 where state = 'pending' returning id`)
  await waitFor(async () => (await failed()).length === 1)
  stage.clock.forward(HOUR)
  await waitFor(async () => (await stage.inspector.dead({ tenantId: null, limit: 1 })).data.length === 1)
  return id as string
}

test.serial('an admin of the tenant or of all tenants can retry a dead delivery', async t => {
  const id = await dead()
  const [delivery] = (await stage.inspector.dead({ tenantId: 'ten_a', limit: 10 })).data
  t.is((await stage.inspector.dead({ tenantId: 'ten_b', limit: 10 })).data.length, 0)
  t.is(await stage.inspector.retry(delivery?.id as string, 'ten_b'), null)
  t.is(await stage.inspector.retry('dlv_unknown', null), null)
  broken = false
  const retried = await stage.inspector.retry(delivery?.id as string, 'ten_a')
  t.like(retried, { state: 'pending', attempts: 0, handler: 'bad:made' })
  await stage.settled()
  t.deepEqual(await stage.effects(), [`bad:made ${id}`, `good:made ${id}`])
  t.is(await stage.inspector.retry(delivery?.id as string, null), null)
})

test.serial('a replay repeats unfinished deliveries, a forced replay all of them', async t => {
  const id = await dead()
  broken = false
  t.is(await stage.inspector.replay(id, { tenantId: 'ten_b' }), null)
  t.is(await stage.inspector.replay('evt_unknown', { tenantId: null }), null)
  t.is(await stage.inspector.replay(id, { tenantId: 'ten_a' }), 1)
  await stage.settled()
  t.is(await stage.inspector.replay(id, { tenantId: null }), 0)
  t.is(await stage.inspector.replay(id, { tenantId: null, force: true }), 2)
  await stage.settled()
  t.deepEqual(await stage.effects(), [`bad:made ${id}`, `bad:made ${id}`, `good:made ${id}`, `good:made ${id}`])
})

test.serial('lists events of one or all tenants in pages, newest first', async t => {
  const mine = await stage.publish(5, 'ten_a')
  await stage.publish(2, 'ten_b')
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const page = await stage.inspector.list({ tenantId: 'ten_a', limit: 2, cursor })
    seen.push(...page.data.map(({ id }) => id))
    cursor = page.nextCursor ?? undefined
  } while (cursor)
  t.deepEqual(seen, [...mine].sort().reverse())
  t.is((await stage.inspector.list({ tenantId: null, limit: 50 })).data.length, 7)
  t.is((await stage.inspector.list({ tenantId: null, type: 'test.thing.lost', limit: 50 })).data.length, 0)
  t.is(await stage.inspector.get(mine[0] as string, 'ten_b'), null)
  await t.throwsAsync(stage.inspector.list({ tenantId: null, limit: 2, cursor: 'forged' }), { message: /cursor/ })
})

test.serial('the queue state counts waiting, failed and dead entries', async t => {
  await stage.publish(3)
  stage.clock.forward(2 * HOUR)
  const { oldestSeconds, ...counts } = await queueState(stage.db.systemDatabase, stage.clock)
  t.deepEqual(counts, { waiting: 3, pending: 0, dead: 0 })
  t.is(Math.floor((oldestSeconds ?? 0) / 3600), 2)
})

test.serial('the sweep deletes completed events after 14 days and keeps pending ones', async t => {
  await stage.relay(handlers())
  const [failing] = await stage.publish(1)
  broken = true
  await waitFor(async () => (await stage.effects()).length === 1)
  const relay = await stage.relay({})
  await relay.stop()
  const [waiting] = await stage.asOwner<{ state: string }>(
    `select state from larder_deliveries where state = 'pending'`,
  )
  t.truthy(waiting)
  await stage.asOwner(`insert into larder_events (id, tenant_id, type, version, occurred_at, actor, payload, dispatched_at)
    values ('evt_old', 'ten_a', 'test.thing.made', 1, now(), '{}', '{}', now())`)
  const job = sweepJob(stage.db.systemDatabase, { now: () => stage.clock.now() + 15 * DAY })
  const context = { signal: new AbortController().signal, attempt: 1, jobId: 'job_1', tenantId: null }
  await job.run({} as never, context)
  t.deepEqual(await stage.asOwner('select id from larder_events'), [{ id: failing }])
})
