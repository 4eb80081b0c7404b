import test from 'ava'
import { fuzz } from './fuzz.ts'

test('whatever an operation is asked, it answers as its document says, and never 5xx', async t => {
  const { wrong, failures, reached, operations, statuses } = await fuzz({
    requests: Number(process.env.N ?? 1500),
    seed: Number(process.env.SEED ?? 1),
  })
  t.log(`${reached.length} of ${operations} operations answered 2xx; ${JSON.stringify(statuses)}`)
  t.deepEqual(wrong.slice(0, 5), [])
  t.deepEqual(failures.slice(0, 5), [])
  t.true(reached.length > operations / 3)
})
