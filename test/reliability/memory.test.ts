import test from 'ava'
import { slopeOf } from './memory.ts'

test('computes the slope per minute from samples every ten seconds', t => {
  t.is(slopeOf([100, 100, 100]), 0)
  t.is(slopeOf([100, 101, 102, 103]), 6)
  t.true(slopeOf([100, 110, 100, 110, 101]) < 6)
})
