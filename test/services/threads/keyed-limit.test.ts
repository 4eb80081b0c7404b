import { setImmediate } from 'node:timers/promises'
import test from 'ava'
import { createKeyedLimit } from '../../../services/threads/keyed-limit.ts'

/** Tasks that finish when the test ends them. */
function fixture(runningPerKey: number, waitingPerKey = 100) {
  const limit = createKeyedLimit({ runningPerKey, waitingPerKey })
  const started: string[] = []
  const finish = new Map<string, () => void>()
  const add = (key: string, name: string) =>
    limit.run(key, async () => {
      started.push(name)
      await new Promise<void>(resolve => finish.set(name, resolve))
      return name
    })
  const end = async (name: string) => {
    finish.get(name)?.()
    await setImmediate()
  }
  return { limit, started, add, end }
}

test('runs a limited number of tasks of each key, in order', async t => {
  const { started, add, end } = fixture(2)
  for (const name of ['a1', 'a2', 'a3', 'a4']) void add('a', name)
  void add('b', 'b1')
  t.deepEqual(started, ['a1', 'a2', 'b1'])
  await end('a2')
  t.deepEqual(started, ['a1', 'a2', 'b1', 'a3'])
  await end('b1')
  await end('a1')
  t.deepEqual(started, ['a1', 'a2', 'b1', 'a3', 'a4'])
})

test('a task that fails makes room for the next one', async t => {
  const { limit } = fixture(1)
  const failing = t.throwsAsync(async () => limit.run('a', () => Promise.reject(new Error('no'))), { message: 'no' })
  t.is(await limit.run('a', async () => 1), 1)
  await failing
})

test('rejects a task beyond the maximum that may wait', async t => {
  const { add, end } = fixture(1, 1)
  t.truthy(add('a', 'a1'))
  const second = add('a', 'a2')
  t.is(add('a', 'a3'), undefined)
  t.truthy(add('b', 'b1'))
  await end('a1')
  await end('a2')
  t.is(await second, 'a2')
  t.truthy(add('a', 'a4'))
})
