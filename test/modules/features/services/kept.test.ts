import test from 'ava'
import { createKept } from '../../../../modules/features/services/kept.ts'

const clock = { now: () => 1000 }
const kept = (most: number) => createKept<string>(clock, { life: 10, most, weigh: text => text.length })

test('when it is too much, what was read first goes first', async t => {
  const memory = kept(10)
  const read: string[] = []
  const of = (key: string) =>
    memory.of(key, async () => {
      read.push(key)
      return key.repeat(4)
    })
  for (const key of ['a', 'b', 'a', 'c', 'b', 'c']) await of(key)
  t.deepEqual(read, ['a', 'b', 'c'])
  await of('a')
  t.deepEqual(read, ['a', 'b', 'c', 'a'])
})

test('a reading that failed is not kept, and the next question reads again', async t => {
  const memory = kept(10)
  await t.throwsAsync(async () => memory.of('a', () => Promise.reject(new Error('away'))), { message: 'away' })
  t.is(await memory.of('a', async () => 'there'), 'there')
  memory.clear()
  t.is(await memory.of('a', async () => 'again'), 'again')
})
