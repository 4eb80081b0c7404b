import test from 'ava'
import { createBatcher } from '../../../../modules/messaging/domain/batcher.ts'

/** Batches that the test completes manually. */
function airport() {
  const flights: { key: string; items: readonly number[]; land(): void; crash(): void }[] = []
  const send = (key: string, items: readonly number[]) =>
    new Promise<number[]>((resolve, reject) => {
      const crash = () => reject(new Error(`${key} crashed`))
      flights.push({ key, items, land: () => resolve(items.map(item => item * 10)), crash })
    })
  return { flights, send }
}
const turn = () => new Promise(resolve => setImmediate(resolve))

test('runs the first item immediately and batches later items in order up to the limit', async t => {
  const { flights, send } = airport()
  const add = createBatcher(send, 3)
  const results = [1, 2, 3, 4, 5].map(item => add('a', item))
  t.deepEqual(
    flights.map(({ items }) => items),
    [[1]],
  )
  flights[0]?.land()
  await turn()
  t.deepEqual(flights[1]?.items, [2, 3, 4])
  flights[1]?.land()
  await turn()
  t.deepEqual(flights[2]?.items, [5])
  flights[2]?.land()
  t.deepEqual(await Promise.all(results), [10, 20, 30, 40, 50])
})

test('keys do not wait for each other', t => {
  const { flights, send } = airport()
  const add = createBatcher(send, 3)
  void add('a', 1)
  void add('b', 2)
  t.deepEqual(
    flights.map(({ key }) => key),
    ['a', 'b'],
  )
})

test('a failed batch rejects only its own items', async t => {
  const { flights, send } = airport()
  const add = createBatcher(send, 2)
  const [first, ...others] = [1, 2, 3].map(item => add('a', item))
  flights[0]?.land()
  t.is(await first, 10)
  flights[1]?.crash()
  for (const other of others) await t.throwsAsync(other, { message: 'a crashed' })
  const last = add('a', 4)
  flights[2]?.land()
  t.is(await last, 40)
})
