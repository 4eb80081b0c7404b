import test from 'ava'
import { withContext } from '../../../kernel/base/context.ts'
import { createOutboxFixture, type OutboxFixture } from './fixtures.ts'

let fixture: OutboxFixture
test.before(async () => {
  fixture = await createOutboxFixture()
})
test.beforeEach(() => fixture.asOwner('truncate larder_events cascade'))
test.after.always(() => fixture.end())

const kept = () =>
  fixture.asOwner<{ id: string; tenant_id: string }>('select id, tenant_id from larder_events order by id')

test.serial('stores the event of a committed unit and discards that of a rolled-back one', async t => {
  const { database } = fixture.db
  const work = (fail: boolean) =>
    database.tenant('ten_a').transaction(async () => {
      const id = await fixture.events.publish('test.thing.made', { payload: { n: 1 } })
      if (fail) throw new Error('changed my mind')
      return id
    })
  await t.throwsAsync(work(true), { message: 'changed my mind' })
  t.deepEqual(await kept(), [])
  const id = await work(false)
  t.deepEqual(await kept(), [{ id, tenant_id: 'ten_a' }])
})

test.serial('an event belongs to the given tenant, else to the tenant of the unit, else to the operator', async t => {
  const payload = { n: 1 }
  await fixture.events.publish('test.thing.made', { payload })
  await fixture.db.database.tenant('ten_b').transaction(() => fixture.events.publish('test.thing.made', { payload }))
  await fixture.events.publish('test.thing.made', { payload, tenantId: 'ten_c' })
  t.deepEqual(
    (await kept()).map(({ tenant_id }) => tenant_id),
    [fixture.operator, 'ten_b', 'ten_c'],
  )
})

test.serial('an event records its actor, request and causing event', async t => {
  const context = { actor: { kind: 'login', id: 'usr_1' }, correlationId: 'req-1', causationId: 'evt_0' } as const
  const id = await withContext(context, () =>
    fixture.events.publish('test.thing.made', { tenantId: 'ten_a', subject: 'thing_1', payload: { n: 1 } }),
  )
  const { occurredAt, deliveries, ...event } = (await fixture.inspector.get(id, 'ten_a')) ?? t.fail()
  t.deepEqual(event, {
    id,
    type: 'test.thing.made',
    version: 3,
    tenantId: 'ten_a',
    actor: context.actor,
    subject: 'thing_1',
    correlationId: 'req-1',
    causationId: 'evt_0',
    payload: { n: 1 },
  })
  t.regex(occurredAt, /^\d{4}-\d\d-\d\dT.*Z$/)
  t.deepEqual(deliveries, [])
})

test.serial('rejects an undeclared event type and an invalid payload', async t => {
  const publish = fixture.events.publish as (type: string, event: object) => Promise<string>
  await t.throwsAsync(publish('test.thing.mad', { payload: {} }), { message: /declares the event 'test.thing.mad'/ })
  await t.throwsAsync(publish('test.thing.made', { payload: { n: 'one' } }), { message: /must be integer/ })
  t.deepEqual(await kept(), [])
})

test.serial('commits or rolls back the event of a step together with its batch', async t => {
  const unit = fixture.db.database.tenant('ten_a')
  const step = fixture.events.publishStep('test.thing.made', { tenantId: 'ten_a', payload: { n: 1 } })
  await t.throwsAsync(unit.all([step, ['select 1 / 0']]))
  t.deepEqual(await kept(), [])
  await unit.all([['select 1'], step])
  t.is((await kept()).length, 1)
})

test.serial('one step stores several events with the same facts, all or none', async t => {
  const unit = fixture.db.database.tenant('ten_a')
  const events = [1, 2, 3].map(n => ({ tenantId: 'ten_a', subject: `thing ${n}`, payload: { n } }))
  await unit.all([fixture.events.publishStep('test.thing.made', ...events)])
  await unit.all([fixture.events.publishStep('test.thing.made', { tenantId: 'ten_a', payload: { n: 4 } })])
  const { rows } = await unit.query(
    'select type, version, actor, subject, correlation_id as correlation, payload from larder_events order by id',
  )
  const [first] = rows as { actor: unknown }[]
  t.deepEqual(
    rows,
    [1, 2, 3, 4].map(n => ({
      type: 'test.thing.made',
      version: 3,
      actor: first?.actor,
      subject: n === 4 ? null : `thing ${n}`,
      correlation: null,
      payload: { n },
    })),
  )
  const foreign = fixture.events.publishStep('test.thing.made', ...events, { tenantId: 'ten_b', payload: { n: 5 } })
  await t.throwsAsync(unit.all([foreign]), { message: /row-level security/ })
  t.throws(() => fixture.events.publishStep('test.thing.made', ...events, { tenantId: 'ten_a', payload: {} as never }))
  t.is((await kept()).length, 4)
})

test.serial(
  'a tenant inserts and reads only its own events, and cannot change any or read the other tables',
  async t => {
    await fixture.publish(1, 'ten_a')
    const [own] = await fixture.publish(1, 'ten_b')
    const unit = fixture.db.database.tenant('ten_b')
    t.deepEqual((await unit.query('select id from larder_events')).rows, [{ id: own }])
    const foreign = fixture.events.publishStep('test.thing.made', { tenantId: 'ten_a', payload: { n: 1 } })
    await t.throwsAsync(unit.query(...(foreign as [string, unknown[]])), { message: /row-level security/ })
    const denied = { message: /permission denied/ }
    for (const table of ['larder_deliveries', 'larder_jobs', 'larder_agenda', 'larder_bus_messages'])
      await t.throwsAsync(unit.query(`select from ${table}`), denied)
    await t.throwsAsync(unit.query('delete from larder_events'), denied)
    await t.throwsAsync(unit.query(`update larder_events set payload = '{}'`), denied)
  },
)
