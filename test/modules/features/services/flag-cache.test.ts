import test from 'ava'
import type { UntypedBus } from '../../../../kernel/internal.ts'
import { createFlagCache } from '../../../../modules/features/services/flag-cache.ts'
import { services } from '../../../../modules/features/services.ts'
import { createCaches } from '../../../../services/caches/caches.ts'
import { servicesWith } from '../../../fixtures/services.ts'
import { waitFor } from '../../../fixtures/wait.ts'
import { add, evaluate, FEATURES, type Fixtures, startFixtures } from '../fixtures.ts'

let s: Fixtures
test.before(async () => {
  s = await startFixtures({ features: { common: { default: false, editable: true } } })
})
test.after.always(() => s?.stop())

const becomes = <T>(read: () => Promise<T>, wanted: T): Promise<T> => waitFor(read, found => found === wanted)

test('two processes on one database see each other’s changes', async t => {
  const ada = await s.person()
  const far = await s.another()
  t.teardown(() => far.stop())
  const there = far.as(ada.token)
  await add(ada, 'mine')
  const seen = async (key: string) => (await evaluate(there, key)).body.value
  t.is(await becomes(() => seen('mine'), false), false)
  await ada.patch(`${FEATURES}/mine`, { rules: [{ value: true }] })
  t.true(await becomes(() => seen('mine'), true))
  await there.put(`${FEATURES}/mine/override`, { value: false })
  t.false(await becomes(async () => (await evaluate(ada, 'mine')).body.value, false))
  const operator = await s.operator()
  await operator.patch(`${FEATURES}/common`, { rules: [{ value: true }] })
  t.true(await becomes(() => seen('common'), true))
  await operator.patch(`${FEATURES}/common`, { rules: [] })
  t.false(await becomes(() => seen('common'), false))
})

/** A cache on a bus and a clock that the test drives. */
function isolatedCache() {
  const listener: { message?: (message: unknown) => void; gap?: (() => void) | undefined } = {}
  const bus: UntypedBus = {
    publish: () => undefined,
    subscribe(_channel, message, gap) {
      Object.assign(listener, { message, gap })
      return () => undefined
    },
  }
  const clock = { at: 1_000_000, now: () => clock.at }
  const { database, systemDatabase } = s.kernel.kernel.ports
  return {
    cache: createFlagCache({ database, systemDatabase, caches: createCaches(bus as never), clock }),
    listener,
    clock,
  }
}

test('keeps flags until a message, a gap, or a minute', async t => {
  const bob = await s.person()
  await add(bob, 'one')
  const { cache, listener, clock } = isolatedCache()
  const keys = async () => [...(await cache.forTenant(bob.tenantId)).flags.keys()]
  t.deepEqual(await keys(), ['common', 'one'])
  const cached = cache.forTenant(bob.tenantId)
  t.false(cached instanceof Promise, 'a hit costs no turn of the event loop')
  await add(bob, 'two')
  t.is(cache.forTenant(bob.tenantId), cached)
  listener.gap?.()
  t.deepEqual(await keys(), ['common', 'one', 'two'])
  await bob.delete(`${FEATURES}/two`)
  clock.at += 59_999
  t.deepEqual(await keys(), ['common', 'one', 'two'])
  clock.at += 1
  t.deepEqual(await keys(), ['common', 'one'])
  await add(bob, 'three')
  listener.message?.({ tenantId: 'ten_other' })
  t.deepEqual(await keys(), ['common', 'one'])
  listener.message?.({ tenantId: bob.tenantId })
  t.deepEqual(await keys(), ['common', 'one', 'three'])
  await add(bob, 'four')
  listener.message?.({ tenantId: null })
  t.deepEqual(await keys(), ['common', 'four', 'one', 'three'])
})

test('does not cache a load that started before a change', async t => {
  const cleo = await s.person()
  await add(cleo, 'one')
  const { cache, listener } = isolatedCache()
  const loading = cache.forTenant(cleo.tenantId)
  t.is(cache.forTenant(cleo.tenantId), loading, 'concurrent calls share one load')
  listener.message?.({ tenantId: cleo.tenantId })
  const [before, after] = [await loading, await cache.forTenant(cleo.tenantId)]
  t.not(before.id, after.id)
  t.is((await cache.forTenant(cleo.tenantId)).id, after.id)
})

test('tenants without flags share one cached set', async t => {
  const [dan, eve] = [await s.person(), await s.person()]
  const { cache } = isolatedCache()
  const shared = await cache.forRecipe()
  t.is(await cache.forTenant(dan.tenantId), shared)
  t.is(await cache.forTenant(eve.tenantId), shared)
})

test('a call in a unit of work loads in that unit and does not cache', async t => {
  const [fay, kim] = [await s.person(), await s.person()]
  await add(fay, 'one')
  await add(kim, 'two')
  const { cache } = isolatedCache()
  const { database } = s.kernel.kernel.ports
  const work = database.tenant(fay.tenantId).transaction(async unit => {
    await unit.query('delete from features_flags')
    t.false((await cache.forTenant(fay.tenantId)).flags.has('one'))
    t.true((await cache.forTenant(kim.tenantId)).flags.has('two'), 'another tenant’s flags are not read in this unit')
    throw new Error('undone')
  })
  await t.throwsAsync(work, { message: 'undone' })
  const cached = await cache.forTenant(fay.tenantId)
  t.true(cached.flags.has('one'))
  await database.tenant(fay.tenantId).transaction(async () => t.is(await cache.forTenant(fay.tenantId), cached))
})

test('the port returns a value of the fallback’s type, or the fallback', async t => {
  const gil = await s.person()
  const { tenantId, userId } = gil
  await add(gil, 'size', { default: 10, rules: [{ when: { country: 'DE', userId }, value: 20 }] })
  await add(gil, 'sold', { entitlement: 'nobody.asks', rules: [{ value: true }] })
  const { database, systemDatabase, clock, events, caches, operator } = s.kernel.kernel.ports
  const withoutBilling = { database, systemDatabase, clock, events, caches, operator }
  const { evaluations } = servicesWith(services, withoutBilling)
  const { value } = evaluations
  t.is(await value('size', 0, { tenantId }), 10)
  t.is(await value('size', 0, { tenantId, userId, context: { country: 'DE' } }), 20)
  t.is(await value('size', 'text', { tenantId }), 'text')
  t.is(await value('nothing', true, { tenantId }), true)
  t.is(await value('sold', false, { tenantId }), true, 'without billing, nothing is limited')
})
