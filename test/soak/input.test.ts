import test from 'ava'
import { fuzz } from '../reliability/fuzz.ts'

test('operations respond as documented, and never with 5xx, to 50,000 valid and invalid requests', async t => {
  const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
  t.log(`SEED=${seed} repeats this run`)
  const { violations, errors, reached, operations, statuses } = await fuzz({ requests: 50_000, seed })
  t.log(`${reached.length} of ${operations} operations returned 2xx; ${JSON.stringify(statuses)}`)
  t.deepEqual(violations.slice(0, 10), [])
  t.deepEqual(errors.slice(0, 10), [])
})
