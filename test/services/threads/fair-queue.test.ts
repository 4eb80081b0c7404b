import { setImmediate } from 'node:timers/promises'
import test from 'ava'
import { createFairQueue, type FairQueueOptions } from '../../../services/threads/fair-queue.ts'

type Limits = Pick<FairQueueOptions, 'slots' | 'slotsPerKey'> & Partial<FairQueueOptions>

/** Tasks that finish when the test ends them. Those of costly keys have a star. */
function fixture(options: Limits) {
  const queue = createFairQueue({ maxWaitingPerKey: 100, costlySlots: 1, ...options })
  const started: string[] = []
  const finish = new Map<string, (usedMs: number) => void>()
  const add = (key: string, name: string) =>
    queue.run(key, async isCostly => {
      started.push(isCostly ? `${name}*` : name)
      return { value: name, usedMs: await new Promise<number>(resolve => finish.set(name, resolve)) }
    })
  const end = async (name: string, usedMs = 0) => {
    finish.get(name)?.(usedMs)
    await setImmediate()
  }
  return { queue, started, add, end }
}

test('limits the slots of one key', async t => {
  const { started, add, end } = fixture({ slots: 3, slotsPerKey: 2 })
  for (const name of ['a1', 'a2', 'a3']) void add('a', name)
  void add('b', 'b1')
  await setImmediate()
  t.deepEqual(started, ['a1', 'a2', 'b1'])
  await end('a1')
  t.deepEqual(started, ['a1', 'a2', 'b1', 'a3'])
})

test('lets keys take turns', async t => {
  const { started, add, end } = fixture({ slots: 1, slotsPerKey: 1 })
  for (const name of ['a1', 'a2', 'a3']) void add('a', name)
  for (const name of ['b1', 'b2']) void add('b', name)
  void add('c', 'c1')
  await setImmediate()
  for (const name of ['a1', 'b1', 'c1', 'a2', 'b2']) await end(name)
  t.deepEqual(started, ['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
})

test('frees the slot of a task that fails', async t => {
  const { queue } = fixture({ slots: 1, slotsPerKey: 1 })
  await t.throwsAsync(async () => queue.run('a', () => Promise.reject(new Error('no'))), { message: 'no' })
  t.is(await queue.run('a', async () => ({ value: 1, usedMs: 0 })), 1)
})

test('rejects a task beyond the maximum that may wait', async t => {
  const { add } = fixture({ slots: 1, slotsPerKey: 1, maxWaitingPerKey: 1 })
  t.truthy(add('a', 'a1'))
  t.truthy(add('a', 'a2'))
  t.is(add('a', 'a3'), undefined)
  t.truthy(add('b', 'b1'))
})

test('runs keys that used up their time in slots of their own, until the time has come back', async t => {
  let at = 0
  const { started, add, end } = fixture({ slots: 2, slotsPerKey: 1, now: () => at })
  for (const name of ['a1', 'a2', 'a3']) void add('a', name)
  for (const name of ['b1', 'b2']) void add('b', name)
  await setImmediate()
  t.deepEqual(started, ['a1', 'b1'])
  await end('a1', 1000)
  await end('b1', 1000)
  t.deepEqual(started, ['a1', 'b1', 'a2*'], 'b waits, although slots are free')
  void add('c', 'c1')
  void add('d', 'd1')
  await setImmediate()
  t.deepEqual(started.slice(3), ['c1', 'd1'])
  await end('a2')
  t.deepEqual(started.slice(5), ['b2*'])
  await end('c1')
  at += 20_000
  await end('b2')
  t.deepEqual(started.slice(6), ['a3*'], 'no time comes back while a has tasks')
  await end('a3')
  at += 20_000
  void add('a', 'a4')
  void add('b', 'b3')
  await end('d1')
  t.deepEqual(started.slice(7), ['a4', 'b3'])
})

test('time of a key within its budget comes back while it has tasks', async t => {
  let at = 0
  const { started, add, end } = fixture({ slots: 1, slotsPerKey: 1, now: () => at })
  for (const name of ['a1', 'a2', 'a3']) void add('a', name)
  await setImmediate()
  await end('a1', 400)
  at += 4000
  await end('a2', 400)
  t.deepEqual(started, ['a1', 'a2', 'a3'])
})

test('a task that fails uses the time that passed', async t => {
  let at = 0
  const { queue, started, add } = fixture({ slots: 1, slotsPerKey: 1, now: () => at })
  await t.throwsAsync(
    async () =>
      queue.run('a', async () => {
        at = 1000
        throw new Error('no')
      }),
    { message: 'no' },
  )
  void add('a', 'a1')
  await setImmediate()
  t.deepEqual(started, ['a1*'])
})
