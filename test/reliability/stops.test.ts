import test from 'ava'
import { stopUnderLoad } from './stops.ts'

test('a process that is told to stop under load answers what it took, and exits with 0', async t => {
  const { answered, failed, exits, wrong } = await stopUnderLoad(t, { stops: 2 })
  t.log(`${answered} answered`)
  t.true(answered > 120)
  t.deepEqual(failed, [])
  t.deepEqual(exits, [0, 0])
  t.is(wrong, 0)
})
