import test from 'ava'
import { deliverBesideUnresponsiveReceiver } from './receivers.ts'

test('delivers webhooks while many wait for an unresponsive receiver', async t => {
  const { delaysMs, held, pending } = await deliverBesideUnresponsiveReceiver({ waiting: 500, others: 20 })
  t.is(delaysMs.length, 20)
  t.true(delaysMs.every(delay => delay < Number.POSITIVE_INFINITY))
  t.true(held >= 1)
  t.true(pending > 400, 'most webhooks of the unresponsive receiver are pending')
})
