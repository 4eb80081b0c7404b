import test from 'ava'
import { fuzz } from './fuzz.ts'

test('operations respond as documented, and never with 5xx, to valid and invalid requests', async t => {
  const { violations, errors, reached, operations, statuses } = await fuzz({
    requests: Number(process.env.N ?? 4000),
    seed: Number(process.env.SEED ?? 1),
  })
  t.log(`${reached.length} of ${operations} operations returned 2xx; ${JSON.stringify(statuses)}`)
  t.deepEqual(violations.slice(0, 5), [])
  t.deepEqual(errors.slice(0, 5), [])
  t.true(reached.length > operations / 3)
})
