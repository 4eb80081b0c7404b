import test from 'ava'
import { fuzz } from '../reliability/fuzz.ts'

test('50,000 questions are answered as the document says, and never 5xx', async t => {
  const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
  t.log(`SEED=${seed} asks the same again`)
  const { wrong, failures, reached, operations, statuses } = await fuzz({ requests: 50_000, seed })
  t.log(`${reached.length} of ${operations} operations answered 2xx; ${JSON.stringify(statuses)}`)
  t.deepEqual(wrong.slice(0, 10), [])
  t.deepEqual(failures.slice(0, 10), [])
})
