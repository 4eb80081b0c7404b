import test, { type ExecutionContext } from 'ava'
import { waitFor } from '../../fixtures/wait.ts'
import { createFixture, createGate, insert } from './fixtures.ts'

/** A third is two. */
const CONNECTIONS = 6

/** Tenant `ten_a` holds the lock of a row in one unit of work; others wait for the lock until `unlock`. */
async function createLockedRow(
  t: ExecutionContext,
  options: { maxWaitingPerTenant?: number; tenantWaitMs?: number } = {},
) {
  const fixture = await createFixture({ maxConnections: CONNECTIONS, tenantWaitMs: 30_000, ...options })
  const { database } = fixture
  await database.tenant('ten_a').query(insert, ['ten_a', 'a', 'a'])
  const [locked, unlocked] = [createGate(), createGate()]
  const update = () => database.tenant('ten_a').query("update test_things set name = 'changed' where id = 'a'")
  const holder = database.tenant('ten_a').transaction(async () => {
    await update()
    locked.open()
    await unlocked.opened
  })
  await locked.opened
  const unlock = async () => {
    unlocked.open()
    await holder
  }
  t.teardown(async () => {
    await unlock()
    await fixture.end()
  })
  return { fixture, update, unlock }
}

test('units of a tenant that wait for a row leave connections for other tenants and for the system', async t => {
  const { fixture, update, unlock } = await createLockedRow(t)
  let done = 0
  const waiting = Array.from({ length: 40 }, () => update().then(() => done++))
  await waitFor(() => fixture.connectionCounts().waiting === 39)
  t.is(fixture.connectionCounts().used, 2)
  for (let times = 0; times < 20; times++) {
    await fixture.database.tenant('ten_b').query(insert, ['ten_b', `b${times}`, `b${times}`])
    await fixture.systemDatabase.acrossTenants('test').query('select 1')
  }
  t.is(done, 0)
  await unlock()
  await Promise.all(waiting)
  t.is(done, 40)
  t.is(fixture.connectionCounts().waiting, 0)
})

test('units of a tenant run in the order of their arrival', async t => {
  const { fixture, unlock } = await createLockedRow(t)
  const order: number[] = []
  const unit = fixture.database.tenant('ten_a')
  const blocked = unit.query("update test_things set name = 'changed' where id = 'a'")
  const waiting = [1, 2, 3].map(number => unit.transaction(async () => void order.push(number)))
  await unlock()
  await Promise.all([blocked, ...waiting])
  t.deepEqual(order, [1, 2, 3])
})

test('a full queue of a tenant is 503 `tenant_busy`, for that tenant alone', async t => {
  const { fixture, update, unlock } = await createLockedRow(t, { maxWaitingPerTenant: 3 })
  const admitted = Array.from({ length: 4 }, update)
  const error = await t.throwsAsync(update())
  t.like(error, { code: 'tenant_busy', status: 503, headers: { 'retry-after': '1' } })
  await t.notThrowsAsync(fixture.database.tenant('ten_b').query('select 1'))
  await unlock()
  await Promise.all(admitted)
  await t.notThrowsAsync(update())
})

test('a unit that waits too long for a connection of its tenant is 503 `tenant_busy`', async t => {
  const { fixture, update, unlock } = await createLockedRow(t, { tenantWaitMs: 300 })
  const admitted = update()
  t.like(await t.throwsAsync(update()), { code: 'tenant_busy', status: 503 })
  t.is(fixture.connectionCounts().waiting, 0)
  await unlock()
  await admitted
  await t.notThrowsAsync(update())
})

test('nested units of a tenant need no other connection', async t => {
  const fixture = await createFixture({ maxConnections: CONNECTIONS, tenantConnections: 1 })
  t.teardown(fixture.end)
  const unit = fixture.database.tenant('ten_a')
  const work = () =>
    unit.transaction(async () => {
      await unit.query('select 1')
      await unit.transaction(inside => inside.query('select 2'))
      await fixture.systemDatabase.acrossTenants('test').query('select 3')
    })
  await t.notThrowsAsync(Promise.all(Array.from({ length: 10 }, work)))
})

test('failed units give their connection back', async t => {
  const fixture = await createFixture({ maxConnections: CONNECTIONS, tenantConnections: 1 })
  t.teardown(fixture.end)
  const unit = fixture.database.tenant('ten_a')
  await t.throwsAsync(unit.query('select 1/0'))
  await t.throwsAsync(
    unit.transaction(async () => {
      throw new Error('failed')
    }),
  )
  await t.throwsAsync(unit.query('select pg_terminate_backend(pg_backend_pid())'))
  await t.notThrowsAsync(unit.query('select 1'))
})

const LOCK_NUMBER = 7

/** Reads of tenant `ten_a` that wait, as if they took long, until `end`. */
async function createSlowScans(t: ExecutionContext, tenantScans: number) {
  const fixture = await createFixture({ maxConnections: 9, tenantScans, tenantWaitMs: 30_000 })
  const [started, ended] = [createGate(), createGate()]
  const lock = fixture.systemDatabase.acrossTenants('test').transaction(async unit => {
    await unit.query('select pg_advisory_xact_lock($1)', [LOCK_NUMBER])
    started.open()
    await ended.opened
  })
  await started.opened
  const unit = fixture.database.tenant('ten_a')
  let done = 0
  const scans = Array.from({ length: 16 }, async () => {
    await unit.query('select pg_advisory_xact_lock_shared($1)', [LOCK_NUMBER], { scans: true })
    done++
  })
  const end = async () => {
    ended.open()
    await Promise.all([lock, ...scans])
    return done
  }
  t.teardown(async () => {
    await end()
    await fixture.end()
  })
  await waitFor(() => fixture.connectionCounts().waiting === scans.length - tenantScans)
  return { fixture, unit, end, done: () => done }
}

for (const tenantScans of [1, 2])
  test(`${tenantScans} of a tenant's scans run at a time, and the others hold no connection`, async t => {
    const { fixture, end, done } = await createSlowScans(t, tenantScans)
    t.is(fixture.connectionCounts().used, 1 + tenantScans)
    t.is(done(), 0)
    t.is(await end(), 16)
    t.is(fixture.connectionCounts().waiting, 0)
  })

test('scans of a tenant hold up neither its other statements nor those of another tenant', async t => {
  const { fixture, unit, done } = await createSlowScans(t, 1)
  await t.notThrowsAsync(unit.query('select 1'))
  await t.notThrowsAsync(unit.transaction(() => unit.query('select 1', [], { scans: true })))
  await t.notThrowsAsync(fixture.database.tenant('ten_b').query('select 1', [], { scans: true }))
  t.is(done(), 0)
})

test('failed scans give their turn back', async t => {
  const fixture = await createFixture({ maxConnections: CONNECTIONS, tenantConnections: 1, tenantWaitMs: 300 })
  t.teardown(fixture.end)
  const unit = fixture.database.tenant('ten_a')
  await t.throwsAsync(unit.query('select 1/0', [], { scans: true }))
  const held = createGate()
  const holder = unit.transaction(async () => held.opened)
  t.like(await t.throwsAsync(unit.query('select 1', [], { scans: true })), { code: 'tenant_busy' })
  held.open()
  await holder
  await t.notThrowsAsync(unit.query('select 1', [], { scans: true }))
})
