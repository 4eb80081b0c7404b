import test from 'ava'
import { createGathering } from '../../../../modules/messaging/domain/batcher.ts'

/** Flights that land when they are told to. */
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

test('the first goes at once, what comes meanwhile goes together, in order and no more than allowed', async t => {
  const { flights, send } = airport()
  const add = createGathering(send, 3)
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

test('one key does not wait for another', t => {
  const { flights, send } = airport()
  const add = createGathering(send, 3)
  void add('a', 1)
  void add('b', 2)
  t.deepEqual(
    flights.map(({ key }) => key),
    ['a', 'b'],
  )
})

test('a flight that fails fails for those on it alone, and the next goes', async t => {
  const { flights, send } = airport()
  const add = createGathering(send, 2)
  const [first, ...others] = [1, 2, 3].map(item => add('a', item))
  flights[0]?.land()
  t.is(await first, 10)
  flights[1]?.crash()
  for (const other of others) await t.throwsAsync(other, { message: 'a crashed' })
  const last = add('a', 4)
  flights[2]?.land()
  t.is(await last, 40)
})
