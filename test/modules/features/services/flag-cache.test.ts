import test from 'ava'
import type { UntypedBus } from '../../../../kernel/index.ts'
import { createFeatures } from '../../../../modules/features/services/feature-services.ts'
import { createMemory } from '../../../../modules/features/services/flag-cache.ts'
import { add, ask, FEATURES, type Stage, stage } from '../fixtures.ts'

let s: Stage
test.before(async () => {
  s = await stage({ features: { common: { default: false, editable: true } } })
})
test.after.always(() => s?.stop())

async function until<T>(read: () => Promise<T>, wanted: T): Promise<T> {
  for (let tries = 0; tries < 500; tries++) {
    const found = await read()
    if (found === wanted) return found
    await new Promise(resolve => setTimeout(resolve, 10))
  }
  return read()
}

test('two processes on one database see each other’s changes', async t => {
  const ada = await s.person()
  const far = await s.another()
  t.teardown(() => far.stop())
  const there = far.as(ada.token)
  await add(ada, 'mine')
  const seen = async (key: string) => (await ask(there, key)).body.value
  t.is(await until(() => seen('mine'), false), false)
  await ada.patch(`${FEATURES}/mine`, { rules: [{ value: true }] })
  t.true(await until(() => seen('mine'), true))
  await there.put(`${FEATURES}/mine/override`, { value: false })
  t.false(await until(async () => (await ask(ada, 'mine')).body.value, false))
  const operator = await s.operator()
  await operator.patch(`${FEATURES}/common`, { rules: [{ value: true }] })
  t.true(await until(() => seen('common'), true))
  await operator.patch(`${FEATURES}/common`, { rules: [] })
  t.false(await until(() => seen('common'), false))
})

/** A memory whose bus says what the test says, and whose clock stands. */
function deaf() {
  const told: { message?: (message: unknown) => void; gap?: (() => void) | undefined } = {}
  const bus: UntypedBus = {
    publish: () => undefined,
    subscribe(_channel, message, gap) {
      Object.assign(told, { message, gap })
      return () => undefined
    },
  }
  const clock = { at: 1_000_000, now: () => clock.at }
  const { database } = s.kernel.kernel.ports
  return { memory: createMemory({ database, bus: bus as never, clock }), told, clock }
}

test('what the bus does not tell is kept; a gap, or a minute, ends it', async t => {
  const bob = await s.person()
  await add(bob, 'one')
  const { memory, told, clock } = deaf()
  const keys = async () => [...(await memory.of(bob.tenantId)).flags.keys()]
  t.deepEqual(await keys(), ['common', 'one'])
  const kept = memory.of(bob.tenantId)
  t.false(kept instanceof Promise, 'what is kept costs no turn of the loop')
  await add(bob, 'two')
  t.is(memory.of(bob.tenantId), kept)
  told.gap?.()
  t.deepEqual(await keys(), ['common', 'one', 'two'])
  await bob.delete(`${FEATURES}/two`)
  clock.at += 59_999
  t.deepEqual(await keys(), ['common', 'one', 'two'])
  clock.at += 1
  t.deepEqual(await keys(), ['common', 'one'])
  await add(bob, 'three')
  told.message?.({ tenantId: 'ten_other' })
  t.deepEqual(await keys(), ['common', 'one'])
  told.message?.({ tenantId: bob.tenantId })
  t.deepEqual(await keys(), ['common', 'one', 'three'])
  await add(bob, 'four')
  told.message?.({ tenantId: null })
  t.deepEqual(await keys(), ['common', 'four', 'one', 'three'])
})

test('what was being read while it changed is not kept', async t => {
  const cleo = await s.person()
  await add(cleo, 'one')
  const { memory, told } = deaf()
  const reading = memory.of(cleo.tenantId)
  t.is(memory.of(cleo.tenantId), reading, 'two questions share one reading')
  told.message?.({ tenantId: cleo.tenantId })
  const [before, after] = [await reading, await memory.of(cleo.tenantId)]
  t.not(before.id, after.id)
  t.is((await memory.of(cleo.tenantId)).id, after.id)
})

test('tenants without anything of their own share what is everybody’s', async t => {
  const [dan, eve] = [await s.person(), await s.person()]
  const { memory } = deaf()
  const common = await memory.ofRecipe()
  t.is(await memory.of(dan.tenantId), common)
  t.is(await memory.of(eve.tenantId), common)
})

test('in a unit of work what has to be read is read there, and not kept', async t => {
  const [fay, kim] = [await s.person(), await s.person()]
  await add(fay, 'one')
  await add(kim, 'two')
  const { memory } = deaf()
  const { database } = s.kernel.kernel.ports
  const work = database.tenant(fay.tenantId).transaction(async unit => {
    await unit.query('delete from features_flags')
    t.false((await memory.of(fay.tenantId)).flags.has('one'))
    t.true((await memory.of(kim.tenantId)).flags.has('two'), 'another tenant’s is none of this unit’s')
    throw new Error('undone')
  })
  await t.throwsAsync(work, { message: 'undone' })
  const kept = await memory.of(fay.tenantId)
  t.true(kept.flags.has('one'))
  await database.tenant(fay.tenantId).transaction(async () => t.is(await memory.of(fay.tenantId), kept))
})

test('another module asks by the port: a value of its type, or what it falls back to', async t => {
  const gil = await s.person()
  const { tenantId, userId } = gil
  await add(gil, 'size', { default: 10, rules: [{ when: { country: 'DE', userId }, value: 20 }] })
  await add(gil, 'sold', { entitlement: 'nobody.asks', rules: [{ value: true }] })
  const { value, memory } = createFeatures(s.kernel.kernel.ports)
  t.teardown(memory.stop)
  t.is(await value('size', 0, { tenantId }), 10)
  t.is(await value('size', 0, { tenantId, userId, context: { country: 'DE' } }), 20)
  t.is(await value('size', 'text', { tenantId }), 'text')
  t.is(await value('nothing', true, { tenantId }), true)
  t.is(await value('sold', false, { tenantId }), true, 'where nothing is sold, nothing is limited')
})
