import { setImmediate } from 'node:timers/promises'
import test from 'ava'
import { createFairQueue } from '../../../services/threads/fair-queue.ts'

/** Tasks that finish when the test ends them. */
function fixture(options: { slots: number; slotsPerKey: number; maxWaitingPerKey?: number; now?: () => number }) {
  const queue = createFairQueue({ maxWaitingPerKey: 100, ...options })
  const started: string[] = []
  const finish = new Map<string, () => void>()
  const add = (key: string, name: string) =>
    queue.run(key, () => {
      started.push(name)
      return new Promise<void>(resolve => finish.set(name, resolve))
    })
  const end = async (name: string) => {
    finish.get(name)?.()
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
  t.is(await queue.run('a', async () => 1), 1)
})

test('rejects a task beyond the maximum that may wait', async t => {
  const { add } = fixture({ slots: 1, slotsPerKey: 1, maxWaitingPerKey: 1 })
  t.truthy(add('a', 'a1'))
  t.truthy(add('a', 'a2'))
  t.is(add('a', 'a3'), undefined)
  t.truthy(add('b', 'b1'))
})

test('keys that used up their time leave one slot to the others, until the time has come back', async t => {
  let at = 0
  const { started, add, end } = fixture({ slots: 2, slotsPerKey: 1, now: () => at })
  for (const name of ['a1', 'a2', 'a3']) void add('a', name)
  for (const name of ['b1', 'b2']) void add('b', name)
  await setImmediate()
  t.deepEqual(started, ['a1', 'b1'])
  at = 1000
  await end('a1')
  await end('b1')
  t.deepEqual(started, ['a1', 'b1', 'a2'], 'b waits, although a slot is free')
  void add('c', 'c1')
  await setImmediate()
  t.deepEqual(started, ['a1', 'b1', 'a2', 'c1'])
  await end('c1')
  await end('a2')
  t.deepEqual(started, ['a1', 'b1', 'a2', 'c1', 'b2'])
  at += 20_000
  await end('b2')
  await end('a3')
  void add('a', 'a4')
  void add('b', 'b3')
  await setImmediate()
  t.deepEqual(started.slice(-2), ['a4', 'b3'])
})
