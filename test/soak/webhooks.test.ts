import test from 'ava'
import { SECOND } from '../../kernel/base/units.ts'
import { passTheDead } from '../reliability/receivers.ts'
import { percentile } from './percentile.ts'

test('with 10,000 webhooks waiting for a dead receiver, those of others come within 2 s, 95 times of 100', async t => {
  const { ages, held, waiting } = await passTheDead({ waiting: 10_000, others: 400 })
  const p95 = percentile(ages, 0.95)
  t.log(`p95 ${p95.toFixed(0)} ms of ${ages.length}; ${held} requests to the dead one, ${waiting} still wait for it`)
  t.is(ages.length, 400)
  t.true(p95 < 2 * SECOND)
})
