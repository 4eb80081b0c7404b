import test from 'ava'
import { SECOND } from '../../kernel/base/units.ts'
import { deliverBesideUnresponsiveReceiver } from '../reliability/receivers.ts'
import { percentile } from './percentile.ts'

test('delivers 95% of webhooks within 2 s while 10,000 wait for an unresponsive receiver', async t => {
  const { delaysMs, held, pending } = await deliverBesideUnresponsiveReceiver({ waiting: 10_000, others: 400 })
  const p95 = percentile(delaysMs, 0.95)
  t.log(`p95 ${p95.toFixed(0)} ms of ${delaysMs.length}; unresponsive receiver: ${held} open, ${pending} pending`)
  t.is(delaysMs.length, 400)
  t.true(p95 < 2 * SECOND)
})
